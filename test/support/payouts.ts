import { v7 } from 'uuid';
import { referenceOf } from '../../src/finance/runs/payout-ids.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { DraftPayoutRun } from '../../src/finance/use-cases/draft-payout-run.js';
import { RecordTransfers } from '../../src/finance/use-cases/record-transfers.js';
import { PayoutRunner } from '../../src/finance/workers/payout-runner.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { type ManualClock } from '../../src/platform/clock.js';
import { addingCreator } from './adding-creator.js';
import { asOwner } from './database.js';
import { type TestApp } from './test-app.js';

/** Runs a statement as the owner of the tables. @returns its rows */
export async function query(app: TestApp, text: string, values: unknown[] = []): Promise<never[]> {
  return (await asOwner(app).query(text, values)).rows as never[];
}

/**
 * Empties the tables of payouts and of earnings, and begins the books on 1 January 2026. The rows that {@link earn}
 * adds are not made from events, so the books must not be rebuilt.
 */
export async function emptyPayouts(app: TestApp): Promise<void> {
  await app.get(PayoutRunner).tick();
  await query(
    app,
    `truncate event, payout, payout_hold, payout_entry, payout_sum, payout_run, payout_run_creator, payout_file,
       bank_report, bank_report_line, book_creator_sum, book_entry, creator_payout_details`,
  );
  await query(
    app,
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
     values ('fan', 0, 0, 1010, 'CreditsPurchased', '2026-01-01Z', 0, 0)`,
  );
}

/** Earnings of creators, US cents, that became payable on a day. */
export async function earn(app: TestApp, creatorIds: readonly string[], cents: number, day: string): Promise<void> {
  await query(
    app,
    `insert into book_creator_sum (creator_id, account, unit, starts_at, cents)
     select id, account, unit, date_trunc(unit, $2::timestamptz, 'UTC'), $3::bigint
     from unnest($1::text[]) as id, unnest(array[2100, 2120]) as account, unnest(array['day', 'month']) as unit
     on conflict (unit, account, creator_id, starts_at) do update set cents = book_creator_sum.cents + excluded.cents`,
    [creatorIds, `${day}T00:00:00Z`, -cents],
  );
}

/** Waits until the worker has carried out what was decided. */
export async function carryOut(app: TestApp): Promise<void> {
  // The first run may have begun before the decision.
  await app.get(PayoutRunner).tick();
  await app.get(PayoutRunner).tick();
}

/** An approved creator. @param userId at least ten characters, its last ones unique */
export async function approvedCreator(app: TestApp, userId: string, name = 'Aria Vale'): Promise<string> {
  const { creatorId } = await app.commands.execute(
    addingCreator(`c${userId.slice(-10).replace(/\W/g, '_')}`, { clerkId: userId, name }),
  );
  return creatorId;
}

const person = (userId: string, role: Actor['role']): Actor => ({ userId, role, requestId: null, address: null });
/** Drafts runs. */
export const FINANCE = person('finance_fay', 'finance');
/** Fixes and checks them. */
export const ADMIN = person('admin_ada', 'admin');

/** Saves payout details as the creator does. @throws when they are refused */
export async function saveDetails(
  app: TestApp,
  userId: string,
  { account = 'DE89370400440532013000', legalName = 'Aria Vale' } = {},
): Promise<void> {
  const details = { p_legal_name: legalName, p_country: 'DE', p_account: account, p_tax_status: 'business' };
  const { status } = await app.rpc('save_own_payout_details_by_jwt', userId, details);
  if (status !== 200) throw new Error(`The payout details of ${userId} were answered with ${status}.`);
}

/** The same on a day, which is past: details can be used some days after they were saved. */
export async function saveDetailsOn(
  app: TestApp,
  clock: ManualClock,
  userId: string,
  { day = '2026-01-01', ...details }: { day?: string } & Parameters<typeof saveDetails>[2] = {},
): Promise<void> {
  const now = clock.now();
  clock.set(new Date(`${day}T09:00:00Z`));
  await saveDetails(app, userId, details);
  clock.set(now);
}

/** Records that the bank has paid a payout. @param dollars with two decimals */
export async function recordTransfer(
  app: TestApp,
  payoutId: string,
  dollars: string,
  { paidOn = '2026-11-19', reference = `BANK-${dollars}` } = {},
): Promise<void> {
  const file = `${referenceOf(payoutId)},${dollars},${paidOn},"${reference}"\n`;
  await app.commands.execute(new RecordTransfers({ file, by: ADMIN }));
  await carryOut(app);
}

/** A run that has come to a step. @param cutoff null: the latest one. @param between called after each step */
export async function payoutRun(
  app: TestApp,
  until: 'draft' | 'fix' | 'check',
  { cutoff = null, between = () => undefined }: { cutoff?: Date | null; between?: () => void } = {},
): Promise<string> {
  const runId = v7();
  await app.commands.execute(new DraftPayoutRun({ runId, cutoff, by: FINANCE }));
  await carryOut(app);
  for (const step of ['fix', 'check'] as const) {
    if (until === 'draft' || (until === 'fix' && step === 'check')) break;
    between();
    await app.commands.execute(new AdvancePayoutRun({ runId, step, by: ADMIN, reason: null }));
    await carryOut(app);
  }
  between();
  return runId;
}
