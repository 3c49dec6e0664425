import { type PageAfter } from '../../platform/messages.js';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type TransactionKind } from '../processor/events.js';
import { type FinanceTables } from '../tables.js';
import { type EntryPeriod } from './entry-sums.js';

/** Kinds of transactions that are compared with the ledger, as the column `differs` has them. */
const COMPARED = sql`('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other')`;

/** Whether a transaction `t` differs from the ledger. */
export const DIFFERS: RawBuilder<boolean> = sql`t.differs`;

/** Whether the line of the ledger in a row has a transaction. @param alias of the row */
export function hasTransaction(alias: string): RawBuilder<boolean> {
  const line = sql.id(alias);
  return sql`exists (
    select from processor_transaction as its where its.session_id = ${line}.session_id and its.kind = ${line}.kind
      and its.reversal_id is not distinct from ${line}.reversal_id
  )`;
}

/** A difference, as it is read. */
export interface DifferenceRow {
  readonly since: Date;
  /** The transaction, or the place of the ledger's line. */
  readonly id: string;
  readonly side: 'processor' | 'ledger';
  readonly kind: TransactionKind;
  readonly processor_cents: number;
  readonly ledger_cents: number;
  readonly session_id: string | null;
  /** True when the ledger has it, with another amount. */
  readonly matched: boolean;
  readonly payment_intent_id: string | null;
  readonly source_id: string | null;
  readonly order_id: string | null;
  readonly reversal_id: string | null;
  /** The account of the ledger's line; null for transactions. */
  readonly user_id: string | null;
  readonly version: number;
  /** When the amounts of its payment, or of its reversal, came to add up to nothing; null: they do not. */
  readonly ended_at: Date | null;
}

/** Transactions that differ. A payment whose money was returned outside the ledger has ended. */
function transactions(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select t.created_at as since, t.transaction_id as id, 'processor' as side, t.kind, t.gross_cents as processor_cents,
      t.matched_cents as ledger_cents, coalesce(t.session_id, s.session_id) as session_id,
      t.session_id is not null as matched, t.payment_intent_id, t.source_id, t.order_id, t.reversal_id,
      null::text as user_id, t.version, case when payment.open = 0 then payment.last_at end as ended_at
    from processor_transaction t
    left join lateral (
      select session_id from reconciliation_session looked where looked.transaction_id = t.transaction_id limit 1
    ) as s on true
    left join lateral (
      select sum(o.gross_cents - o.matched_cents) as open, max(o.created_at) as last_at
      from processor_transaction o
      where o.payment_intent_id = t.payment_intent_id and o.payment_intent_id is not null and o.kind in ${COMPARED}
    ) as payment on true
    where ${DIFFERS} ${condition}`;
}

/** Lines of the ledger without a transaction. A reversal that the ledger has taken back has ended. */
function lines(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select g.occurred_at as since, concat_ws(':', g.user_id, g.version, g.line) as id, 'ledger' as side, g.kind,
      0::bigint as processor_cents, g.cents as ledger_cents, g.session_id, false as matched,
      null::text as payment_intent_id, null::text as source_id, null::text as order_id, g.reversal_id,
      g.user_id, g.version, case when pair.open = 0 then pair.last_at end as ended_at
    from reconciliation_gap g
    left join lateral (
      select sum(o.cents) as open, max(o.occurred_at) as last_at from reconciliation_gap o
      where o.session_id = g.session_id and o.ended_at is null and o.reversal_id is not distinct from g.reversal_id
        and not ${hasTransaction('o')}
    ) as pair on true
    where g.ended_at is null and not ${hasTransaction('g')} ${condition}`;
}

/** Where a page ends. */
export type DifferenceCursor = Pick<DifferenceRow, 'since' | 'id'>;

