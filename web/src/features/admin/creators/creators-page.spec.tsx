import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { AdminCreatorRow } from '../../../../../src/contract/applications.js';
import {
  accessibilityFaults,
  asFan,
  fakeServer,
  lost,
  messages,
  never,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  type FakeServer,
  click,
  onPage,
  nextPage,
} from '../../../../test/page.js';
import { ADMIN_CREATOR } from '../../../../test/rows.js';
import { useKeyListener } from '../../../components/work-area/keys.js';
import { CreatorsPage } from './creators-page.js';

const JUNO: AdminCreatorRow = {
  ...ADMIN_CREATOR,
  bio: 'Circles first, questions later.',
  profile_image: '/media/juno.webp',
};

const onChange = jest.fn();

/** The page with the key listener of the area's frame. */
function PageWithKeys(): React.ReactNode {
  useKeyListener();
  return <CreatorsPage onChange={onChange} />;
}
let server: FakeServer;

/** @param creators all creators; the server picks by their visibility */
async function open(creators: readonly AdminCreatorRow[], answers: Answers = {}, address = '/admin/gallery') {
  server = fakeServer({
    list_creators_admin: (body: unknown) => {
      const rows = creators.filter(
        ({ is_visible: active }) => active === ((body as { p_state: string }).p_state === 'active'),
      );
      return rows.map((row) => ({ ...row, total_count: rows.length }));
    },
    toggle_creator_featured: (body: unknown) => (body as { p_is_featured: boolean }).p_is_featured,
    toggle_creator_visibility: true,
    ...answers,
  });
  const router = await renderPage(<PageWithKeys />, address);
  await pass(50);
  return router;
}

onPage(() => {
  asFan({ id: 'admin_1' });
  screenIs(true);
  onChange.mockReset();
});

const card = (name = 'Juno Abara'): HTMLElement => screen.getByRole('article', { name });
const featured = (): HTMLElement => within(card()).getByRole('switch', { name: 'Featured on Homepage' });
const press = (name: string | RegExp, inside: HTMLElement = document.body): void =>
  void fireEvent.click(within(inside).getByRole('button', { name }));

