import { type Kysely, sql } from 'kysely';
import { monthOf } from '../../revenue/index.js';
import { ACCOUNT, type AccountNumber } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { balancesAt } from './balances.js';
import { ACCOUNT_OF_RULE_2, RULE_2_BEGINS } from './books-rule.js';
import { OF_PAYOUTS, postedBalance } from './creator-balances.js';
import { shareBefore } from './creator-sums.js';

/** Entries in a period: from `from` (inclusive) to `to` (exclusive). */
export interface EntryPeriod {
  readonly from: Date;
  readonly to: Date;
}

/** Entries of some accounts. */
export interface AccountEntries extends EntryPeriod {
  readonly accounts: readonly number[];
  /** Null: of all creators. */
  readonly creatorId: string | null;
  /** YYYY-MM; null: of all months of purchase. */
  readonly boughtMonth: string | null;
}

/** Debit positive, credit negative. */
export interface EntrySum {
  readonly cents: number;
  readonly credits: number;
}

/**
 * The sum of all entries of accounts in a period, in at most two statements: from the sums by month, day and hour, and
 * the lines at the edges of the period.
 */
export async function sumOfEntries(db: Kysely<FinanceTables>, wanted: AccountEntries): Promise<EntrySum> {
  if (wanted.boughtMonth !== null) return sumOfBoughtMonth(db, wanted.boughtMonth, wanted);
  const before = await balanceBefore(db, wanted, wanted.from);
  const until = await balanceBefore(db, wanted, wanted.to);
  return { cents: until.cents - before.cents, credits: until.credits - before.credits };
}

/** Of all lines before an instant. */
function balanceBefore(
  db: Kysely<FinanceTables>,
  { accounts, creatorId }: AccountEntries,
  instant: Date,
): Promise<EntrySum> {
  return creatorId === null ? accountsBefore(db, accounts, instant) : creatorBefore(db, accounts, creatorId, instant);
}

async function accountsBefore(
  db: Kysely<FinanceTables>,
  accounts: readonly number[],
  instant: Date,
): Promise<EntrySum> {
  // Times of events are whole milliseconds.
  const last = new Date(instant.getTime() - 1);
  const wanted = accounts as readonly AccountNumber[];
  const { balances, rule } = await balancesAt(db, last, [...wanted, ...OF_PAYOUTS]);
  return {
    cents: wanted.reduce((total, account) => total + postedBalance(account, balances, rule), 0),
    credits: wanted.reduce((total, account) => total + (balances.get(account)?.credits ?? 0), 0),
  };
}

async function creatorBefore(
  db: Kysely<FinanceTables>,
  accounts: readonly number[],
  creatorId: string,
  instant: Date,
): Promise<EntrySum> {
  const share = accounts.includes(ACCOUNT.creatorShare) ? shareBefore(sql`${creatorId}::text`, instant) : sql`0`;
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(cents), 0)::bigint - ${share} as cents from payout_entry
    where creator_id = ${creatorId} and occurred_at < ${instant}
      and case when ${instant} <= ${RULE_2_BEGINS} then account else ${ACCOUNT_OF_RULE_2} end
        = any(${accounts}::smallint[])`.execute(db);
  return { cents: rows[0]?.cents ?? 0, credits: 0 };
}

/** @param period of whole months */
async function sumOfBoughtMonth(
  db: Kysely<FinanceTables>,
  boughtMonth: string,
  period: Pick<AccountEntries, 'from' | 'to'>,
): Promise<EntrySum> {
  const { rows } = await sql<EntrySum>`
    select coalesce(sum(cents), 0)::bigint as cents, coalesce(sum(credits), 0)::bigint as credits
    from book_deferred_month
    where bought_month = ${boughtMonth} and month >= ${monthOf(period.from)} and month < ${monthOf(period.to)}`.execute(
    db,
  );
  return rows[0] ?? { cents: 0, credits: 0 };
}
