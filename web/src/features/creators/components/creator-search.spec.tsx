import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import {
  accessibilityFaults,
  CREATOR,
  fakeServer,
  never,
  pass,
  refusal,
  renderPage,
  click,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { GALLERY_ITEM } from '../../../../test/rows.js';
import type { FoundPicture } from '../../../../../src/contract/gallery.js';
import { CreatorSearch } from './creator-search.js';

const { total_count: _, ...FOUND } = GALLERY_ITEM;

const picture = (number: number, fields: Partial<FoundPicture> = {}): FoundPicture => ({
  ...FOUND,
  id: `g${number}`,
  prompt: `Marlow fox ${number}`,
  created_at: '2026-11-20T21:04:00.000Z',
  creator_name: 'Juno Abara',
  creator_username: 'junoabara',
  ...fields,
});

/** Focuses the box, which then loads its panel. A second request for the same code ends after the one of the box. */
async function focusBox(): Promise<void> {
  act(() => screen.getByRole('combobox').focus());
  await act(async () => void (await import('./search-panel.js')));
  await pass(10);
}

describe('CreatorSearch', () => {
  onPage();

  const open = async (pictures: unknown = [], names = ['Ada', 'Bea', 'Cleo']) => {
    const creators = names.map((name) => ({
      ...CREATOR,
      id: name,
      name: `${name} Marlow`,
      username: name.toLowerCase(),
    }));
    const server = fakeServer({ get_public_creators: creators, search_pictures_public: pictures });
    await renderPage(<CreatorSearch />);
    await focusBox();
    return server;
  };
  /** Passes the pause of a writer, and then the answer. */
  const settle = async (): Promise<void> => {
    await pass(260);
    await pass(10);
  };
  const options = () => textsOf(screen.queryAllByRole('option'));
  const write = (text: string): void =>
    void fireEvent.change(screen.getByRole('combobox'), { target: { value: text } });

  it('[F2.25] suggests at once, without a delay after a key', async () => {
    await open();
    write('cle');
    expect(textsOf(screen.getAllByRole('option'))).toEqual([expect.stringContaining('@cleo')]);
    fireEvent.click(screen.getByRole('option'));
    expect(screen.getByTestId('path').textContent).toBe('/cleo');
  });

  it('[F2.25, F2.26, F2.27] suggests five creators at most, and is used by keyboard alone', async () => {
    await open([], ['Ada', 'Bea', 'Cleo', 'Dora', 'Ella', 'Fay']);
    const box = screen.getByRole<HTMLInputElement>('combobox');
    const press = (key: string): void => void fireEvent.keyDown(box, { key });
    expect(box.placeholder).toBe('Search creators');
    write('MARLOW');
    expect(options()).toHaveLength(5);
    expect(options()[0]).toContain('Ada Marlow@ada');
    expect(box.getAttribute('aria-expanded')).toBe('true');
    expect(box.getAttribute('aria-activedescendant')).toBeNull();

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) press(key);
    const active = screen.getByRole('option', { selected: true });
    expect(active.textContent).toContain('Ella');
    expect(box.getAttribute('aria-activedescendant')).toBe(active.id);

    press('Escape');
    expect([options(), box.value, box.getAttribute('aria-expanded')]).toEqual([[], 'MARLOW', 'false']);
    press('ArrowDown');
    expect(options()).toHaveLength(5);
    press('Enter');
    expect(screen.getByTestId('path').textContent).toMatch(/^\/(ada|ella)$/);
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
    await focusBox();
    write('botanic');
    expect(screen.getByRole('option').textContent).toContain('@junoabara · Cut-paper botanicals');
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    expect(screen.getByTestId('path').textContent).toBe('/junoabara');
  });

  it('shows pictures whose prompt contains the text below the creators, once the writer pauses', async () => {
    const server = await open([picture(1), picture(2)]);
    write('mar');
    write('marlow');
    expect(options()).toHaveLength(3);
    await pass(240);
    expect(server.count('search_pictures_public')).toBe(0);
    await settle();
    expect(server.bodies('search_pictures_public')).toEqual([{ p_text: 'marlow' }]);
    expect(options().slice(3)).toEqual(['Marlow fox 1by Juno Abara', 'Marlow fox 2by Juno Abara']);
    expect(screen.getByRole('status').textContent).toBe('Found 3 creators and 2 pictures');
  });

  it('moves through creators and pictures with the arrow keys, and opens the picture with Enter', async () => {
    await open([picture(1)]);
    write('marlow');
    await settle();
    const box = screen.getByRole('combobox');
    fireEvent.keyDown(box, { key: 'ArrowUp' });
    const selected = screen.getByRole('option', { selected: true });
    expect(selected.textContent).toContain('Marlow fox 1');
    expect(box.getAttribute('aria-activedescendant')).toBe(selected.id);
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(screen.getByTestId('path').textContent).toBe('/junoabara/generate/g1');
  });

  it('keeps the selected suggestion in view, and the selection when the list scrolls below a resting pointer', async () => {
    await open([picture(1)]);
    write('marlow');
    await settle();
    const scrolled: string[] = [];
    const scroll = jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolled.push(this.textContent);
    });
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowUp' });
    scroll.mockRestore();
    expect(scrolled).toEqual(['Marlow fox 1by Juno Abara']);
    const [first] = screen.getAllByRole('option');
    const move = (x: number): void => {
      // jsdom knows no movement.
      const event = Object.assign(new MouseEvent('mousemove', { bubbles: true }), { movementX: x, movementY: 0 });
      fireEvent(first!, event);
    };
    move(0);
    expect(screen.getByRole('option', { selected: true })).not.toBe(first);
    move(3);
    expect(screen.getByRole('option', { selected: true })).toBe(first);
  });

  it('opens the only creator with Enter, also above pictures', async () => {
    await open([picture(1), picture(2)]);
    write('cleo');
    await settle();
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    expect(screen.getByTestId('path').textContent).toBe('/cleo');
  });

  it.each(['m', '@marlow', "marlow'", 'select'])('looks for no picture with %s', async (text) => {
    const server = await open([picture(1)]);
    write(text);
    await settle();
    expect(server.count('search_pictures_public')).toBe(0);
    expect(screen.queryByText('No public picture with these words.')).toBeNull();
  });

  it('says that no picture has the words, also without a creator', async () => {
    await open();
    write('xylophone');
    await settle();
    expect(screen.getByText('No creator by that name or style.')).toBeTruthy();
    expect(screen.getByText('No public picture with these words.')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Found no creators and no pictures');
  });

  it('shows the places of pictures until they arrive, and keeps creators usable', async () => {
    await open(never);
    write('cleo');
    await settle();
    expect(screen.getByText('Pictures')).toBeTruthy();
    expect(options()).toHaveLength(1);
    expect(screen.getByRole('status').textContent).toBe('Found 1 creator');
  });

  it('offers to look for pictures again after an error', async () => {
    const server = await open(refusal(400, 'No.'));
    write('marlow');
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Pictures could not be loaded.');
    server.answer({ search_pictures_public: [picture(1)] });
    await click(screen.getByRole('button', { name: 'Retry' }), 10);
    expect(options().at(-1)).toContain('Marlow fox 1');
  });

  it('keeps the pictures of the last text while it looks for the next, and gives a prompt its direction', async () => {
    const server = await open([picture(1, { prompt: 'ثعلب' })]);
    write('marlow');
    await settle();
    expect(screen.getByText('ثعلب').getAttribute('dir')).toBe('auto');
    server.answer({ search_pictures_public: never });
    write('marlow f');
    await settle();
    expect(options()).toEqual(['ثعلبby Juno Abara']);
  });

  it('has no accessibility faults with suggestions', async () => {
    await open([picture(1), picture(2)]);
    write('marlow');
    await settle();
    expect(screen.getAllByRole('option')).toHaveLength(5);
    expect(await accessibilityFaults()).toEqual([]);
  });
});
