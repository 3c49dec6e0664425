import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ACCOUNT, type AccountNumber, type BooksRule, CHART } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { startOf } from './book-sums.js';
import { RULE_2_BEGINS } from './books-rule.js';
import { debtSum } from './creator-sums.js';

/** The balance of an account: debit positive. */
export interface Balance {
  readonly account: AccountNumber;
  readonly cents: number;
  readonly credits: number;
}

/** Accounts with lines of the credit ledger. */
export const POSTED: readonly AccountNumber[] = CHART.filter(({ source }) => source === 'ledger').map(
  ({ account }) => account,
);

/** Accounts with lines of the processor. Except for the bank, their balance is unknown before the first one. */
export const POSTED_BY_PROCESSOR: readonly AccountNumber[] = CHART.filter(
  ({ source }) => source === 'processor' || source === 'bank',
).map(({ account }) => account);

/** Balances at an instant. */
export interface Balances {
  /** Accounts without lines may be missing. */
  readonly balances: ReadonlyMap<AccountNumber, Balance>;
  /** Time of the first line; null when there is none. */
  readonly beginsAt: Date | null;
  /** Sum of what creators owe, US cents; 0 unless the balance of `creatorDebt` was asked for. */
  readonly debtCents: number;
  /** Time of the first line of the processor; null when there is none. */
  readonly processorBeginsAt: Date | null;
  /** The rule of the instant. */
  readonly rule: BooksRule;
}

/**
 * The balances of some accounts at an instant, with payouts on the accounts of rule 1. Of `creatorPayable`: the lines
 * of `creatorShare` that are payable then, less what payouts have taken; a debt of a creator lowers it.
 * Reads the months before the instant, the days of its month, the hours of its day and the lines of its hour, in one
 * statement.
 */
export async function balancesAt(
  db: Kysely<FinanceTables>,
  at: Date,
  accounts: readonly AccountNumber[],
): Promise<Balances> {
  const { rows } = await balancesSelect(at, accounts).execute(db);
  const { begins_at: beginsAt = null, debt_cents: debtCents = 0, balances = [] } = rows[0] ?? {};
  const processorBeginsAt = rows[0]?.processor_begins_at ?? null;
  const rule = rows[0]?.is_rule_1 ? 1 : 2;
  return { beginsAt, processorBeginsAt, debtCents, rule, balances: byAccount(balances) };
}

/** Balances by their account. */
export function byAccount(balances: readonly Balance[]): ReadonlyMap<AccountNumber, Balance> {
  return new Map(balances.map((balance) => [balance.account, balance]));
}

/** The row of {@link balancesSelect}. */
export interface BalancesRow {
  readonly begins_at: Date | null;
  readonly processor_begins_at: Date | null;
  readonly debt_cents: number;
  readonly is_rule_1: boolean;
  readonly balances: readonly Balance[];
}

/** A select of one row with what {@link balancesAt} reads. */
export function balancesSelect(at: Date, accounts: readonly AccountNumber[]): RawBuilder<BalancesRow> {
  const [month, day, hour] = (['month', 'day', 'hour'] as const).map((unit) => startOf(unit, at));
  const ofAccounts = sql`account = any(${accounts}::smallint[])`;
  /** The sums of the time before the hour, and the lines of the hour. */
  const before = (sums: string, lines: string, credits: RawBuilder<unknown>): RawBuilder<unknown> => {
    const summed = sql`select account, cents, ${credits} as credits from ${sql.table(sums)} where ${ofAccounts}`;
    return sql`
      ${summed} and unit = 'month' and starts_at < ${month}
      union all
      ${summed} and unit = 'day' and starts_at >= ${month} and starts_at < ${day}
      union all
      ${summed} and unit = 'hour' and starts_at >= ${day} and starts_at < ${hour}
      union all
      select account, cents, ${credits} from ${sql.table(lines)}
      where ${ofAccounts} and occurred_at >= ${hour} and occurred_at <= ${at}`;
  };
  const debt = accounts.includes(ACCOUNT.creatorDebt) ? debtSum(at) : sql`select 0::bigint`;
  return sql<BalancesRow>`
    select (${FIRST}) as begins_at, (select min(occurred_at) from processor_entry) as processor_begins_at,
      (${debt}) as debt_cents, ${at} < ${RULE_2_BEGINS} as is_rule_1, coalesce(json_agg(balance), '[]') as balances
    from (
      select account, sum(cents)::bigint as cents, sum(credits)::bigint as credits
      from (
        ${before('book_sum', 'book_entry', sql`credits`)}
        union all
        select ${ACCOUNT.creatorPayable}::smallint, cents, 0 from book_entry
        where account = ${ACCOUNT.creatorShare} and payable_at >= ${hour} and payable_at <= ${at}
          and ${ACCOUNT.creatorPayable} = any(${accounts}::smallint[])
        union all
        ${before('payout_sum', 'payout_entry', sql`0`)}
        union all
        ${before('processor_sum', 'processor_entry', sql`0`)}
      ) as parts group by account
    ) as balance`;
}

/** Time of the first line, as an expression; null when there is none. */
export const FIRST = sql`
  select min(occurred_at) from unnest(${POSTED}::smallint[]) as posted (account)
  cross join lateral (
    select occurred_at from book_entry e where e.account = posted.account order by occurred_at limit 1
  ) as line`;

/** Time of the first line; null when there is none. */
export async function beginningOf(db: Kysely<FinanceTables>): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`select (${FIRST}) as first`.execute(db);
  return rows[0]?.first ?? null;
}