/** A page of the differences that began in a period, the latest first. @param after null: from the latest one */
export async function readDifferences(
  db: Kysely<FinanceTables>,
  { from, to }: EntryPeriod,
  { after, limit }: PageAfter<DifferenceCursor>,
): Promise<readonly DifferenceRow[]> {
  const since = (time: RawBuilder<unknown>) =>
    after === null
      ? sql`and ${time} >= ${from} and ${time} < ${to}`
      : sql`and ${time} >= ${from} and ${time} < ${to} and ${time} <= ${after.since}`;
  const behind =
    after === null ? sql`` : sql`where (since, id) < (${after.since}::timestamptz, ${after.id}::text collate "C")`;
  const { rows } = await sql<DifferenceRow>`
    select * from (
      ${transactions(since(sql`t.created_at`))} union all ${lines(since(sql`g.occurred_at`))}
    ) as difference ${behind}
    order by since desc, id collate "C" desc limit ${limit}`.execute(db);
  return rows;
}

/** The number of open differences of all time. */
export async function countOpen(db: Kysely<FinanceTables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${transactions(sql``)} union all ${lines(sql``)}) as difference
    where ended_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The open differences of all time, and those of them that began in a period. */
export interface OpenSums {
  readonly count: number;
  readonly cents: number;
  readonly since: Date | null;
  readonly period_count: number;
  readonly period_cents: number;
  readonly period_since: Date | null;
}

/** A UTC day with the differences that were open at its end; of the last day: now. */
export interface OpenDay {
  readonly day: Date;
  readonly open: number;
}

/**
 * Sums of the open differences, and their numbers at the end of each day from `first` to `now`, the oldest first. One
 * statement, because both read the same rows.
 */
export async function readOpen(
  db: Kysely<FinanceTables>,
  { period, first, now }: { readonly period: EntryPeriod; readonly first: Date; readonly now: Date },
): Promise<{ readonly sums: OpenSums; readonly days: readonly OpenDay[] }> {
  const inPeriod = sql`since >= ${period.from} and since < ${period.to}`;
  const { rows } = await sql<OpenSums & OpenDay>`
    with difference as materialized (
      select since, ended_at, processor_cents - ledger_cents as cents
      from (${transactions(sql``)} union all ${lines(sql``)}) as remaining
      where ended_at is null or ended_at >= ${first}
      union all
      select t.created_at, e.occurred_at, 0 from processor_entry e join processor_transaction t using (transaction_id)
      where e.account = ${sql.lit(ACCOUNT.unmatchedCash)} and e.event_type = 'TransactionMatched'
        and e.occurred_at >= ${first} and t.gross_cents = t.matched_cents
      union all
      select occurred_at, ended_at, 0 from reconciliation_gap where ended_at is not null and ended_at >= ${first}
    ), sums as (
      select count(*)::integer as count, coalesce(sum(cents), 0)::bigint as cents, min(since) as since,
        count(*) filter (where ${inPeriod})::integer as period_count,
        coalesce(sum(cents) filter (where ${inPeriod}), 0)::bigint as period_cents,
        min(since) filter (where ${inPeriod}) as period_since
      from difference where ended_at is null
    )
    select sums.*, day, (
        select count(*) from difference
        where since < least(day + interval '24 hours', ${now}::timestamptz + interval '1 millisecond')
          and (ended_at is null or ended_at > least(day + interval '24 hours', ${now}::timestamptz))
      )::integer as open
    from generate_series(${first}::timestamptz, ${now}::timestamptz, interval '24 hours') as day cross join sums
    order by day`.execute(db);
  const [sums] = rows;
  if (!sums) throw new Error('There is no day from the first one to now.');
  return { sums, days: rows };
}

/** The ledger's lines without a transaction in a period. */
export function gapsIn({ from, to }: EntryPeriod): RawBuilder<unknown> {
  return sql`
    select g.kind, g.cents from reconciliation_gap g
    where g.ended_at is null and not ${hasTransaction('g')} and g.occurred_at >= ${from} and g.occurred_at < ${to}`;
}
