import { remainingOf, type AccountState } from './state.js';
import { creditsFor, repayDebt } from './debt.js';
import { isAmount, recordingLapses } from './decide.js';
import { PurchaseRefusedError } from './errors.js';
import { isLotOfGrant, type CreditEvent, type ReversalCause } from './events.js';

/** The rules for purchased credits. Like those in `decide.ts`, they are pure functions of the state and the instant. */

/** A paid checkout session. */
export interface PaidSession {
  /** The processor's session id: the business id, and the id of the lot. */
  readonly sessionId: string;
  readonly bundleId: string;
  readonly credits: number;
  /** Paid by the user, US cents. */
  readonly amountCents: number;
  /** The processor's payment; null for a session without a payment. */
  readonly paymentIntentId: string | null;
}

/** Returned money of a purchase. */
export interface NewReversal {
  /** The purchase. */
  readonly sessionId: string;
  /** Business id: the id of the refund or dispute at the processor. */
  readonly reversalId: string;
  readonly cause: ReversalCause;
  /** US cents. */
  readonly amountCents: number;
}

/**
 * Grants the credits of a paid checkout session, once. They pay the account's debt first.
 * @throws PurchaseRefusedError for an impossible amount, or a session recorded with other content
 */
export function purchaseCredits(session: PaidSession, state: AccountState, now: Date): CreditEvent[] {
  const { sessionId: lotId, bundleId, credits: amount, amountCents, paymentIntentId } = session;
  if (lotId === '' || isLotOfGrant(lotId)) throw refusal(lotId, 'has no valid session id');
  if (!isAmount(amount)) throw refusal(lotId, `has an impossible number of credits: ${amount}`);
  if (amountCents !== 0 && !isAmount(amountCents))
    throw refusal(lotId, `has an impossible number of cents: ${amountCents}`);
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
 * Takes back the credits that the returned money had bought. Credits that were already spent become debt.
 * @throws PurchaseRefusedError when the purchase is unknown, the amount is impossible, or the reversal was recorded
 *   with other content
 */
export function reversePurchase(reversal: NewReversal, state: AccountState, now: Date): CreditEvent[] {
  const { sessionId: lotId, reversalId, cause, amountCents } = reversal;
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
 * Undoes a reversal, once. Gives back the credits that no other reversal of the purchase takes. They pay the
 * account's debt first.
 * @throws PurchaseRefusedError when the purchase has no such reversal
 */
export function reinstatePurchase(
  { sessionId: lotId, reversalId }: { readonly sessionId: string; readonly reversalId: string },
  state: AccountState,
  now: Date,
): CreditEvent[] {
  const purchase = state.purchases.get(lotId);
  const reversal = state.reversals.get(reversalId);
  if (!purchase) throw refusal(lotId, 'is not known');
  if (!reversal || reversal.lotId !== lotId) throw refusal(lotId, `has no reversal ${reversalId}`);
  if (reversal.reinstated) return [];
  const amount = purchase.reversedCredits - creditsFor(purchase, purchase.reversedCents - reversal.amountCents);
  const data = { schemaVersion: 1 as const, lotId, reversalId, amount };
  return recordingLapses(state, now, [{ type: 'PurchaseReinstated', data }, ...repayDebt(state, [{ lotId, amount }])]);
}

function refusal(sessionId: string, problem: string): PurchaseRefusedError {
  return new PurchaseRefusedError(sessionId, `Purchase ${sessionId} ${problem}.`);
}
