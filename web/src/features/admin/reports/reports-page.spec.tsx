import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { ModerationCase, ModerationCaseRow } from '../../../../../src/contract/moderation.js';
import { moderationCase, moderationRow } from '../../../../test/moderation.js';
import { openAdminPage } from '../../../../test/admin-page.js';
import {
  type Answers,
  accessibilityFaults,
  messages,
  never,
  pass,
  refusal,
  screenIs,
  sentence,
  click,
  onPage,
  pressKey,
} from '../../../../test/page.js';
import { shownToasts } from '../../../components/toast.js';
import ReportsPage from './reports-page.js';

const ROWS: readonly ModerationCaseRow[] = [
  moderationRow({ id: 'a', total_count: 3 }),
  moderationRow({
    id: 'b',
    kind: 'take_down',
    reason: 'creator_request',
    creator_name: 'Juno Abara',
    due_at: '2026-11-21T07:00:00Z',
    overdue: true,
    total_count: 3,
  }),
  moderationRow({ id: 'c', reason: 'hate', creator_name: 'Teo Lumen', reports: 1, total_count: 3 }),
];

const caseOf = (body: unknown): ModerationCase => {
  const { p_id: id } = body as { p_id: string };
  const row = ROWS.find((each) => each.id === id) ?? moderationRow();
  return moderationCase({ ...row, request_reason: row.kind === 'take_down' ? 'Winter sale at the museum' : null });
};

const DECIDED = { success: true, act_id: 'act_1', undo_until: '2026-11-23T09:40:00Z', strikes: 1, suspended: false };

