import { type CreatorMoney } from '../../contract/revenue.js';
import { ACCOUNT, type AccountNumber, type BooksRule } from '../chart-of-accounts.js';
import { creatorMoney } from '../creator-money.js';
import { type Balance } from './balances.js';

/** Accounts that the money of all creators needs in addition to those of the credit ledger. */
export const OF_CREATORS = [
  ...[ACCOUNT.creatorPayable, ACCOUNT.payoutsUnderWay, ACCOUNT.payoutsPaid],
  ACCOUNT.creatorDebt,
] as const;

/**
 * The money of all creators.
 * @param balances at an instant, of `creatorShare` and {@link OF_CREATORS}
 * @param debtCents see `debtSum`
 */
export function moneyOfBalances(balances: ReadonlyMap<AccountNumber, Balance>, debtCents: number): CreatorMoney {
  const owed = (account: AccountNumber): number => 0 - (balances.get(account)?.cents ?? 0);
  const paid = owed(ACCOUNT.payoutsPaid);
  const taken = owed(ACCOUNT.payoutsUnderWay) + paid;
  const dueShare = owed(ACCOUNT.creatorPayable) + taken;
  return creatorMoney({ earned: owed(ACCOUNT.creatorShare), dueShare, taken, paid }, debtCents);
}

/** The accounts of rule 1 that divide the creators' share: cents, debit positive. Their sum is its balance. */
export function creatorBalances(money: CreatorMoney): ReadonlyMap<AccountNumber, number> {
  return new Map<AccountNumber, number>([
    [ACCOUNT.creatorDebt, money.debt_cents],
    [ACCOUNT.creatorPending, 0 - money.pending_cents],
    [ACCOUNT.creatorPayable, 0 - money.payable_cents],
    [ACCOUNT.payoutsUnderWay, 0 - money.under_way_cents],
    [ACCOUNT.payoutsPaid, 0 - money.paid_cents],
  ]);
}

/** Accounts whose balances {@link postedBalance} needs for those that payouts post to. */
export const OF_PAYOUTS = [ACCOUNT.payoutsUnderWay, ACCOUNT.payoutsPaid] as const;

/**
 * The balance of the journal's lines of an account.
 * @param balances at an instant of the rule, of the account and {@link OF_PAYOUTS}
 */
export function postedBalance(
  account: AccountNumber,
  balances: ReadonlyMap<AccountNumber, Balance>,
  rule: BooksRule,
): number {
  const centsOf = (number: AccountNumber): number => balances.get(number)?.cents ?? 0;
  if (rule === 1) return centsOf(account);
  // The lines of a payout sum to zero, so these two are what it has taken.
  if (account === ACCOUNT.creatorShare)
    return OF_PAYOUTS.reduce((rest, each) => rest - centsOf(each), centsOf(account));
  if (account === ACCOUNT.bank) return centsOf(account) + centsOf(ACCOUNT.payoutsPaid);
  return account === ACCOUNT.payoutsPaid ? 0 : centsOf(account);
}
