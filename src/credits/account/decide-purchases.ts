import { remainingOf, type AccountState } from './state.js';
import {
  PurchaseRefusedError,
  type PurchaseCredits,
  type ReinstatePurchase,
  type ReversePurchase,
} from '../use-cases/commands.js';
import { creditsFor, repayDebt } from './debt.js';
import { isAmount, recordingLapses } from './decide.js';
import { isLotOfGrant, type CreditEvent } from './events.js';

/** The rules of bought credits; like those in `decide.ts`, they read the given state and instant and nothing else. */

/**
 * Grants the credits of a paid checkout session, once; what the account owes is paid with them first.
 * @throws PurchaseRefusedError for amounts that cannot be, or a session recorded with other content
 */
export function purchaseCredits(command: PurchaseCredits, state: AccountState, now: Date): CreditEvent[] {
  const { sessionId: lotId, bundleId, credits: amount, amountCents, paymentIntentId } = command;
  if (lotId === '' || isLotOfGrant(lotId)) throw refusal(lotId, 'has no id of a session');
  if (!isAmount(amount)) throw refusal(lotId, `is about ${amount} credits`);
  if (amountCents !== 0 && !isAmount(amountCents)) throw refusal(lotId, `is about ${amountCents} cents`);
  const known = state.purchases.get(lotId);
  if (known) {
    const same =
      known.bundleId === bundleId &&
      known.credits === amount &&
      known.amountCents === amountCents &&
      known.paymentIntentId === paymentIntentId;
    if (same) return [];
    throw refusal(lotId, 'was recorded with other content');
  }
  const unitPriceCents = Math.floor(amountCents / amount);
  const data = { schemaVersion: 1 as const, lotId, bundleId, paymentIntentId, amount, amountCents, unitPriceCents };
  return recordingLapses(state, now, [{ type: 'CreditsPurchased', data }, ...repayDebt(state, [{ lotId, amount }])]);
}

/**
 * Takes back what the returned money had bought: from what is left of the purchase, and the rest as debt.
 * @throws PurchaseRefusedError when the purchase is not known, for an amount that cannot be, or a reversal recorded with other
 *   content
 */
export function reversePurchase(command: ReversePurchase, state: AccountState, now: Date): CreditEvent[] {
  const { sessionId: lotId, reversalId, cause, amountCents } = command;
  const purchase = state.purchases.get(lotId);
  if (!purchase) throw refusal(lotId, 'is not known');
  if (!isAmount(amountCents)) throw refusal(lotId, `is reversed by ${amountCents} cents`);
  const known = state.reversals.get(reversalId);
  if (known) {
    if (known.lotId === lotId && known.cause === cause && known.amountCents === amountCents) return [];
    throw refusal(lotId, `has a reversal ${reversalId} that was recorded with other content`);
  }
  const taken = creditsFor(purchase, purchase.reversedCents + amountCents) - purchase.reversedCredits;
  const revoked = Math.min(taken, remainingOf(state, lotId));
  const debt = taken - revoked;
  const data = { schemaVersion: 1 as const, lotId, reversalId, cause, amountCents, revoked, debt };
  return recordingLapses(state, now, [{ type: 'PurchaseReversed', data }]);
}

/**
 * Undoes a reversal, once: gives back what the other reversals of the purchase do not take, and pays what is owed with it.
 * @throws PurchaseRefusedError when the purchase has no such reversal
 */
export function reinstatePurchase(command: ReinstatePurchase, state: AccountState, now: Date): CreditEvent[] {
  const { sessionId: lotId, reversalId } = command;
  const purchase = state.purchases.get(lotId);
  const reversal = state.reversals.get(reversalId);
  if (!purchase) throw refusal(lotId, 'is not known');
  if (!reversal || reversal.lotId !== lotId) throw refusal(lotId, `has no reversal ${reversalId}`);
  if (reversal.reinstated) return [];
  const amount = purchase.reversedCredits - creditsFor(purchase, purchase.reversedCents - reversal.amountCents);
  const data = { schemaVersion: 1 as const, lotId, reversalId, amount };
  return recordingLapses(state, now, [{ type: 'PurchaseReinstated', data }, ...repayDebt(state, [{ lotId, amount }])]);
}

function refusal(sessionId: string, what: string): PurchaseRefusedError {
  return new PurchaseRefusedError(sessionId, `Purchase ${sessionId} ${what}.`);
}
