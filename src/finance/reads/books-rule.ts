import { type RawBuilder, sql } from 'kysely';
import { PROCESSOR_STREAM } from '../processor/events.js';
import { ACCOUNT } from '../chart-of-accounts.js';

/**
 * The rules of the books for payouts. The accounts in `payout_entry` are those of rule 1. By rule 2, the journal has
 * the creators' share instead of `creatorPayable`, and the bank instead of `payoutsPaid`.
 */

const AFTER = sql`(to_date(month, 'YYYY-MM') + interval '1 month') at time zone 'UTC'`;

/** The first instant of rule 2, as an expression. */
export const RULE_2_BEGINS: RawBuilder<Date> = sql`
  coalesce((select max(${AFTER}) from book_closed_month where creator_share is null), '-infinity'::timestamptz)`;

/** The account of rule 2 for the column `account` of `payout_entry`. */
export const ACCOUNT_OF_RULE_2: RawBuilder<number> = sql`
  case account when ${sql.lit(ACCOUNT.creatorPayable)} then ${sql.lit(ACCOUNT.creatorShare)}::smallint
    when ${sql.lit(ACCOUNT.payoutsPaid)} then ${sql.lit(ACCOUNT.bank)}::smallint else account end`;

/**
 * The lines at the first instant of rule 2 that take what payouts have posted before to the accounts of rule 2, as a
 * select. They belong to the last close of rule 1.
 * @param condition of these lines
 * @param period the lines are not computed unless that instant is in it; null: any
 */
export function correctionLines(
  condition: RawBuilder<unknown>,
  period: { readonly from: Date; readonly to: Date } | null,
): RawBuilder<unknown> {
  const inPeriod = period ? sql`where begins_at >= ${period.from} and begins_at < ${period.to}` : sql``;
  return sql`
    select user_id, version, line, account, event_type, occurred_at, cents, 0::bigint as credits,
      null::text as lot_id, null::text as bought_month, null::text as deduction_id, creator_id,
      null::text as reversal_id, null::timestamptz as payable_at
    from (
      select ${sql.lit(PROCESSOR_STREAM)}::text as user_id, last.version, 'MonthClosed'::text as event_type,
        (row_number() over (order by moved.creator_id, side.account))::integer - 1 as line, side.account,
        last.begins_at as occurred_at, side.cents, moved.creator_id
      from (
        select * from (
          select version, ${AFTER} as begins_at from book_closed_month where creator_share is null
          order by month desc limit 1
        ) as close ${inPeriod}
      ) as last
      cross join lateral (
        select creator_id, account, ${ACCOUNT_OF_RULE_2} as new_account, sum(cents)::bigint as cents from payout_entry
        where account in (${sql.lit(ACCOUNT.creatorPayable)}, ${sql.lit(ACCOUNT.payoutsPaid)})
          and occurred_at < last.begins_at
        group by creator_id, account having sum(cents) <> 0
      ) as moved
      cross join lateral (values (moved.account, 0 - moved.cents), (moved.new_account, moved.cents))
        as side (account, cents)
    ) as correction where ${condition}`;
}
