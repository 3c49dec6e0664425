import { type RawBuilder, sql } from 'kysely';
import { ACCOUNT } from '../chart-of-accounts.js';
import { startOf } from './book-sums.js';

/**
 * The debts of creators at an instant, US cents: payouts of each that its payable share does not cover any more. Only
 * creators with payouts can owe something.
 */
export function debtSum(at: Date): RawBuilder<number> {
  const [month, day] = [startOf('month', at), startOf('day', at)];
  return sql<number>`
    with taken as materialized (
      select creator_id, sum(cents) as cents from payout_entry
      where account = ${ACCOUNT.creatorPayable} and occurred_at <= ${at} group by creator_id having sum(cents) > 0
    ), today as materialized (
      select creator_id, sum(cents) as cents from book_entry
      where account = ${sql.lit(ACCOUNT.creatorShare)} and payable_at >= ${day} and payable_at <= ${at}
        and exists (select from taken) group by creator_id
    )
    select coalesce(sum(greatest(0, taken.cents + share.cents + coalesce(today.cents, 0))), 0)::bigint as cents
    from taken
    cross join lateral (
      select coalesce(sum(cents), 0) as cents
      from (
        select cents from book_creator_sum s
        where unit = 'month' and account = ${ACCOUNT.creatorPayable} and s.creator_id = taken.creator_id
          and starts_at < ${month}
        union all
        select cents from book_creator_sum s
        where unit = 'day' and account = ${ACCOUNT.creatorPayable} and s.creator_id = taken.creator_id
          and starts_at >= ${month} and starts_at < ${day}
      ) as parts
    ) as share
    left join today on today.creator_id = taken.creator_id`;
}
