import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { LedgerAccount } from '../../../../src/contract/audit.js';
import type { AdminUserRow } from '../../../../src/contract/admin-users.js';
import {
  accessibilityFaults,
  fakeServer,
  never,
  refusal,
  renderPage,
  screenIs,
  press,
  onPage,
  nextPage,
  pass,
  textsOf,
} from '../../../test/page.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import { useLinkedPages, useNumberedPages } from './list-pages.js';
import type { ListRowsProps } from './list-rows.js';
import { RpcList } from './rpc-list.js';

const WORDS = { failure: 'Failed to load rows. Please try again.', loading: 'Loading rows...' };
const user = (id: string, total = 3): Partial<AdminUserRow> => ({
  user_id: id,
  email: `${id}@x.test`,
  total_count: total,
});

function Users({ search = '', ...more }: { readonly search?: string } & Partial<ListRowsProps<AdminUserRow>>) {
  const list = useNumberedPages('search_users_admin', { p_search: search }, 2);
  return (
    <RpcList
      list={list}
      words={WORDS}
      empty="No rows"
      caption="People"
      columns={[
        { label: 'Who', cell: ({ user_id: id }) => id },
        { label: 'Email', cell: ({ email }) => email, wideOnly: true },
      ]}
      rowKey={({ user_id: id }) => id}
      {...more}
    />
  );
}

function Accounts(): React.ReactNode {
  const options = {
    field: 'p_after',
    rows: ({ accounts }: { accounts: readonly LedgerAccount[] }) => accounts,
  } as const;
  const list = useLinkedPages('list_ledger_accounts', { p_limit: 1 }, { ...options, param: 'after' });
  return (
    <RpcList
      list={list}
      words={WORDS}
      empty="No rows"
      caption="Accounts"
      rowKey={({ user_id: id }) => id}
      item={({ user_id: id }) => id}
    />
  );
}

const accountsAfter = (body: { readonly p_after?: string }) => {
  const id = String.fromCharCode((body.p_after ?? '`').charCodeAt(0) + 1);
  return { accounts: [{ user_id: id }], next: id === 'd' ? null : id };
};
const isOff = (name: string): unknown => screen.getByRole('button', { name }).hasAttribute('disabled');

describe('RpcList', () => {
  onPage(() => screenIs(true));

  it('announces that it loads, says why it failed, and loads again', async () => {
    const server = fakeServer({ search_users_admin: never });
    await renderPage(<Users />);
    expect(screen.getByRole('status').textContent).toBe('Loading rows...');
    nextPage();
    const failing = fakeServer({ search_users_admin: refusal(403, 'Not for you.') });
    await renderPage(<Users />);
    expect(screen.getByRole('alert').textContent).toContain('Failed to load rows. Please try again.Not for you.');
    failing.answer({ search_users_admin: [] });
    await press('Try Again');
    expect(screen.getByText('No rows')).toBeTruthy();
    expect(server.count('search_users_admin')).toBe(1);
  });

  it('turns numbered pages, and dims the rows while others load', async () => {
    const server = fakeServer({ search_users_admin: [user('a'), user('b')] });
    await renderPage(<Users />);
    expect(screen.getByText('Page 1 of 2')).toBeTruthy();
    expect(isOff('Previous')).toBe(true);
    server.answer({ search_users_admin: never });
    await press('Next');
    expect(server.calls.at(-1)?.body).toEqual({ p_search: '', p_limit: 2, p_offset: 2 });
    expect(screen.getByRole('table').closest('[aria-busy=true]')?.className).toContain('opacity-60');
    expect(isOff('Next')).toBe(true);
  });

  it('goes to the page before when the last row of a page is gone', async () => {
    const all = ['a', 'b', 'c'].map((id) => user(id));
    const server = fakeServer({
      search_users_admin: ({ p_offset: from }: { readonly p_offset: number }) => all.slice(from, from + 2),
    });
    await renderPage(<Users />);
    await press('Next');
    expect(screen.getByRole('rowheader').textContent).toBe('c');
    server.answer({
      search_users_admin: ({ p_offset: from }: { p_offset: number }) => (from === 0 ? all.slice(0, 2) : []),
    });
    refreshRpc('search_users_admin');
    await pass(100);
    expect(textsOf(screen.getAllByRole('rowheader'))).toEqual(['a', 'b']);
    expect(isOff('Previous')).toBe(true);
  });

  it('finds the way back and on from a page whose address was opened', async () => {
    fakeServer({ list_ledger_accounts: accountsAfter });
    const router = await renderPage(<Accounts />, '/audit?after=b');
    expect(screen.getByRole('listitem').textContent).toBe('c');
    await press('Next');
    expect(router.state.location.search).toBe('?after=c');
    expect(isOff('Next')).toBe(true);
    await press('Previous');
    expect(router.state.location.search).toBe('?after=b');
    await press('Previous');
    expect(screen.getByRole('listitem').textContent).toBe('a');
    expect(router.state.location.search).toBe('');
  });

  it('unfolds a row whose first cell is the button, in a table and on a phone', async () => {
    fakeServer({ search_users_admin: [user('a', 1)] });
    const detail = ({ email }: AdminUserRow): string => `All about ${email}`;
    await renderPage(<Users detail={detail} item={({ user_id: id }) => id} />);
    fireEvent.click(screen.getByRole('cell', { name: 'a@x.test' }));
    const button = screen.getByRole('button', { name: 'a' });
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-controls')!)?.textContent).toBe('All about a@x.test');
    screenIs(false);
    expect(screen.getByRole('list', { name: 'People' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'a' }));
    expect(screen.queryByText('All about a@x.test')).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('leaves columns out on a phone, and has what is important below the first cell', async () => {
    screenIs(false);
    fakeServer({ search_users_admin: [user('a', 1)] });
    await renderPage(<Users below={({ email }) => email} foot={({ label }) => `Sum of ${label}`} />);
    expect(textsOf(screen.getAllByRole('columnheader'))).toEqual(['Who']);
    expect(textsOf(screen.getAllByRole('rowheader'))).toEqual(['aa@x.test', 'Sum of Who']);
  });
});
