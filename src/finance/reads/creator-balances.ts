import { ACCOUNT, type AccountNumber } from '../chart-of-accounts.js';
import { type Balance } from './balances.js';

const MOVED = [ACCOUNT.creatorPayable, ACCOUNT.payoutsUnderWay, ACCOUNT.payoutsPaid] as const;

/** Accounts that `creatorBalances` needs in addition to those of the credit ledger. */
export const OF_CREATORS = [...MOVED, ACCOUNT.creatorDebt] as const;

/**
 * Divides the creators' share by its state: cents by account, debit positive. The sum is the balance of `creatorShare`.
 * @param balances at an instant, of `creatorShare` and {@link OF_CREATORS}
 * @param debtCents see `debtSum`
 */
export function creatorBalances(
  balances: ReadonlyMap<AccountNumber, Balance>,
  debtCents: number,
): ReadonlyMap<AccountNumber, number> {
  const centsOf = (account: AccountNumber): number => balances.get(account)?.cents ?? 0;
  const [payable, underWay, paid] = MOVED.map(centsOf) as [number, number, number];
  return new Map<AccountNumber, number>([
    [ACCOUNT.creatorDebt, debtCents],
    [ACCOUNT.creatorPending, centsOf(ACCOUNT.creatorShare) - payable - underWay - paid],
    [ACCOUNT.creatorPayable, payable - debtCents],
    [ACCOUNT.payoutsUnderWay, underWay],
    [ACCOUNT.payoutsPaid, paid],
  ]);
}
