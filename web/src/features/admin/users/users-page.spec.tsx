import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { adminUserRow, creditProposal, PAYMENT_PROBLEM } from '../../../../test/admin-users.js';
import { openAdminPage } from '../../../../test/admin-page.js';
import {
  type Answers,
  accessibilityFaults,
  messages,
  pass,
  refusal,
  screenIs,
  click,
  onPage,
  textsOf,
  pressKey,
} from '../../../../test/page.js';
import UsersPage from './users-page.js';

const ROWS = [
  adminUserRow({ total_count: 30 }),
  adminUserRow({
    user_id: 'user_hana',
    name: 'Hana Brook',
    email: 'hana@example.com',
    suspended: true,
    total_count: 30,
  }),
  adminUserRow({ user_id: 'user_marek', name: 'Marek Doll', email: 'm@example.com', debt: 50, total_count: 30 }),
];
const STUCK = {
  id: 'co_1',
  session_id: 'cs_stuck',
  user_id: 'user_ines',
  status: 'open',
  credits: 100,
  amount_cents: 1000,
  created_at: '2026-11-20T10:00:00.000Z',
  what_to_do: 'The session has ended at the processor. Look at it again.',
  total_count: 1,
};

describe('/admin/users', () => {
  onPage(() => screenIs(true));

  const open = (address = '/admin/users', answers: Answers = {}) =>
    openAdminPage(<UsersPage />, address, {
      search_users_admin: ROWS,
      list_credit_proposals_admin: [],
      get_payment_problems: [],
      list_stuck_checkouts_admin: [],
      ...answers,
    });
  const press = (key: string): Promise<void> => pressKey(key, {}, 0);

  it('shows the users with their credits, and who is suspended or owes credits', async () => {
    await open();
    const row = within(screen.getByRole('row', { name: /Ines Falk/ }));
    expect(textsOf(row.getAllByRole('cell'))).toEqual([
      'ines.falk@example.com',
      '14 Nov 2026',
      '0',
      '10',
      '70',
      '80',
      '120',
      '12',
      '22 Nov 2026, 08:31',
    ]);
    expect(screen.getByText('suspended')).toBeTruthy();
    expect(screen.getByText('owes 50')).toBeTruthy();
    expect(screen.getByText('30 users')).toBeTruthy();
  });

  it('focuses the search by the slash key, and searches once the typing stops', async () => {
    const { server, router } = await open();
    await press('/');
    const box = screen.getByRole('searchbox', { name: 'Name, email, user or generation ID' });
    expect(document.activeElement).toBe(box);
    for (const value of ['f', 'fa', 'falk']) fireEvent.change(box, { target: { value } });
    await pass(1000);
    expect(server.count('search_users_admin')).toBe(2);
    expect(server.last('search_users_admin')).toMatchObject({ p_search: 'falk', p_offset: 0 });
    expect(router.state.location.search).toBe('?search=falk');
  });

  it('filters users, pages through them and keeps both in the address', async () => {
    const { server, router } = await open('/admin/users?page=2');
    expect(server.last('search_users_admin')).toMatchObject({ p_offset: 12 });
    await click(screen.getByRole('button', { name: /^Owes credits/ }));
    expect(server.last('search_users_admin')).toMatchObject({ p_filter: 'owes', p_offset: 0 });
    await click(screen.getByRole('button', { name: 'Next' }));
    expect(router.state.location.search).toBe('?filter=owes&page=2');
  });

  it('sorts by a column or by Shift and the arrow, and starts holders of paid credits with the greatest', async () => {
    const { server, router } = await open();
    expect(server.last('search_users_admin')).toMatchObject({ p_sort: 'joined' });
    await click(screen.getByRole('button', { name: 'Spent' }));
    expect(server.last('search_users_admin')).toMatchObject({ p_sort: 'spent', p_offset: 0 });
    const sorted = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
    expect([sorted('Joined'), sorted('Spent')]).toEqual([null, 'descending']);
    fireEvent.keyDown(document.body, { key: 'ArrowDown', shiftKey: true });
    await pass(100);
    expect([sorted('Joined'), sorted('Spent')]).toEqual(['descending', null]);
    await click(screen.getByRole('button', { name: /^Has paid credits/ }));
    expect(server.last('search_users_admin')).toMatchObject({ p_filter: 'paid', p_sort: 'paid' });
    expect(screen.queryByRole('button', { name: 'Joined' })).toBeNull();
    expect(router.state.location.search).toBe('?sort=joined&filter=paid');
  });

  it('moves by J and K and opens the first user by Enter', async () => {
    const { router } = await open();
    await press('j');
    await press('j');
    expect(document.activeElement?.textContent).toBe('Hana Brook');
    await press('k');
    expect(document.activeElement?.textContent).toBe('Ines Falk');
    (document.activeElement as HTMLElement).blur();
    await press('Enter');
    expect(router.state.location.pathname).toBe('/admin/users/user_ines');
  });

  it('says when no user matches, and shows all again', async () => {
    const { router } = await open('/admin/users?search=zzz', { search_users_admin: [] });
    await click(screen.getByRole('link', { name: 'Show all' }), 1000);
    expect(router.state.location.search).toBe('');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it('offers another try when the users cannot be loaded', async () => {
    await open('/admin/users', { search_users_admin: refusal(500, 'broken') });
    await pass(60_000);
    expect(screen.getByText('Failed to load users. Please try again.')).toBeTruthy();
  });

  it('lets a second admin approve a proposal after a confirmation', async () => {
    const { server } = await open('/admin/users?tab=proposals', {
      list_credit_proposals_admin: [creditProposal()],
      decide_credit_proposal_admin: creditProposal({ state: 'approved' }),
    });
    await click(screen.getByRole('button', { name: 'Approve: Grant 5,000 bonus credits to Ines Falk' }));
    const dialog = within(screen.getByRole('alertdialog', { name: /^Grant 5,000 bonus credits to Ines Falk ?\?$/ }));
    await click(dialog.getByRole('button', { name: 'Approve' }));
    expect(server.last('decide_credit_proposal_admin')).toEqual({
      p_proposal_id: creditProposal().id,
      p_approve: true,
      p_reason: null,
    });
    expect(messages()).toEqual(['Approved. The credits are booked.']);
  });

  it('keeps the dialog open with the reason when a decision is refused', async () => {
    await open('/admin/users?tab=proposals', {
      list_credit_proposals_admin: [creditProposal()],
      decide_credit_proposal_admin: refusal(409, 'This proposal is decided already.'),
    });
    await click(screen.getByRole('button', { name: /^Decline/ }));
    await click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Decline' }));
    expect(screen.getByText('This proposal is decided already.')).toBeTruthy();
  });

  it.each([
    ['user_1', 'You proposed it: another admin must decide.'],
    ['user_sol', 'It is about your own account: another admin must decide.'],
  ])('offers no decision on an own proposal, proposed by %s', async (proposed_by, sentence) => {
    await open('/admin/users?tab=proposals', {
      list_credit_proposals_admin: [creditProposal({ own: true, proposed_by })],
    });
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(Approve|Decline)/ })).toBeNull();
  });

  it('shows decided proposals with their outcome', async () => {
    const decided = creditProposal({ state: 'declined', decided_at: '2026-11-22T09:00:00.000Z' });
    const { server } = await open('/admin/users?tab=proposals', {
      list_credit_proposals_admin: (body: unknown) =>
        (body as { p_decided?: boolean }).p_decided === true ? [decided] : [],
    });
    await click(screen.getByRole('button', { name: 'Decided' }));
    expect(server.last('list_credit_proposals_admin')).toMatchObject({ p_decided: true });
    expect(screen.getByText('Declined')).toBeTruthy();
  });

  it('counts all open proposals, and pages through them', async () => {
    const { server } = await open('/admin/users?tab=proposals', {
      list_credit_proposals_admin: [creditProposal({ total_count: 25 })],
    });
    expect(screen.getByRole('tab', { name: /^Proposals/ }).textContent).toContain('25');
    expect(screen.getByText('Page 1 of 3')).toBeTruthy();
    await click(screen.getByRole('button', { name: 'Next' }));
    expect(server.last('list_credit_proposals_admin')).toEqual({ p_decided: false, p_limit: 12, p_offset: 12 });
  });

  it('shows payments that need a person with the next step, and looks at a stuck checkout again', async () => {
    const { server } = await open('/admin/users?tab=payments', {
      get_payment_problems: [PAYMENT_PROBLEM],
      list_stuck_checkouts_admin: [STUCK, { ...STUCK, id: 'co_2', session_id: null, status: 'creating' }],
      retry_checkout_admin: { success: true, status: 'credited' },
    });
    expect(screen.getByText('A payment of another amount')).toBeTruthy();
    expect(screen.getByText('Compare it at the processor. Refund it there: nothing was credited.')).toBeTruthy();
    // The one without a session has nothing to look at.
    const [again, ...more] = screen.getAllByRole('button', { name: /^Look again/ });
    expect(more).toEqual([]);
    await click(again!);
    expect(server.last('retry_checkout_admin')).toEqual({ p_session_id: 'cs_stuck' });
    expect(messages()).toEqual(['Looked at again: Credited.']);
  });

  it('dismisses a payment problem with a reason, and never a refund that was ordered', async () => {
    const problem = (kind: string, subject: string) => ({
      subject,
      kind,
      what: 'A paid session without a checkout.',
      attempts: 0,
      first_seen_at: '2026-11-20T10:00:00.000Z',
      last_seen_at: '2026-11-21T10:00:00.000Z',
    });
    const { server } = await open('/admin/users?tab=payments', {
      get_payment_problems: [problem('unknown_session', 'cs_1'), problem('refund_failing', 'refund_1')],
      dismiss_payment_problem: refusal(404, 'There is no such open problem.'),
    });
    const [button, ...more] = screen.getAllByRole('button', { name: /^Dismiss/ });
    expect(more).toEqual([]);
    fireEvent.click(button!);
    const dialog = within(screen.getByRole('alertdialog'));
    const confirm = dialog.getByRole('button', { name: 'Dismiss' });
    expect(confirm).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' Of the shoe shop ' } });
    await click(confirm);
    expect(dialog.getByRole('alert').textContent).toBe('There is no such open problem.');
    server.answer({ dismiss_payment_problem: { success: true } });
    await click(confirm);
    expect(server.last('dismiss_payment_problem')).toEqual({
      p_subject: 'cs_1',
      p_kind: 'unknown_session',
      p_reason: 'Of the shoe shop',
    });
    expect(messages()).toEqual(['The problem was dismissed.']);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('shows two lines a user on phones', async () => {
    screenIs(false);
    await open();
    const [first] = within(screen.getByRole('list', { name: 'Users' })).getAllByRole('listitem');
    expect(first?.textContent).toBe('Ines Falkines.falk@example.com80 credits22 Nov 2026, 08:31');
  });

  it.each(['users', 'proposals', 'payments'])('has no accessibility faults: %s', async (tab) => {
    await open(`/admin/users?tab=${tab}`, {
      list_credit_proposals_admin: [creditProposal()],
      list_stuck_checkouts_admin: [STUCK],
    });
    expect(await accessibilityFaults()).toEqual([]);
  });
});
