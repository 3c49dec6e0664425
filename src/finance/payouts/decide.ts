import { type PayoutSkipReason } from '../../contract/payouts.js';
import { DomainError } from '../../platform/domain-error.js';
import type { PayoutEvent, PayoutSum } from './events.js';
import type { OpenPayout, PayoutState } from './state.js';

/**
 * The rules of a creator's payouts. Each function returns the events that follow from a command: none for a repeat. It
 * throws to refuse. It reads the given state and facts and nothing else.
 *
 * A payout is drafted, fixed, checked and paid. Its amount is what was payable at the cutoff since the first earning,
 * less the earlier payouts: an earning cannot be paid twice, and later earnings pay what a chargeback takes back after
 * a payout. Who drafts a payout neither checks it nor records it as paid.
 */

/** A command about a payout was refused. Nothing was written. */
export class PayoutRefusedError extends DomainError {
  constructor(
    readonly payoutId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}

/** Where the money goes, as far as the decision needs it. */
export interface DetailsFacts {
  /** When the creator last changed the details; null: there are none. */
  readonly changedAt: Date | null;
  /** Changed details are used from this instant on. */
  readonly usableFrom: Date | null;
}

/** A draft of a run for one creator. */
export interface NewDraft {
  readonly payoutId: string;
  readonly runId: string;
  readonly cutoff: Date;
  /** All shares that were payable at the cutoff, since the first one. US cents; may be negative. */
  readonly payableCents: number;
  readonly minimumCents: number;
  /** The id of the person who drafts the run; null: the app. */
  readonly draftedBy: string | null;
  readonly details: DetailsFacts;
}

/** A draft, or the reason why there is none. */
export type Draft =
  | { readonly skipped: null; readonly events: PayoutEvent[] }
  | { readonly skipped: PayoutSkipReason; readonly events: readonly [] };

/** Drafts a payout, once per payout id. A creator who cannot be paid is skipped with the reason. */
export function draftPayout(state: PayoutState, draft: NewDraft, now: Date): Draft {
  const { payoutId, runId, cutoff, payableCents, minimumCents, draftedBy } = draft;
  if (state.open?.payoutId === payoutId || state.ended.has(payoutId)) return { skipped: null, events: [] };
  const skipped = skipReason(state, draft, now);
  if (skipped) return { skipped, events: [] };
  const sum = sumOf(state, payableCents);
  const data = { schemaVersion: 1, payoutId, runId, cutoff: cutoff.toISOString(), minimumCents, draftedBy } as const;
  return { skipped: null, events: [{ type: 'PayoutDrafted', data: { ...data, ...sum } }] };
}

/** The first reason in the order in which a person would mend them. */
function skipReason(state: PayoutState, draft: NewDraft, now: Date): PayoutSkipReason | null {
  const { payableCents, minimumCents, details } = draft;
  const { amountCents } = sumOf(state, payableCents);
  if (state.open) return 'open';
  if (amountCents < 0) return 'negative';
  if (amountCents === 0) return 'nothing';
  if (amountCents < minimumCents) return 'below_minimum';
  if (state.heldUntil !== null && Date.parse(state.heldUntil) > now.getTime()) return 'held';
  if (details.changedAt === null) return 'no_details';
  if (state.failedAt !== null && details.changedAt.getTime() <= state.failedAt) return 'failed_before';
  if (details.usableFrom !== null && details.usableFrom > now) return 'details_changed';
  return null;
}

/**
 * Fixes the amount of a draft, by what is payable now for the same cutoff. A draft that fell below its minimum is
 * cancelled instead.
 * @throws PayoutRefusedError when this payout is not on its way
 */
export function fixPayout(state: PayoutState, payoutId: string, payableCents: number): PayoutEvent[] {
  const open = requireOpen(state, payoutId);
  if (open.step !== 'drafted') return [];
  const sum = sumOf(state, payableCents);
  if (sum.amountCents <= 0 || sum.amountCents < open.minimumCents) {
    return [cancelled(open, 'The amount fell below the minimum.')];
  }
  return [{ type: 'PayoutFixed', data: { schemaVersion: 1, payoutId, ...sum } }];
}

/**
 * Records that a person has checked the payout.
 * @throws PayoutRefusedError when it is not fixed, or the person has drafted it
 */
export function checkPayout(state: PayoutState, payoutId: string, checkedBy: string): PayoutEvent[] {
  const open = requireOpen(state, payoutId);
  if (open.step === 'checked') return [];
  if (open.step === 'drafted') throw new PayoutRefusedError(payoutId, 'Fix the amount of this payout first.');
  requireSecondPerson(open, checkedBy, 'checks');
  return [{ type: 'PayoutChecked', data: { schemaVersion: 1, payoutId, checkedBy } }];
}

/** A transfer, as the bank reports it. */
export interface Transfer {
  readonly payoutId: string;
  /** The amount that was sent, US cents. */
  readonly amountCents: number;
  readonly reference: string;
  /** UTC day, YYYY-MM-DD. */
  readonly paidOn: string;
  readonly recordedBy: string;
}

/**
 * Records a transfer, once. The same line of a bank's file may be read again. A transfer that the bank had refused may
 * arrive after all: the money has left, so it is recorded.
 * @throws PayoutRefusedError when the payout is not checked, the amount differs, another transfer of it was recorded,
 *   this one came back, the person has drafted it, or a later payout contains its amount
 */
export function payPayout(state: PayoutState, transfer: Transfer): PayoutEvent[] {
  const { payoutId, amountCents, reference, paidOn, recordedBy } = transfer;
  const ended = state.ended.get(payoutId);
  if (ended?.end === 'paid') {
    if (ended.reference === reference && ended.amountCents === amountCents) return [];
    throw new PayoutRefusedError(payoutId, `This payout was paid already, with the reference ${ended.reference}.`);
  }
  if (ended?.returned.includes(reference)) {
    throw new PayoutRefusedError(payoutId, 'The transfer with this reference came back.');
  }
  const payout = ended?.end === 'failed' ? { payoutId, ...ended } : requireChecked(state, payoutId);
  if (ended && state.open)
    throw new PayoutRefusedError(payoutId, 'A later payout contains this amount. Cancel it first.');
  requireSecondPerson(payout, recordedBy, 'records');
  if (amountCents !== payout.amountCents) {
    const [sent, expected] = [amountCents, payout.amountCents].map(dollars);
    throw new PayoutRefusedError(payoutId, `The transfer is ${sent}, and the payout is ${expected}.`);
  }
  return [{ type: 'PayoutPaid', data: { schemaVersion: 1, payoutId, amountCents, reference, paidOn, recordedBy } }];
}

/**
 * Records that the bank refused a transfer, or that a paid one came back.
 * @throws PayoutRefusedError when the payout is neither checked nor paid
 */
export function failPayout(state: PayoutState, payoutId: string, reason: string): PayoutEvent[] {
  const ended = state.ended.get(payoutId);
  if (ended?.end === 'failed') return [];
  if (ended?.end === 'paid') {
    const { amountCents } = ended;
    return [{ type: 'PayoutFailed', data: { schemaVersion: 1, payoutId, amountCents, wasPaid: true, reason } }];
  }
  const { amountCents } = requireChecked(state, payoutId);
  return [{ type: 'PayoutFailed', data: { schemaVersion: 1, payoutId, amountCents, wasPaid: false, reason } }];
}

/**
 * Gives a payout up before it is paid.
 * @throws PayoutRefusedError when it was paid or has failed, or is unknown
 */
export function cancelPayout(state: PayoutState, payoutId: string, reason: string): PayoutEvent[] {
  if (state.ended.get(payoutId)?.end === 'cancelled') return [];
  return [cancelled(requireOpen(state, payoutId), reason)];
}

/** A hold by a person. */
export interface Hold {
  readonly until: Date;
  readonly heldBy: string;
  readonly reason: string;
}

/** Keeps the creator out of runs until an instant. Replaces an earlier hold. A payout that is on its way goes on. */
export function holdPayouts(state: PayoutState, { until, heldBy, reason }: Hold): PayoutEvent[] {
  const end = until.toISOString();
  if (state.heldUntil === end) return [];
  return [{ type: 'PayoutsHeld', data: { schemaVersion: 1, until: end, heldBy, reason } }];
}

/** Ends a hold at this instant. Changes nothing when none is in force. */
export function releasePayouts(state: PayoutState, hold: Hold): PayoutEvent[] {
  const isHeld = state.heldUntil !== null && Date.parse(state.heldUntil) > hold.until.getTime();
  return isHeld ? holdPayouts(state, hold) : [];
}

function sumOf({ paidCents }: PayoutState, payableCents: number): PayoutSum {
  return { payableCents, paidCents, amountCents: payableCents - paidCents };
}

function cancelled({ payoutId, amountCents }: OpenPayout, reason: string): PayoutEvent {
  return { type: 'PayoutCancelled', data: { schemaVersion: 1, payoutId, amountCents, reason } };
}

function requireOpen({ open, ended }: PayoutState, payoutId: string): OpenPayout {
  if (open?.payoutId === payoutId) return open;
  const end = ended.get(payoutId)?.end;
  const message = end === undefined ? 'There is no such payout.' : `This payout has ended: ${end}.`;
  throw new PayoutRefusedError(payoutId, message);
}

function requireChecked(state: PayoutState, payoutId: string): OpenPayout {
  const open = requireOpen(state, payoutId);
  if (open.step !== 'checked') throw new PayoutRefusedError(payoutId, 'A second person must check this payout first.');
  return open;
}

/** The rule of two persons. Of what the app has drafted, one person may check and record. */
function requireSecondPerson(
  { payoutId, draftedBy }: Pick<OpenPayout, 'payoutId' | 'draftedBy'>,
  person: string,
  act: 'checks' | 'records',
): void {
  if (draftedBy !== person) return;
  throw new PayoutRefusedError(payoutId, `Another person than the one who drafted this payout ${act} it.`);
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