describe('CreatorsPage', () => {
  it('[C2.36] [C2.37] shows the active creators with portrait, name, seal, bio and handle', async () => {
    await open([JUNO]);
    expect(screen.getByRole('tab', { name: /^Active Creators/ }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('tab', { name: /^Archived Creators/ })).toBeTruthy();
    expect(within(card()).getByRole('heading', { name: /Juno Abara/ })).toBeTruthy();
    expect(within(card()).getByRole('img', { name: 'Verified creator' })).toBeTruthy();
    expect(within(card()).getByText('@junoabara')).toBeTruthy();
    expect(within(card()).getByText('Circles first, questions later.').className).toContain('line-clamp-2');
    const portrait = within(card()).getByRole('img', { name: 'Portrait of Juno Abara' });
    fireEvent.error(portrait);
    expect(within(card()).queryByRole('img', { name: 'Portrait of Juno Abara' })).toBeNull();
    expect(within(card()).getByText('JA')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C2.38] an active card has the switch and both acts', async () => {
    await open([JUNO]);
    expect(featured().getAttribute('aria-checked')).toBe('true');
    expect(within(card()).getByRole('link', { name: 'Manage Gallery' }).getAttribute('href')).toBe(
      '/admin/gallery/junoabara',
    );
    expect(within(card()).getByRole('button', { name: 'Archive Creator' })).toBeTruthy();
    expect(within(card()).queryByRole('button', { name: 'Unarchive Creator' })).toBeNull();
  });

  it('[C2.41] [C4.17] the switch is busy until the list is fetched again', async () => {
    const creators = [JUNO];
    await open(creators);
    let answer: () => void = () => undefined;
    server.answer({
      toggle_creator_featured: () => new Promise<boolean>((resolve) => (answer = () => resolve(false))),
    });
    await click(featured(), 0);
    expect(featured().getAttribute('aria-busy')).toBe('true');
    expect(featured().getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(featured());
    expect(server.count('toggle_creator_featured')).toBe(1);
    expect(server.last('toggle_creator_featured')).toEqual({ p_creator_id: 'c1', p_is_featured: false });
    creators[0] = { ...JUNO, is_featured: false };
    answer();
    await pass(50);
    expect(featured().getAttribute('aria-busy')).toBeNull();
    expect(featured().getAttribute('aria-checked')).toBe('false');
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('[C4.16] archives after a question, and the creator moves to the other tab', async () => {
    const creators = [JUNO];
    await open(creators);
    press('Archive Creator', card());
    const dialog = screen.getByRole('alertdialog', { name: /^Archive Juno Abara ?\?$/ });
    expect(dialog.textContent).toContain('From now on fans cannot generate with Juno Abara.');
    press('Cancel', dialog);
    expect(server.count('toggle_creator_visibility')).toBe(0);
    press('Archive Creator', card());
    creators[0] = { ...JUNO, is_visible: false };
    press('Archive Juno Abara', screen.getByRole('alertdialog'));
    await pass(50);
    expect(server.last('toggle_creator_visibility')).toEqual({ p_creator_id: 'c1', p_is_visible: false });
    expect(
      screen.getByText(
        'No active creators found. Archived creators can be unarchived from the "Archived Creators" tab.',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Archived Creators 1' })).toBeTruthy();
  });

  it('[C2.39] [C2.40] unarchives from the other tab, which is then empty', async () => {
    const creators = [{ ...JUNO, is_visible: false }];
    await open(creators, {}, '/admin/gallery?tab=archived');
    expect(within(card()).queryByRole('switch')).toBeNull();
    creators[0] = JUNO;
    press('Unarchive Creator', card());
    await pass(50);
    expect(server.last('toggle_creator_visibility')).toEqual({ p_creator_id: 'c1', p_is_visible: true });
    expect(screen.getByText('No archived creators found.')).toBeTruthy();
  });

  it('[C8.14] [C8.15] reports a refused toggle and keeps what is true', async () => {
    await open([JUNO], {
      toggle_creator_featured: refusal(403, 'Admin privileges required'),
      toggle_creator_visibility: lost,
    });
    await click(featured(), 50);
    expect(featured().getAttribute('aria-checked')).toBe('true');
    press('Archive Creator', card());
    press('Archive Juno Abara', screen.getByRole('alertdialog'));
    await pass(50);
    expect(messages()).toEqual([
      'Failed to update feature status. Please try again.',
      'Failed to update creator status. Please try again.',
    ]);
  });

  it('filters by name or handle', async () => {
    await open([JUNO]);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Filter by name or handle' }), {
      target: { value: '@juno' },
    });
    await pass(300);
    expect(server.last('list_creators_admin')).toMatchObject({ p_search: 'juno', p_offset: 0 });
  });

  it('J and K move between the cards, F features the focused creator and E opens the gallery', async () => {
    const aria = { ...JUNO, id: 'c2', name: 'Aria Vale', username: 'ariavale', is_featured: false };
    const router = await open([JUNO, aria]);
    const key = (name: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
    key('f');
    expect(server.count('toggle_creator_featured')).toBe(0);
    expect(document.activeElement).toBe(card());
    key('j');
    key('j');
    expect(document.activeElement).toBe(card('Aria Vale'));
    key('f');
    await pass(50);
    expect(server.last('toggle_creator_featured')).toEqual({ p_creator_id: 'c2', p_is_featured: true });
    key('k');
    expect(document.activeElement).toBe(card());
    key('e');
    await pass(0);
    expect(router.state.location.pathname).toBe('/admin/gallery/junoabara');
  });

  it('links to the applications and shows their number', async () => {
    await open([JUNO], { get_admin_counts: { applications: 4, reports: 0, urgent: 0 } });
    const link = screen.getByRole('link', { name: 'Applications 4 waiting' });
    expect(link.getAttribute('href')).toBe('/admin/applications');
  });

  it('[C8.13] loads, fails and loads again', async () => {
    await open([JUNO], { list_creators_admin: never });
    expect(screen.getByText('Loading creators...')).toBeTruthy();
    nextPage();
    await open([JUNO], { list_creators_admin: refusal(400, 'No.', { 'x-request-id': 'req_81b0c2' }) });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load creators. Please try again.');
    expect(screen.getByRole('alert').textContent).toMatch(
      /Nothing was changed\. Request req_81b0c2, \d\d:\d\d:\d\d UTC\./,
    );
    expect(screen.getByRole('button', { name: 'Copy request' })).toBeTruthy();
    server.answer({ list_creators_admin: [JUNO] });
    press('Try Again');
    await pass(50);
    expect(card()).toBeTruthy();
  });

  it('[C8.12] names a session that gives no client', async () => {
    await open([JUNO], { list_creators_admin: refusal(401, 'Authentication required.') });
    expect(screen.getByRole('alert').textContent).toContain('Authentication failed. Please refresh the page.');
  });
});
