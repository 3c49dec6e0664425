import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { AdminTransaction } from '../../../../../src/contract/admin-users.js';
import { adminUser, creditProposal } from '../../../../test/admin-users.js';
import { openAdminPage } from '../../../../test/admin-page.js';
import {
  type Answers,
  accessibilityFaults,
  type FakeServer,
  messages,
  pass,
  refusal,
  screenIs,
  sentence,
  press,
  type,
  click,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { creditTransaction, GRANT, PURCHASE } from '../../../../test/rows.js';
import UserPage from './user-page.js';

const LEDGER: AdminTransaction = {
  ...creditTransaction({ created_at: '2026-11-22T08:30:00.000Z', balance_after: 80, metadata: {} }),
  kind: 'daily',
  event_id: 'e1',
  version: 36,
  total_count: 1,
};
const EVENT = {
  event_id: 'e1',
  stream: 'account-user_ines',
  version: 36,
  type: 'CreditsDeducted',
  occurred_at: '2026-11-22T08:30:00.000Z',
  recorded_at: '2026-11-22T08:30:01.000Z',
  actor_id: 'user_ines',
  causation_id: 'g1',
  data: { amount: 10 },
  hash: 'aa11',
  previous_hash: 'bb22',
  seal: 295,
};
const previewOf = (body: unknown) => {
  const credits = (body as { p_credits: number | null }).p_credits ?? 70;
  return {
    session_id: 'cs_1',
    credits,
    amount_cents: credits * 10,
    unspent: 70,
    balance_before: 80,
    balance_after: 80 - credits,
    spent: 30,
    creators: [],
    refused: credits > 70 ? 'Only 70 credits of this purchase are unspent.' : null,
  };
};
const MONTH = {
  month: '2026-11',
  opening: 0,
  granted: 40,
  bought: 100,
  spent: -60,
  refunded: 10,
  lapsed: -10,
  taken: 0,
  closing: 80,
  total_count: 1,
};
const IMAGE = {
  generation_id: 'g1',
  creator_name: 'Mara Solveig',
  prompt: 'A lighthouse',
  status: 'completed',
  cost: 10,
  error_message: null,
  refunded: false,
  shown: 'visible',
  image: null,
  total_count: 30,
  created_at: '2026-11-22T08:30:00.000Z',
};
const IMAGES = [
  IMAGE,
  { ...IMAGE, generation_id: 'g2', status: 'failed', error_message: 'It timed out.', refunded: true },
  { ...IMAGE, generation_id: 'g3', shown: 'admins' },
  { ...IMAGE, generation_id: 'g4', shown: 'deleted', prompt: '' },
];
const CASE = {
  kind: 'report',
  id: 'g3',
  generation_id: 'g3',
  creator_name: 'Mara Solveig',
  image: null,
  reason: 'hate',
  note: '',
  reports: 2,
  at: '2026-11-21T08:30:00.000Z',
  decision: 'take_down',
  strike: true,
  total_count: 1,
  decided_at: '2026-11-22T08:30:00.000Z',
};
const CORRECTED = { success: true, user_id: 'user_ines' };

describe('/admin/users/{userId}', () => {
  onPage(() => screenIs(true));

  const open = (answers: Answers = {}, tab = '') =>
    openAdminPage(
      <UserPage />,
      `/admin/users/user_ines${tab === '' ? '' : `?tab=${tab}`}`,
      {
        get_user_admin: adminUser(),
        get_user_ledger_admin: [LEDGER],
        get_ledger_event_admin: EVENT,
        get_user_purchases_admin: [PURCHASE],
        list_admin_acts: [],
        get_user_statement_admin: [MONTH],
        get_user_images_admin: IMAGES,
        get_user_reports_admin: (body: unknown) => ((body as { p_about: boolean }).p_about ? [CASE] : []),
        preview_refund_admin: previewOf,
        grant_bonus_credits: CORRECTED,
        adjust_credits: CORRECTED,
        ...answers,
      },
      '/admin/users/:userId',
    );
  const bodies = (server: FakeServer, name: string) => server.bodies(name) as Record<string, unknown>[];
  const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
  const adjust = () => screen.getByRole('region', { name: 'Adjust credits' });

  it('shows the figures of the account, and since when the user is here', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Ines Falk' })).toBeTruthy();
    expect(screen.getByText(sentence('ines.falk@example.com, user_ines, since 14 Nov 2026'))).toBeTruthy();
    const figures = ['Balance80', 'Daily0', 'Bonus10', 'Purchased70', 'Owed0', 'Spent120'];
    const list = screen.getByText('Owed').closest('dl');
    expect([...(list?.children ?? [])].map(({ textContent }) => textContent)).toEqual(figures);
    expect(screen.getByText('Account of 37 events, each chained to the one before.')).toBeTruthy();
  });

  it('unfolds a row of the ledger to its event, neighbour and seal', async () => {
    const { server } = await open();
    expect(server.count('get_ledger_event_admin')).toBe(0);
    await press(/Image generation/);
    expect(server.last('get_ledger_event_admin')).toEqual({ p_user_id: 'user_ines', p_version: 36 });
    for (const text of ['CreditsDeducted', '36 of account-user_ines', 'aa11', 'bb22', '295']) {
      expect(screen.getByText(sentence(text))).toBeTruthy();
    }
    expect(screen.getByText('"amount": 10', { exact: false })).toBeTruthy();
  });

  it('shows what a grant does, and grants after a reason was given', async () => {
    const { server } = await open();
    type('Credits', '20');
    expect(adjust().textContent).toContain('80100bonus 10 to 30');
    expect(button('Grant 20 credits').disabled).toBe(true);
    type('Reason', '  Two pictures came out blank ');
    await press('Grant 20 credits');
    expect(server.last('grant_bonus_credits')).toEqual({
      p_user_id: 'user_ines',
      p_amount: 20,
      p_reason: 'Two pictures came out blank',
      p_grant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(messages()).toEqual(['20 credits granted.']);
    expect(screen.getByLabelText<HTMLInputElement>('Credits').value).toBe('');
    expect(document.activeElement?.textContent).toBe('Adjust credits');
    expect(server.count('get_user_admin')).toBe(2);
  });

  it('keeps the id of a request until it succeeded or the form changed', async () => {
    const { server } = await open({ grant_bonus_credits: refusal(503, 'The ledger does not answer.') });
    type('Credits', '20');
    type('Reason', 'Blank pictures');
    await press('Grant 20 credits');
    expect(screen.getByText('The ledger does not answer.')).toBeTruthy();
    await press('Grant 20 credits');
    type('Credits', '30');
    server.answer({ grant_bonus_credits: CORRECTED });
    await press('Grant 30 credits');
    type('Credits', '30');
    type('Reason', 'Blank pictures');
    await press('Grant 30 credits');
    const [first, second, changed, next] = bodies(server, 'grant_bonus_credits').map(({ p_grant_id: id }) => id);
    expect(second).toBe(first);
    expect(changed).not.toBe(first);
    expect(next).not.toBe(changed);
  });

  it('takes credits away, and never more than the account has', async () => {
    const { server } = await open();
    fireEvent.click(screen.getByRole('radio', { name: 'Take away' }));
    type('Reason', 'Granted twice');
    type('Credits', '81');
    expect(adjust().textContent).toContain('The account has only 80 credits.');
    expect(button('Take 81 credits').disabled).toBe(true);
    type('Credits', '15');
    expect(adjust().textContent).toContain('8065bonus 10 to 0, purchased 70 to 65');
    await press('Take 15 credits');
    expect(server.last('adjust_credits')).toMatchObject({ p_amount: 15, p_reason: 'Granted twice' });
  });

  it('proposes more than the daily limit to a second admin', async () => {
    const proposal = creditProposal({ own: true, proposed_by: 'user_1' });
    const { server } = await open({
      get_user_admin: adminUser({ grant_left_today: 100 }),
      propose_credits_admin: proposal,
    });
    type('Credits', '101');
    type('Reason', 'Prize');
    server.answer({ get_user_admin: adminUser({ grant_left_today: 100, proposals: [proposal] }) });
    await press('Propose to a second admin');
    expect(server.last('propose_credits_admin')).toMatchObject({ p_kind: 'grant', p_amount: 101, p_reason: 'Prize' });
    expect(server.count('grant_bonus_credits')).toBe(0);
    const waiting = within(screen.getByRole('region', { name: 'Waits for a second admin' }));
    expect(waiting.getByText('You proposed it: another admin must decide.')).toBeTruthy();
  });

  it('shows what a refund does before its button, and asks for the name', async () => {
    const { server } = await open(
      { refund_purchase: { success: true, admin_refund_id: 'r', status: 'refunded', credits: 50, amount_cents: 500 } },
      'purchases',
    );
    await press(/^Refund Small/);
    const dialog = within(screen.getByRole('alertdialog', { name: 'Refund Small' }));
    expect(dialog.getByText('70 credits of 70 unspent go back, and $7.00 is returned.')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Credits'), { target: { value: '50' } });
    await pass(100);
    expect(dialog.getByText('The balance goes from 80 to 30.')).toBeTruthy();
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Refund $5.00 for 50 credits' });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Asked for it' } });
    expect(confirm.disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('Type Ines Falk to confirm'), { target: { value: 'ines falk' } });
    await click(confirm);
    expect(server.last('refund_purchase')).toEqual({
      p_session_id: 'cs_1',
      p_credits: 50,
      p_reason: 'Asked for it',
      p_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(messages()).toEqual(['50 credits refunded: $5.00 is on its way.']);
  });

  it('keeps what was read when the role is lost, and takes all acts away', async () => {
    await open({
      get_user_admin: adminUser({ proposals: [creditProposal()] }),
      grant_bonus_credits: refusal(403, 'Admin privileges required'),
    });
    const acts = () => screen.queryAllByRole('button', { name: /^(Grant|Suspend|Approve|Decline)/ });
    expect(acts()).toHaveLength(4);
    type('Credits', '20');
    type('Reason', 'Blank pictures');
    await press('Grant 20 credits');
    expect(screen.getByText(/Your role does not allow this any more/)).toBeTruthy();
    expect(acts()).toEqual([]);
    expect(screen.queryByRole('link', { name: 'Refund a purchase' })).toBeNull();
    expect(screen.queryByLabelText('Credits')).toBeNull();
    expect(screen.getByText('Image generation')).toBeTruthy();
  });

  it('sends a refund whose answer was lost with the same id, also from a new dialog', async () => {
    const { server } = await open({ refund_purchase: refusal(503, 'The processor does not answer.') }, 'purchases');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await press(/^Refund Small/);
      const dialog = within(screen.getByRole('alertdialog'));
      fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Asked for it' } });
      fireEvent.change(dialog.getByLabelText('Type Ines Falk to confirm'), { target: { value: 'Ines Falk' } });
      await click(dialog.getByRole('button', { name: /^Refund \$7/ }));
      expect(dialog.getByText('The processor does not answer.')).toBeTruthy();
      await click(dialog.getByRole('button', { name: 'Cancel' }));
    }
    const [first, second] = bodies(server, 'refund_purchase').map(({ p_request_id: id }) => id);
    expect(second).toBe(first);
  });

  it('says why a refund is not possible', async () => {
    await open({}, 'purchases');
    await press(/^Refund Small/);
    type('Type Ines Falk to confirm', 'Ines Falk');
    const dialog = within(screen.getByRole('alertdialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Asked for it' } });
    fireEvent.change(dialog.getByLabelText('Credits'), { target: { value: '71' } });
    await pass(100);
    expect(dialog.getByText('Only 70 credits of this purchase are unspent.')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Refund' }).disabled).toBe(true);
  });

  it('suspends a fan for days with a reason, and asks for the name when it has no end', async () => {
    const { server } = await open({ suspend_user_admin: { until: null, since: LEDGER.created_at, reason: 'x' } });
    await press('Suspend...');
    const dialog = within(screen.getByRole('alertdialog', { name: 'Suspend Ines Falk' }));
    const confirm = (name: string) => dialog.getByRole<HTMLButtonElement>('button', { name });
    expect(confirm('Suspend for 7 days').disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Pictures of a real person' } });
    expect(confirm('Suspend for 7 days').disabled).toBe(false);
    fireEvent.change(dialog.getByLabelText('How long'), { target: { value: '' } });
    expect(confirm('Suspend until lifted').disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('Type Ines Falk to confirm'), { target: { value: 'Ines Falk' } });
    await click(confirm('Suspend until lifted'));
    expect(server.last('suspend_user_admin')).toEqual({
      p_user_id: 'user_ines',
      p_days: null,
      p_reason: 'Pictures of a real person',
    });
    expect(messages()).toEqual(['[Ines Falk] is suspended.']);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('shows a suspension with its reason, and lifts it', async () => {
    const suspension = { since: '2026-11-20T10:00:00.000Z', until: null, reason: 'Pictures of a real person' };
    const { server } = await open({
      get_user_admin: adminUser({ suspended: true, suspension }),
      lift_suspension_admin: { success: true },
    });
    expect(screen.getByText('Suspended until lifted')).toBeTruthy();
    await press('Lift suspension');
    const dialog = within(screen.getByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'The appeal was right' } });
    await click(dialog.getByRole('button', { name: 'Lift suspension' }));
    expect(server.last('lift_suspension_admin')).toMatchObject({ p_reason: 'The appeal was right' });
    expect(messages()).toEqual(['The suspension of [Ines Falk] is lifted.']);
  });

  it('changes nothing on the own account, and says why', async () => {
    await open({ get_user_admin: adminUser({ own: true }) });
    expect(screen.getByText('This is your own account. Only another admin can change its balance.')).toBeTruthy();
    expect(screen.queryByLabelText('Credits')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Suspend...' })).toBeNull();
  });

  it('shows a closed account without any act', async () => {
    await open({ get_user_admin: adminUser({ closed: true, name: null, email: null }) }, 'purchases');
    expect(screen.getByText('This account is closed. You can read it, and nothing can be changed.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Refund|Suspend|Grant/ })).toBeNull();
  });

  it('shows unspent credits in the order in which they are spent', async () => {
    await open({}, 'lots');
    const lots = within(screen.getByRole('list', { name: 'Unspent credits' })).getAllByRole('listitem');
    expect(textsOf(lots)).toEqual([
      'Bonus lot_1Never expire10',
      'Purchased cs_1Never expire, bought at $0.10 a credit70',
    ]);
  });

  it('lists what admins have done', async () => {
    const act = {
      ...GRANT,
      at: '2026-11-22T08:06:00.000Z',
      subject_id: 'user_ines',
      user_id: 'user_ines',
      before: { balance: 70 },
      after: { balance: 80, amount: 10 },
      reason: 'Timed out',
    };
    const { router, server } = await open({ list_admin_acts: [act], list_admin_actors: [] }, 'acts');
    expect(server.last('list_admin_acts')).toMatchObject({ p_about: 'user_ines', p_kind: null });
    const [row] = within(screen.getByRole('list', { name: 'Acts, the latest first' })).getAllByRole('listitem');
    expect(row!.textContent).toBe(
      'Granted creditsInes Falk22 Nov, 08:06:00Sol Brandtbalance 70 to 80, amount 10: Timed out',
    );
    fireEvent.change(screen.getByLabelText('Act'), { target: { value: 'user.' } });
    await pass(0);
    expect(server.last('list_admin_acts')).toMatchObject({ p_about: 'user_ines', p_kind: 'user.' });
    expect(router.state.location.search).toBe('?tab=acts&act=user.');
    const asked = jest.spyOn(globalThis, 'fetch');
    await press('CSV', 0);
    expect(asked.mock.calls[0]?.[0]).toBe('/exports/admin-acts.csv?p_kind=user.&p_about=user_ines');
    asked.mockRestore();
  });

  it('says when there is no such user', async () => {
    await open({ get_user_admin: refusal(404, 'There is no such user.') });
    expect(screen.getByText('There is no such user')).toBeTruthy();
  });

  it('goes back to the list by Escape, and to the credits by A', async () => {
    const { router } = await open();
    fireEvent.keyDown(document.body, { key: 'a' });
    expect(document.activeElement).toBe(screen.getByLabelText('Credits'));
    (document.activeElement as HTMLElement).blur();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await pass(0);
    expect(router.state.location.pathname).toBe('/admin/users');
  });

  it.each(['ledger', 'lots', 'purchases', 'acts'])('has no accessibility faults: %s', async (tab) => {
    await open({ get_user_admin: adminUser({ proposals: [creditProposal()] }) }, tab);
    if (tab === 'ledger') await press(/Image generation/);
    if (tab === 'purchases') await press(/^Refund Small/);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows the pictures with their status, and pages them', async () => {
    const { server } = await open({ get_user_admin: adminUser({ images: 30 }) }, 'pictures');
    expect(screen.getByRole('tab', { name: /^Pictures/ }).textContent).toContain('30');
    const rows = within(screen.getByRole('list', { name: 'Pictures' })).getAllByRole('listitem');
    expect(
      rows.map(({ textContent }) => /Delivered|Failed, refunded|Taken down|Deleted/.exec(textContent ?? '')?.[0]),
    ).toEqual(['Delivered', 'Failed, refunded', 'Taken down', 'Deleted']);
    expect(screen.getByText('It timed out.')).toBeTruthy();
    await press('Next');
    expect(server.last('get_user_images_admin')).toEqual({ p_user_id: 'user_ines', p_limit: 12, p_offset: 12 });
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows reports about and by the user, with strikes', async () => {
    await open({ get_user_admin: adminUser({ strikes: 1 }) }, 'reports');
    expect(screen.getByText(/^1 strike\. From 3 strikes on/)).toBeTruthy();
    const about = screen.getByRole('list', { name: 'About pictures of this user' });
    expect(about.textContent).toContain('2 reports');
    expect(about.textContent).toContain('Strike');
    expect(screen.getByText('This user has reported nothing')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('opens the statement by its button: what came and went each month', async () => {
    await open();
    await click(screen.getByRole('link', { name: 'Statement' }), 1000);
    const row = within(screen.getByRole('row', { name: /Nov 2026/ }));
    expect(textsOf(row.getAllByRole('cell'))).toEqual([...['0', '40', '100', '−60', '10', '−10', '0', '80']]);
    expect(await accessibilityFaults()).toEqual([]);
  });
});