describe('/admin/reports', () => {
  let keys: number;

  onPage(() => {
    screenIs(true);
    keys = 0;
  });

  const open = (answers: Answers = {}, address = '/admin/reports') =>
    openAdminPage(<ReportsPage />, address, {
      get_admin_counts: { applications: 0, reports: 3, urgent: 0 },
      list_moderation_cases: ROWS,
      get_moderation_case: caseOf,
      decide_moderation_case: DECIDED,
      undo_moderation_act: { success: true },
      ...answers,
    });
  /** A key on what has the focus, as a person presses it. */
  const press = (key: string, more: object = {}): Promise<void> => {
    keys += 1;
    return pressKey(key, more);
  };
  const region = (name: string) => within(screen.getByRole('region', { name }));

  it('opens the first case, with everything about it', async () => {
    await open();
    const detail = region('A real person, degraded or without their consent');
    expect(detail.getByText('my teacher Mr. H. in the corner, everybody laughing')).toBeTruthy();
    expect(detail.getByText('2 pictures, no earlier report')).toBeTruthy();
    expect(detail.getByText('10 free credits, earns nothing')).toBeTruthy();
    expect(detail.getByText('“This is a teacher of our school.”')).toBeTruthy();
  });

  it.each([
    ['1', 'keep', 'Kept.'],
    ['2', 'hide', 'Picture hidden.'],
    ['3', 'take_down', 'Picture taken down. Its files are deleted in 24 hours.'],
  ])('decides a report with three keys at most: %s, then Ctrl and Enter', async (key, decision, message) => {
    const { server } = await open();
    await press(key);
    await press('Enter', { ctrlKey: true });
    expect(server.last('decide_moderation_case')).toMatchObject({
      p_kind: 'report',
      p_id: 'a',
      p_decision: decision,
      p_note: decision === 'keep' ? null : 'Shows a real person without their consent (Community Guidelines).',
    });
    expect(messages()).toEqual([message]);
    // Ctrl is a key of its own.
    expect(keys + 1).toBeLessThanOrEqual(3);
  });

  it('moves the focus to the next row after a decision', async () => {
    await open();
    await press('3');
    await press('Enter', { ctrlKey: true });
    expect(document.activeElement?.textContent).toContain('Asked for by the creator: take-down');
    expect(screen.queryAllByText(sentence('Odile Marsh, 3 reports'))).toEqual([]);
    expect(region('Asked for by the creator: take-down').getByText('“Winter sale at the museum”')).toBeTruthy();
  });

  it('takes the decisions and their keys away when the role is lost, and keeps the case', async () => {
    const { server } = await open({ decide_moderation_case: refusal(403, 'Admin privileges required') });
    await press('1');
    await press('Enter', { ctrlKey: true });
    expect(screen.getByText(/Your role does not allow this any more/)).toBeTruthy();
    expect(screen.queryByRole('form', { name: 'Decide' })).toBeNull();
    await press('2');
    await press('Enter', { ctrlKey: true });
    expect(server.count('decide_moderation_case')).toBe(1);
    const detail = region('A real person, degraded or without their consent');
    expect(detail.getByText('10 free credits, earns nothing')).toBeTruthy();
  });

  it('undoes the last decision by U, and the case is in the list again', async () => {
    const { server } = await open();
    await press('1');
    await press('Enter', { ctrlKey: true });
    await press('u');
    expect(server.last('undo_moderation_act')).toEqual({ p_act_id: 'act_1' });
    expect(screen.getByText(sentence('Odile Marsh, 3 reports'))).toBeTruthy();
  });

  it('undoes by the button of the message, too', async () => {
    const { server } = await open();
    await press('2');
    await press('Enter', { ctrlKey: true });
    await act(async () => shownToasts()[0]?.action?.onClick());
    expect(server.count('undo_moderation_act')).toBe(1);
  });

  it('moves by J and K, and the list is one tab stop', async () => {
    await open();
    await press('j');
    await press('j');
    await press('k');
    const rows = screen.getAllByRole('button', { name: /report|take-down/ }).filter(({ id }) => id.startsWith('row-'));
    expect(rows.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
    expect(document.activeElement).toBe(rows[1]);
  });

  it('veils pictures until they are opened, and all of them by V', async () => {
    await open();
    const veils = (): number => document.querySelectorAll('.blur-\\[9px\\]').length;
    expect(veils()).toBe(2);
    await press('v');
    expect(veils()).toBe(4);
  });

  it('says what a decision does before the button, and who broke the rules before', async () => {
    const offender = moderationCase({ id: 'a' });
    const maker = { ...offender.maker, strikes: 2, reported_before: 4 };
    await open({ get_moderation_case: { ...offender, maker } });
    expect(screen.getByText('2 of 3 strikes')).toBeTruthy();
    await press('3');
    expect(screen.getByText('The maker is suspended for 30 days, because of 3 strikes.')).toBeTruthy();
    expect(screen.getByText('The ledger is left alone: what was settled stays settled, nothing was earned by it.'));
  });

  it('sends blocking, suspension and goodwill with the decision', async () => {
    const { server } = await open();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Block this prompt for Odile Marsh' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Suspend the fan' }), { target: { value: '7' } });
    fireEvent.change(screen.getByRole('spinbutton', { name: 'Goodwill, bonus credits' }), { target: { value: '20' } });
    fireEvent.click(screen.getByRole('radio', { name: /^Keep/ }));
    await click(screen.getByRole('button', { name: /^Keep/ }));
    expect(server.last('decide_moderation_case')).toMatchObject({
      p_decision: 'keep',
      p_block_prompt: true,
      p_suspend_days: 7,
      p_goodwill_credits: 20,
    });
  });

  it('asks for a note before an image is hidden', async () => {
    const { server } = await open();
    await press('2');
    fireEvent.change(screen.getByRole('textbox', { name: 'Note that the owner reads' }), { target: { value: ' ' } });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Hide/ }).disabled).toBe(true);
    await press('Enter', { ctrlKey: true });
    expect(server.count('decide_moderation_case')).toBe(0);
  });

  it('offers only the confirmation of a refused prompt', async () => {
    const refused = moderationRow({ id: 'r', kind: 'refusal', reason: 'hate', image: null, generation_id: null });
    const { server } = await open({
      list_moderation_cases: [refused],
      get_moderation_case: moderationCase({ ...refused, paid_with: null, delivered_at: null, open_reports: [] }),
    });
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    await press('3');
    await press('1');
    await press('Enter', { ctrlKey: true });
    expect(server.last('decide_moderation_case')).toMatchObject({ p_kind: 'refusal', p_decision: 'keep' });
    expect(screen.getByText('All reports are decided')).toBeTruthy();
  });

  it('stays on a case that was refused, with the reason', async () => {
    await open({ decide_moderation_case: refusal(409, 'Another admin has already decided this case.') });
    await press('1');
    await press('Enter', { ctrlKey: true });
    expect(screen.getByText('Another admin has already decided this case.')).toBeTruthy();
    expect(screen.getByText(sentence('Odile Marsh, 3 reports'))).toBeTruthy();
  });

  it('shows a decided case again once a later list has it: a new report has opened it', async () => {
    let listed: readonly ModerationCaseRow[] = ROWS.slice(0, 1);
    const { server } = await open({
      list_moderation_cases: () => listed,
      decide_moderation_case: () => {
        listed = [];
        return DECIDED;
      },
    });
    await press('1');
    await press('Enter', { ctrlKey: true });
    expect(screen.getByText('All reports are decided')).toBeTruthy();
    const loads = server.count('list_moderation_cases');
    listed = ROWS.slice(0, 1);
    await pass(60_000);
    expect(server.count('list_moderation_cases')).toBeGreaterThan(loads);
    expect(screen.getByText(sentence('Odile Marsh, 3 reports'))).toBeTruthy();
  });

  it('shows a refusal at its case only, and in a message with the name once another admin has decided it', async () => {
    const message = 'Another admin has already decided this case.';
    const { server } = await open({ decide_moderation_case: refusal(409, message) });
    await press('1');
    await press('Enter', { ctrlKey: true });
    await press('j');
    expect(screen.queryByText(message)).toBeNull();
    await press('k');
    expect(screen.getByText(message)).toBeTruthy();
    server.answer({ list_moderation_cases: ROWS.slice(1) });
    await press('Enter', { ctrlKey: true });
    expect(region('Asked for by the creator: take-down').queryByText(message)).toBeNull();
    expect(messages()).toEqual([`[Odile Marsh]: ${message}`]);
  });

  it('says in a message that an undo failed, and not at the next case', async () => {
    const message = 'This decision cannot be undone any more.';
    await open({ undo_moderation_act: refusal(409, message) });
    await press('1');
    await press('Enter', { ctrlKey: true });
    await press('u');
    expect(screen.queryByText(message)).toBeNull();
    expect(messages()).toEqual(['Kept.', message]);
  });

  it('keeps a half-made decision while another case is open, and forgets it once it is sent', async () => {
    const { server } = await open();
    const decision = (): (string | boolean)[] => [
      screen.getByRole<HTMLInputElement>('radio', { name: /^Hide/ }).checked,
      screen.getByRole<HTMLInputElement>('checkbox', { name: /^Block this prompt/ }).checked,
      screen.queryByRole<HTMLTextAreaElement>('textbox', { name: 'Note that the owner reads' })?.value ?? '',
    ];
    await press('2');
    fireEvent.click(screen.getByRole('checkbox', { name: /^Block this prompt/ }));
    const note = screen.getByRole('textbox', { name: 'Note that the owner reads' });
    fireEvent.change(note, { target: { value: 'Half a note' } });
    await press('j');
    expect(decision()).toEqual([false, false, '']);
    await press('k');
    expect(decision()).toEqual([true, true, 'Half a note']);
    await press('Enter', { ctrlKey: true });
    await press('u');
    expect(server.last('decide_moderation_case')).toMatchObject({ p_id: 'a', p_note: 'Half a note' });
    await press('k');
    expect(screen.getByText(sentence('Odile Marsh, 3 reports'))).toBeTruthy();
    expect(decision()).toEqual([false, false, '']);
  });

  it('never decides a case before its facts are there', async () => {
    const { server } = await open({ get_moderation_case: never });
    await press('1');
    await press('Enter', { ctrlKey: true });
    expect(server.count('decide_moderation_case')).toBe(0);
  });

  it('shows how long a take-down is overdue', async () => {
    await open();
    expect(screen.getAllByText(/overdue$/).length).toBe(1);
  });

  it('undoes a decision in the tab of decided cases', async () => {
    const decided = moderationRow({ id: 'd', decision: 'hide', decided_at: '2026-11-22T09:00:00Z' });
    const undo = { act_id: 'act_9', until: '2026-11-23T09:00:00Z' };
    const { server } = await open(
      { list_moderation_cases: [decided], get_moderation_case: moderationCase({ ...decided, undo }) },
      '/admin/reports?tab=decided',
    );
    expect(server.last('list_moderation_cases')).toMatchObject({ p_decided: true });
    await press('u');
    expect(server.last('undo_moderation_act')).toEqual({ p_act_id: 'act_9' });
  });

  it('replaces a page of the address that is after the last one', async () => {
    const { router } = await open(
      { list_moderation_cases: ({ p_offset: from }: { readonly p_offset: number }) => (from === 0 ? ROWS : []) },
      '/admin/reports?page=3',
    );
    expect(screen.getByText(sentence('Odile Marsh, 3 reports'))).toBeTruthy();
    expect(router.state.location.search).toBe('?page=1');
    expect(router.state.historyAction).toBe('REPLACE');
  });

  it('filters by reason and creator, in the address', async () => {
    const { server, router } = await open();
    fireEvent.change(screen.getByRole('combobox', { name: 'Reason' }), { target: { value: 'hate' } });
    await pass(100);
    expect(server.last('list_moderation_cases')).toMatchObject({ p_reason: 'hate' });
    expect(router.state.location.search).toBe('?reason=hate');
  });

  it('shows the list first on a phone, then the case with a way back', async () => {
    screenIs(false);
    await open();
    expect(screen.queryByRole('region', { name: /^A real person/ })).toBeNull();
    await click(screen.getByText(sentence('Odile Marsh, 3 reports')), 1000);
    expect(screen.queryByText(sentence('Teo Lumen, 1 report'))).toBeNull();
    await click(screen.getByRole('button', { name: 'Back to the list' }));
    expect(screen.getByText(sentence('Teo Lumen, 1 report'))).toBeTruthy();
  });

  it('offers another try when the queue cannot be loaded', async () => {
    await open({ list_moderation_cases: refusal(500, 'broken') });
    await pass(60_000);
    expect(screen.getByText('Failed to load reports. Please try again.')).toBeTruthy();
  });

  it('has no accessibility faults', async () => {
    await open();
    await press('3');
    expect(await accessibilityFaults()).toEqual([]);
  });
});
