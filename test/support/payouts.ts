import { AddApprovedCreator } from '../../src/creators/index.js';
import { PayoutRunner } from '../../src/finance/workers/payout-runner.js';
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
  const handle = userId.slice(-10).replace(/\W/g, '_');
  const { creatorId } = await app.commands.execute(
    new AddApprovedCreator({
      ...{ clerkId: userId, name, email: `${handle}@fanvas.test`, instagram: `@c${handle}`, twitter: null },
      ...{ onlyfans: null, bio: '', style: null, profile: null, deploymentName: `fanvas/${handle}` },
    }),
  );
  return creatorId;
}
