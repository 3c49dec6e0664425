import type { PayoutEvent, PayoutSum } from './events.js';

/** A payout on its way. */
export interface OpenPayout extends PayoutSum {
  readonly payoutId: string;
  readonly runId: string;
  readonly cutoff: string;
  readonly minimumCents: number;
  readonly draftedBy: string | null;
  readonly step: 'drafted' | 'fixed' | 'checked';
}

/** A payout that has ended. One that was paid can still come back. */
export interface EndedPayout {
  readonly end: 'paid' | 'failed' | 'cancelled';
  readonly amountCents: number;
  /** The bank's reference; null while it is not paid. */
  readonly reference: string | null;
  /** References of transfers that came back. The bank may report them again. */
  readonly returned: readonly string[];
  readonly draftedBy: string | null;
}

/** The payouts of one creator. */
export interface PayoutState {
  /** All that was paid, less what came back. US cents. */
  readonly paidCents: number;
  /** At most one payout is on its way, so two runs cannot pay the same earnings. */
  readonly open: OpenPayout | null;
  readonly ended: ReadonlyMap<string, EndedPayout>;
  /** No run takes the creator before this instant (ISO 8601 UTC). */
  readonly heldUntil: string | null;
  /** The last payout failed at this instant, ms, and none was paid since; null otherwise. */
  readonly failedAt: number | null;
}

export const NO_PAYOUTS: PayoutState = {
  paidCents: 0,
  open: null,
  ended: new Map(),
  heldUntil: null,
  failedAt: null,
};

/**
 * The state after an event.
 * @param at time of the event, ms
 */
export function evolve(state: PayoutState, { type, data }: PayoutEvent, at: number): PayoutState {
  switch (type) {
    case 'PayoutDrafted': {
      const { payoutId, runId, cutoff, minimumCents, draftedBy, payableCents, paidCents, amountCents } = data;
      const sum = { payableCents, paidCents, amountCents };
      return { ...state, open: { ...sum, payoutId, runId, cutoff, minimumCents, draftedBy, step: 'drafted' } };
    }
    case 'PayoutFixed': {
      const { payableCents, paidCents, amountCents } = data;
      return { ...state, open: state.open && { ...state.open, payableCents, paidCents, amountCents, step: 'fixed' } };
    }
    case 'PayoutChecked':
      return { ...state, open: state.open && { ...state.open, step: 'checked' } };
    case 'PayoutPaid': {
      const { payoutId, amountCents, reference } = data;
      const next = ended(state, payoutId, { end: 'paid', amountCents, reference });
      return { ...next, paidCents: state.paidCents + amountCents, failedAt: null };
    }
    case 'PayoutFailed': {
      const { payoutId, amountCents, wasPaid } = data;
      const next = ended(state, payoutId, { end: 'failed', amountCents, reference: null });
      return { ...next, paidCents: state.paidCents - (wasPaid ? amountCents : 0), failedAt: at };
    }
    case 'PayoutCancelled': {
      const { payoutId, amountCents } = data;
      return ended(state, payoutId, { end: 'cancelled', amountCents, reference: null });
    }
    case 'PayoutsHeld':
      return { ...state, heldUntil: data.until };
  }
}

/** A payout that was paid may come back while a later one is on its way, which stays open. */
function ended(
  state: PayoutState,
  payoutId: string,
  end: Pick<EndedPayout, 'end' | 'amountCents' | 'reference'>,
): PayoutState {
  const own = state.open?.payoutId === payoutId ? state.open : null;
  const before = state.ended.get(payoutId);
  const draftedBy = own ? own.draftedBy : (before?.draftedBy ?? null);
  // A payout that was paid ends again only when its transfer comes back.
  const returned = [...(before?.returned ?? []), ...(before?.reference == null ? [] : [before.reference])];
  const next = { ...end, returned, draftedBy };
  return { ...state, open: own ? null : state.open, ended: new Map(state.ended).set(payoutId, next) };
}
