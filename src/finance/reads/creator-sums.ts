import { type RawBuilder, sql } from 'kysely';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type CreatorSums } from '../creator-money.js';
import { startOf } from './book-sums.js';

/**
 * A select of `creator_id` and {@link CreatorSums} of creators before an instant. Each is read from the months before
 * it, the days of its month and the lines of its day.
 * @param creators a select of `creator_id`
 */
export function sumsOfCreators(creators: RawBuilder<unknown>, before: Date): RawBuilder<SummedCreator> {
  const creator = sql<string>`page.creator_id`;
  return sql<SummedCreator>`
    select page.creator_id, ${shareBefore(creator, before)} as earned,
      ${dueBefore(creator, before)} as "dueShare", payouts.taken::bigint as taken, payouts.paid::bigint as paid
    from (${creators}) as page
    cross join lateral (
      select coalesce(sum(cents) filter (where account = ${ACCOUNT.creatorPayable}), 0) as taken,
        coalesce(-sum(cents) filter (where account = ${ACCOUNT.payoutsPaid}), 0) as paid
      from payout_entry where creator_id = page.creator_id and occurred_at < ${before}
    ) as payouts
    order by page.creator_id`;
}

/** The sums of a creator. */
export type SummedCreator = CreatorSums & { readonly creator_id: string };

/** A select of `creator_id` of creators with earnings, in the order of their ids. */
export function creatorsAfter(after: string, limit: number): RawBuilder<unknown> {
  return sql`
    select distinct creator_id from book_creator_sum
    where unit = 'month' and account = ${ACCOUNT.creatorShare} and creator_id > ${after}
    order by creator_id limit ${limit}`;
}

/** A select of `creator_id` of these creators. */
export function theseCreators(ids: readonly string[]): RawBuilder<unknown> {
  return sql`select unnest(${ids}::text[]) as creator_id`;
}

/** The cents that a creator earned before an instant, without payouts. @param creator an expression */
export function shareBefore(creator: RawBuilder<string>, before: Date): RawBuilder<number> {
  return sharesBefore(creator, before, 'occurred_at');
}

/** The cents of a creator that became payable before an instant, before payouts. @param creator an expression */
export function dueBefore(creator: RawBuilder<string>, before: Date): RawBuilder<number> {
  return sharesBefore(creator, before, 'payable_at');
}

/** The sums of `creatorPayable` are those of the shares by the time when they become payable. */
const SUMS_BY = { occurred_at: ACCOUNT.creatorShare, payable_at: ACCOUNT.creatorPayable } as const;

function sharesBefore(creator: RawBuilder<string>, before: Date, time: keyof typeof SUMS_BY): RawBuilder<number> {
  const month = startOf('month', before);
  const day = startOf('day', before);
  const sums = sql`select cents from book_creator_sum where account = ${SUMS_BY[time]} and creator_id = ${creator}`;
  return sql<number>`(
    select coalesce(-sum(cents), 0)::bigint from (
      ${sums} and unit = 'month' and starts_at < ${month}
      union all
      ${sums} and unit = 'day' and starts_at >= ${month} and starts_at < ${day}
      union all
      select cents from book_entry where account = ${sql.lit(ACCOUNT.creatorShare)} and creator_id = ${creator}
        and ${sql.ref(time)} >= ${day} and ${sql.ref(time)} < ${before}
    ) as parts
  )`;
}

/**
 * The debts of creators at an instant, US cents: payouts of each that its payable share does not cover any more. Only
 * creators with payouts can owe something.
 */
export function debtSum(at: Date): RawBuilder<number> {
  return sql<number>`
    with taken as materialized (
      select creator_id, sum(cents) as cents from payout_entry
      where account = ${ACCOUNT.creatorPayable} and occurred_at <= ${at} group by creator_id having sum(cents) > 0
    )
    select coalesce(sum(greatest(0, taken.cents - due.cents)), 0)::bigint as cents
    from taken
    cross join lateral (select ${dueBefore(sql<string>`taken.creator_id`, afterAt(at))} as cents) as due`;
}

/** The first instant after an instant. Events have milliseconds. */
export function afterAt(at: Date): Date {
  return new Date(at.getTime() + 1);
}
