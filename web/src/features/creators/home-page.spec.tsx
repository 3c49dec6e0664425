import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import {
  accessibilityFaults,
  asVisitor,
  CREATOR,
  fakeServer,
  never,
  pass,
  PICTURE,
  refusal,
  renderPage,
  onPage,
} from '../../../test/page.js';
import HomePage from './home-page.js';

const CREATORS = 'get_public_creators';
const named = (name: string, fields: Partial<PublicCreator> = {}): PublicCreator => ({
  ...CREATOR,
  id: name,
  name: `${name} Marlow`,
  username: name.toLowerCase(),
  ...fields,
});

describe('HomePage', () => {
  onPage(() => asVisitor());

  const open = async (answer: unknown) => {
    const server = fakeServer({ [CREATORS]: answer });
    await renderPage(<HomePage />);
    return server;
  };

  /** Lets the delay pass. The next render sends the request. */
  const loaded = async (): Promise<void> => {
    await pass(100);
    await pass(10);
  };

  it('[F2.32, C9.12] requests all creators 100 ms after mount, and shows the visible ones', async () => {
    const server = await open([named('Ada'), named('Bea'), named('Archie', { is_visible: false })]);
    await pass(99);
    expect(server.count(CREATORS)).toBe(0);
    expect(screen.getByRole('status').textContent).toBe('Loading creators');
    await pass(1);
    await pass(10);
    expect(server.count(CREATORS)).toBe(1);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/ada', '/bea', '/creator']);
    expect(document.body.textContent).not.toContain('Archie');
  });

  it('[F2.01] shows the headline, the invitation and the featured creators to a visitor', async () => {
    await open([named('Ada'), named('Bea', { is_featured: false })]);
    await loaded();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Create Official Fan Art with AI');
    expect(screen.getByText('Choose a creator below to get started')).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/ada', '/creator']);
  });

  it('[F2.33] shows the initials instead of a portrait that cannot be loaded', async () => {
    await open([named('Ada', { profile: PICTURE })]);
    await loaded();
    const portrait = screen.getByRole('img', { name: 'Portrait of Ada Marlow' });
    expect(screen.queryByText('AM')).toBeNull();
    fireEvent.error(portrait);
    expect(screen.getByText('AM').closest('[aria-hidden=true]')).not.toBeNull();
  });

  it.each([
    ['while the creators load', never, 'Loading creators'],
    ['when the creators cannot be loaded', refusal(403, 'The list is closed.'), 'The list is closed.'],
    ['without creators', [], 'No creators yet'],
  ])('has no accessibility faults %s', async (_, answer, words) => {
    await open(answer);
    await loaded();
    expect(screen.getByText(words)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
