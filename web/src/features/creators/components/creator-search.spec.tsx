/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import {
  accessibilityFaults,
  CREATOR,
  endPage,
  fakeServer,
  pass,
  renderPage,
  startPage,
} from '../../../../test/page.js';
import { CreatorSearch } from './creator-search.js';

describe('CreatorSearch', () => {
  beforeEach(startPage);
  afterEach(endPage);

  const open = async (): Promise<void> => {
    const creators = ['Ada', 'Bea', 'Cleo'].map((name) => ({
      ...CREATOR,
      id: name,
      name: `${name} Marlow`,
      username: name.toLowerCase(),
    }));
    fakeServer({ get_public_creators: creators });
    await renderPage(<CreatorSearch />);
    act(() => screen.getByRole('combobox').focus());
    await pass(10);
  };
  const write = (text: string): void =>
    void fireEvent.change(screen.getByRole('combobox'), { target: { value: text } });

  it('[F2.25] suggests at once, without a delay after a key', async () => {
    await open();
    write('cle');
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('@cleo'),
    ]);
    fireEvent.click(screen.getByRole('option'));
    expect(screen.getByTestId('path').textContent).toBe('/cleo');
  });

  it.each(["ada' or 1=1", '<script>ada', 'select ada'])('[F2.28] suggests no creator for %s', async (text) => {
    await open();
    write(text);
    expect(screen.getByText('No creator by that name or style.')).toBeTruthy();
    expect(screen.queryByRole('option')).toBeNull();
  });

  it('suggests a creator by the style, which it shows', async () => {
    fakeServer({ get_public_creators: [{ ...CREATOR, style: 'Cut-paper botanicals' }] });
    await renderPage(<CreatorSearch />);
    act(() => screen.getByRole('combobox').focus());
    await pass(10);
    write('botanic');
    expect(screen.getByRole('option').textContent).toContain('@junoabara · Cut-paper botanicals');
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    expect(screen.getByTestId('path').textContent).toBe('/junoabara');
  });

  it('has no accessibility faults with suggestions', async () => {
    await open();
    write('marlow');
    expect(screen.getAllByRole('option')).toHaveLength(3);
    expect(await accessibilityFaults()).toEqual([]);
  });
});
