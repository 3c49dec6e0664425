/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { accessibilityFaults, endPage, fakeServer, pass, renderPage, startPage } from '../../../../test/page.js';
import { AdminPage } from '../components/admin-page.js';
import { useKeys } from '../components/keys.js';
import { AdminLayout } from './admin-layout.js';

const run = jest.fn();

function Page(): React.ReactNode {
  useKeys([
    { keys: ['1', '2'], label: 'Decide', run },
    { keys: ['Ctrl ↵'], label: 'Confirm', run },
  ]);
  return (
    <AdminPage title="Reports" footer="6 open" back={{ to: '/admin', label: 'Back to Admin Dashboard' }}>
      <label>
        Note <textarea />
      </label>
    </AdminPage>
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
    fakeServer({ get_admin_counts: { applications: 0, reports: 2, urgent: 0 } });
    const router = await renderPage(
      <AdminLayout hasPage={(path) => path !== '/admin/log'} otherAreas={[{ to: '/', label: 'Fanvas' }]} account={null}>
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

  it('marks the current place and leaves out a place without a page', async () => {
    await open();
    expect(screen.getAllByRole('link', { current: 'page' })[0]?.textContent).toBe('Reports2 waiting');
    expect(screen.queryByRole('link', { name: 'Log' })).toBeNull();
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
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['RevenueGV']);
    press('Enter', {}, field);
    await pass(0);
    expect(router.state.location.pathname).toBe('/admin/revenue-management');
  });

  it('has no accessibility faults', async () => {
    await open();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
