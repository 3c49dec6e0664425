import type { AccountState, Purchase } from './state.js';
import type { CreditEvent } from './events.js';

/**
 * Credits of a purchase to take back when `cents` of its money have been returned in total: the proportional share,
 * rounded down, and at most the credits bought.
 */
export function creditsFor({ credits, amountCents }: Pick<Purchase, 'credits' | 'amountCents'>, cents: number): number {
  if (cents <= 0) return 0;
  if (cents >= amountCents) return credits;
  // The product can exceed Number.MAX_SAFE_INTEGER.
  return Number((BigInt(credits) * BigInt(cents)) / BigInt(amountCents));
}

/**
 * Pays debt with credits that arrive in lots of purchases: first the debt of the same purchase, then that of the
 * oldest. Returns the events that follow the arrival; none without debt.
 */
export function repayDebt(
  state: AccountState,
  arrivals: readonly { readonly lotId: string; readonly amount: number }[],
): CreditEvent[] {
  const owed = new Map([...state.purchases].filter(([, { debt }]) => debt > 0).map(([id, { debt }]) => [id, debt]));
  return arrivals.flatMap(({ lotId, amount: arrived }) => {
    let remainingCredits = arrived;
    const ownFirst = [...owed.keys()].sort((a, b) => Number(b === lotId) - Number(a === lotId));
    return ownFirst.flatMap((owedForLotId): CreditEvent[] => {
      const debt = owed.get(owedForLotId) ?? 0;
      const amount = Math.min(remainingCredits, debt);
      if (amount === 0) return [];
      remainingCredits -= amount;
      owed.set(owedForLotId, debt - amount);
      return [{ type: 'DebtRepaid', data: { schemaVersion: 1, lotId, owedForLotId, amount } }];
    });
  });
}
