import { type RawBuilder, sql } from 'kysely';

/**
 * SQL that is true for a payout that a report of the bank has: its line was recorded, or waits for the worker. No file
 * may have it any more.
 */
export function reported(payoutId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from bank_report_line l where l.payout_id = ${payoutId} and l.outcome is distinct from 'refused'
  )`;
}
