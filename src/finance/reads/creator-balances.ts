import { type Kysely, sql } from 'kysely';
import { ACCOUNT, type AccountNumber } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { type Balance } from './balances.js';
import { startOf } from './book-sums.js';

/** Accounts that `creatorBalances` needs in addition to those of the credit ledger. */
export const OF_CREATORS = [ACCOUNT.creatorPayable, ACCOUNT.payoutsUnderWay, ACCOUNT.payoutsPaid] as const;

/**
 * Divides the creators' share by its state: cents by account, debit positive. The sum is the balance of `creatorShare`.
 * @param balances at an instant, of `creatorShare` and {@link OF_CREATORS}
 * @param debtCents see {@link debtAt}
 */
export function creatorBalances(
  balances: ReadonlyMap<AccountNumber, Balance>,
  debtCents: number,
): ReadonlyMap<AccountNumber, number> {
  const centsOf = (account: AccountNumber): number => balances.get(account)?.cents ?? 0;
  const [payable, underWay, paid] = OF_CREATORS.map(centsOf) as [number, number, number];
  return new Map<AccountNumber, number>([
    [ACCOUNT.creatorDebt, debtCents],
    [ACCOUNT.creatorPending, centsOf(ACCOUNT.creatorShare) - payable - underWay - paid],
    [ACCOUNT.creatorPayable, payable - debtCents],
    [ACCOUNT.payoutsUnderWay, underWay],
    [ACCOUNT.payoutsPaid, paid],
  ]);
}

/**
 * The debts of creators at an instant, US cents: payouts of each that its payable share does not cover any more. Only
 * creators with payouts can owe something. One statement.
 */
export async function debtAt(db: Kysely<FinanceTables>, at: Date): Promise<number> {
  const [month, day] = [startOf('month', at), startOf('day', at)];
  const { rows } = await sql<{ cents: number }>`
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
    left join today on today.creator_id = taken.creator_id`.execute(db);
  return rows[0]?.cents ?? 0;
}
