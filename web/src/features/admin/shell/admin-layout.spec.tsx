import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import {
  accessibilityFaults,
  endPage,
  fakeServer,
  OWN_CREATOR,
  pass,
  refusal,
  renderPage,
  startPage,
  type FakeServer,
  textsOf,
} from '../../../../test/page.js';
import { adminGeneration } from '../../../../test/rows.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { AdminLayout } from './admin-layout.js';

const run = jest.fn();
let server: FakeServer;
const GENERATION = adminGeneration({
  id: '019b0be4-55c1-7000-8000-000000000001',
  prompt: 'one sunflower, very close',
});

function Page(): React.ReactNode {
  useKeys([
    { keys: ['1', '2'], label: 'Decide', run },
    { keys: ['Ctrl ↵'], label: 'Confirm', run },
  ]);
  return (
    <WorkPage title="Reports" footer="6 open" back={{ to: '/admin', label: 'Back to Admin Dashboard' }}>
      <label>
        Note <textarea />
      </label>
    </WorkPage>
  );
}

describe('AdminLayout', () => {
  beforeEach(() => {
    startPage();
    run.mockClear();
  });
  afterEach(() => {
    fireEvent.keyDown(document.body, { key: 'Escape' });
    endPage();
  });

  const open = async () => {
    server = fakeServer({
      get_admin_counts: { applications: 0, reports: 2, urgent: 0 },
      list_creators_admin: (body: unknown) => ((body as { p_state: string }).p_state === 'active' ? [OWN_CREATOR] : []),
      list_applications_admin: (body: unknown) =>
        (body as { p_state: string }).p_state === 'pending'
          ? [{ creator_id: 'c7', name: 'Juno Vane', instagram: '@junovane', state: 'pending' }]
          : [],
      search_users_admin: [{ user_id: 'user_9', name: 'Juno Fan', email: 'eve@example.com' }],
      get_generation_admin: GENERATION,
    });
    const router = await renderPage(
      <AdminLayout otherAreas={[{ to: '/', label: 'Fanvas' }]} account={null}>
        <Page />
      </AdminLayout>,
      '/admin/reports',
      '/admin/*',
    );
    await pass(0);
    return router;
  };
  const press = (key: string, more: object = {}, on: Element = document.body): void =>
    void fireEvent.keyDown(on, { key, ...more });

  it('marks the current place', async () => {
    await open();
    expect(screen.getAllByRole('link', { current: 'page' })[0]?.textContent).toBe('Reports2 waiting');
  });

  it('keeps the current place in view, without scrolling the page', async () => {
    const scroll = jest.fn();
    Element.prototype.scrollIntoView = scroll;
    const layout = { offsetLeft: 400, offsetWidth: 90, clientWidth: 390 };
    const spies = Object.entries(layout).map(([name, value]) =>
      jest.spyOn(HTMLElement.prototype, name as 'offsetLeft', 'get').mockReturnValue(value),
    );
    await open();
    const [row] = screen.getAllByRole('navigation', { name: 'Admin' }).map((list) => list.parentElement);
    expect([row?.scrollLeft, scroll.mock.calls.length]).toEqual([250, 0]);
    spies.forEach((spy) => spy.mockRestore());
    Reflect.deleteProperty(Element.prototype, 'scrollIntoView');
  });

  it('goes to a place by G and its letter', async () => {
    const router = await open();
    press('g');
    press('u');
    await pass(0);
    expect(router.state.location.pathname).toBe('/admin/users');
  });

  it('[C2.33] scrolls to the top and moves the focus to the content when the path changes', async () => {
    const scrollTo = jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const router = await open();
    expect(scrollTo).not.toHaveBeenCalled();
    await act(() => router.navigate('/admin/users'));
    expect(scrollTo).toHaveBeenCalledWith(0, 0);
    expect(document.activeElement).toBe(screen.getByRole('main'));
    scrollTo.mockRestore();
  });

  it('runs the keys of the page with the key that was pressed', async () => {
    await open();
    press('2');
    expect(run).toHaveBeenCalledWith('2');
  });

  it('leaves keys to a field, but not those with Ctrl', async () => {
    await open();
    const field = screen.getByRole('textbox');
    press('1', {}, field);
    expect(run).not.toHaveBeenCalled();
    press('Enter', { ctrlKey: true }, field);
    expect(run).toHaveBeenCalledWith('Ctrl ↵');
  });

  it('lists the keys on a sheet, where single keys can be turned off', async () => {
    await open();
    press('?', { shiftKey: true });
    expect(screen.getByRole('dialog', { name: 'Keys' }).textContent).toContain('Decide');
    press('1');
    expect(run).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('switch', { name: 'Single keys' }));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    press('1');
    expect(run).not.toHaveBeenCalled();
    press('Enter', { ctrlKey: true });
    expect(run).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole('button', { name: 'All keys' }));
    fireEvent.click(screen.getByRole('switch', { name: 'Single keys' }));
  });

  it('finds a place by its name', async () => {
    const router = await open();
    press('/');
    const field = screen.getByRole('combobox', { name: 'Find' });
    fireEvent.change(field, { target: { value: 'rev' } });
    expect(textsOf(screen.getAllByRole('option'))).toEqual(['RevenueGV']);
    press('Enter', {}, field);
    await pass(0);
    expect(router.state.location.pathname).toBe('/admin/revenue-management');
  });

  const find = async (text: string): Promise<HTMLElement> => {
    press('/');
    const field = screen.getByRole('combobox', { name: 'Find' });
    fireEvent.change(field, { target: { value: text } });
    await pass(300);
    await pass(0);
    return field;
  };
  const options = (): (string | null)[] => textsOf(screen.getAllByRole('option'));

  it('finds creators, applications and users by name, and opens one with the keyboard', async () => {
    const router = await open();
    const field = await find('@jun');
    expect(options()).toEqual(['Juno Abara@junoabara↵', 'Juno Vane@junovane, pending', 'Juno Faneve@example.com']);
    const bodies = server.calls.filter(({ name }) => /^(list|search)_/.test(name)).map(({ body }) => body);
    expect(bodies).toHaveLength(5);
    for (const body of bodies) expect(body).toMatchObject({ p_limit: 5 });
    press('ArrowDown', {}, field);
    press('Enter', {}, field);
    await pass(0);
    expect(router.state.location).toMatchObject({
      pathname: '/admin/applications',
      search: '?tab=pending&search=Juno+Vane&open=c7',
    });
  });

  it('sends nothing for one letter, and one search after the last of several', async () => {
    await open();
    await find('j');
    expect(server.count('search_users_admin')).toBe(0);
    const field = screen.getByRole('combobox', { name: 'Find' });
    for (const text of ['ju', 'jun', 'juno']) {
      fireEvent.change(field, { target: { value: text } });
      await pass(100);
    }
    await pass(300);
    expect(server.bodies('search_users_admin')).toEqual([{ p_search: 'juno', p_limit: 5 }]);
  });

  it('finds a generation by its id and shows its details', async () => {
    await open();
    const field = await find(GENERATION.id);
    expect(options()).toEqual([expect.stringContaining('one sunflower'), expect.stringContaining('Juno Fan')]);
    press('Enter', {}, field);
    await pass(0);
    const dialog = screen.getByRole('dialog', { name: 'Generation Details' });
    expect(dialog.textContent).toContain(GENERATION.id);
    expect(screen.getByRole('link', { name: 'Open the user who made it' }).getAttribute('href')).toBe(
      '/admin/users/user_9',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when a search has failed, and when it found nothing', async () => {
    await open();
    server.answer({ list_creators_admin: [], list_applications_admin: [], search_users_admin: refusal(400, 'No.') });
    await find('zzz');
    expect(screen.getByText('Not everything could be searched. Please try again.')).toBeTruthy();
    server.answer({ search_users_admin: [] });
    fireEvent.change(screen.getByRole('combobox', { name: 'Find' }), { target: { value: 'zzzz' } });
    await pass(300);
    await pass(0);
    expect(screen.getByText('Nothing found')).toBeTruthy();
  });

  it('has no accessibility faults', async () => {
    await open();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
