import { type Kysely, type RawBuilder } from 'kysely';
import { type CreatorMoney } from '../../contract/revenue.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { creatorMoney } from '../creator-money.js';
import { type FinanceTables } from '../tables.js';
import { type Balances, balancesAt, balancesSelect, type BalancesRow, byAccount } from './balances.js';
import { moneyOfBalances, OF_CREATORS } from './creator-balances.js';
import { afterAt, sumsOfCreators } from './creator-sums.js';

const MONEY_ACCOUNTS = [ACCOUNT.creatorShare, ...OF_CREATORS] as const;

/**
 * The money of creators at an instant, in the order of their ids. One statement.
 * @param creators a select of `creator_id`
 */
export async function readCreatorMoney(
  db: Kysely<FinanceTables>,
  creators: RawBuilder<unknown>,
  at: Date,
): Promise<readonly (CreatorMoney & { readonly creator_id: string })[]> {
  const { rows } = await sumsOfCreators(creators, afterAt(at)).execute(db);
  return rows.map(({ creator_id, ...sums }) => ({ creator_id, ...creatorMoney(sums) }));
}

/** The money of all creators at an instant, the time of the first entry of the books, and their rule. One statement. */
export async function readMoneyOfAll(
  db: Kysely<FinanceTables>,
  at: Date,
): Promise<Pick<Balances, 'beginsAt' | 'rule'> & { readonly money: CreatorMoney }> {
  const { balances, beginsAt, debtCents, rule } = await balancesAt(db, at, MONEY_ACCOUNTS);
  return { money: moneyOfBalances(balances, debtCents), beginsAt, rule };
}

/** The row of {@link moneyOfAllSelect}, as JSON or as a row. */
export type MoneyOfAllRow = Pick<BalancesRow, 'balances' | 'debt_cents'>;

/** A select of one row from which {@link moneyOfAllRow} makes the money of all creators at an instant. */
export function moneyOfAllSelect(at: Date): RawBuilder<MoneyOfAllRow> {
  return balancesSelect(at, MONEY_ACCOUNTS);
}

/** The money of all creators of a row of {@link moneyOfAllSelect}. */
export function moneyOfAllRow({ balances, debt_cents: debtCents }: MoneyOfAllRow): CreatorMoney {
  return moneyOfBalances(byAccount(balances), debtCents);
}
