import type { AccountState, Purchase } from './state.js';
import type { CreditEvent } from './events.js';

/**
 * How many credits of a purchase go when this much of its money has gone back in all: its share of the credits, rounded down,
 * and never more than were bought.
 */
export function creditsFor({ credits, amountCents }: Pick<Purchase, 'credits' | 'amountCents'>, cents: number): number {
  if (cents <= 0) return 0;
  if (cents >= amountCents) return credits;
  // The product may be beyond what a number holds exactly
  return Number((BigInt(credits) * BigInt(cents)) / BigInt(amountCents));
}

/**
 * What is owed, paid with credits that arrive in lots of purchases: first what is owed for the same purchase, then what was
 * bought first. The events that follow the arrival; none when nothing is owed.
 */
export function repayDebt(
  state: AccountState,
  arrivals: readonly { readonly lotId: string; readonly amount: number }[],
): CreditEvent[] {
  const owed = new Map([...state.purchases].filter(([, { debt }]) => debt > 0).map(([id, { debt }]) => [id, debt]));
  return arrivals.flatMap(({ lotId, amount: arrived }) => {
    let left = arrived;
    const ownFirst = [...owed.keys()].sort((a, b) => Number(b === lotId) - Number(a === lotId));
    return ownFirst.flatMap((owedForLotId): CreditEvent[] => {
      const debt = owed.get(owedForLotId) ?? 0;
      const amount = Math.min(left, debt);
      if (amount === 0) return [];
      left -= amount;
      owed.set(owedForLotId, debt - amount);
      return [{ type: 'DebtRepaid', data: { schemaVersion: 1, lotId, owedForLotId, amount } }];
    });
  });
}
