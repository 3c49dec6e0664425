import { v7 } from 'uuid';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import {
  adjustCredits,
  deductCredits,
  grantDailyCredits,
  type NewDeduction,
  refundDeduction,
  repairClock,
  settleDeduction,
  waivePaidCredits,
} from '../../src/credits/account/decide.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from '../../src/credits/account/decide-purchases.js';
import { type CreditEvent } from '../../src/credits/account/events.js';
import { emptyAccount, evolve, utcDay } from '../../src/credits/account/state.js';
import { paidSession } from './paid-session.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const DAY_MS = 86_400_000;

/** One account with an event of every type, as the current rules write them, oldest first. */
export function writtenEvents(): { readonly event: CreditEvent; readonly at: Date }[] {
  const state = emptyAccount();
  const written: { event: CreditEvent; at: Date }[] = [];
  const decide = (decided: CreditEvent[], at: Date): void => {
    for (const event of decided) {
      evolve(state, event, at);
      written.push({ event, at });
    }
  };
  const [image, failed, never] = [0, 1, 2].map((nth) => v7({ msecs: START + nth })) as [string, string, string];
  const first = new Date(START);
  const next = new Date(START + DAY_MS);
  const later = new Date(START + 2 * DAY_MS);
  const take = (image: Omit<NewDeduction, 'creatorId'>): void =>
    decide(deductCredits({ ...image, creatorId: 'creator_1' }, state, first, 'due'), first);
  decide(grantDailyCredits(state, first, DEFAULT_CREDIT_SETTINGS, 'due'), first);
  decide(purchaseCredits(paidSession({ sessionId: 'cs_1' }), state, first), first);
  take({ deductionId: image, amount: 85, ownGeneration: true });
  const hashes = { imageHash: 'a'.repeat(64), promptHash: 'b'.repeat(64) };
  decide(settleDeduction({ deductionId: image, image: hashes }, state, first), first);
  take({ deductionId: failed, amount: 5, ownGeneration: false });
  decide(refundDeduction({ deductionId: failed, reason: 'timeout' }, state, first), first);
  decide(refundDeduction({ deductionId: never, reason: 'timeout' }, state, first), first);
  decide(grantDailyCredits(state, first, DEFAULT_CREDIT_SETTINGS, 'due'), first);
  decide(grantDailyCredits(state, next, DEFAULT_CREDIT_SETTINGS, 'due'), next);
  decide(
    reversePurchase({ sessionId: 'cs_1', reversalId: 'du_1', cause: 'dispute', amountCents: 1000 }, state, next),
    next,
  );
  decide(reinstatePurchase({ sessionId: 'cs_1', reversalId: 'du_1' }, state, next), next);
  decide(adjustCredits({ adjustmentId: 'adj_1', amount: 5, reason: 'Mistake' }, state, later), later);
  const ahead = new Date(START + 40 * DAY_MS);
  decide(grantDailyCredits(state, ahead, DEFAULT_CREDIT_SETTINGS, 'due'), ahead);
  const grantedDays = [first, next, ahead].map((at) => utcDay(at.getTime()));
  decide(repairClock({ reason: 'The clock of a server was ahead', grantedDays }, state, later), later);
  decide(waivePaidCredits({ waiverId: 'closure_1' }, state, later), later);
  return written;
}
