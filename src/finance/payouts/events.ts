import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { eventReader } from '../../credits/index.js';

/** Prefix of the name of a stream of payouts. The creator's id follows it. */
export const PAYOUT_STREAM_PREFIX = 'creatorPayout-';

/** Name of the stream with the payouts of a creator. */
export function payoutStream(creatorId: string): string {
  return PAYOUT_STREAM_PREFIX + creatorId;
}

/** The creator whose stream it is. */
export function creatorOfStream(stream: string): string {
  return stream.slice(PAYOUT_STREAM_PREFIX.length);
}

/** How much a creator gets, and why. All amounts are US cents. */
export type PayoutSum = {
  /** All shares that were payable at the cutoff, since the first one: earnings less what was taken back. */
  payableCents: number;
  /** All payouts before this one, less those that came back. */
  paidCents: number;
  /** `payableCents - paidCents`, positive. So no earning is paid twice, and a debt is paid by later earnings. */
  amountCents: number;
};

/** A run has a payout for the creator. Its amount may still change. */
export type PayoutDrafted = PayoutSum & {
  schemaVersion: 1;
  /** Business id: once per run and creator. */
  payoutId: string;
  runId: string;
  /** Shares that became payable before this instant (ISO 8601 UTC) are in it. */
  cutoff: string;
  /** A draft below this amount is not made. */
  minimumCents: number;
  /** The id of the person who drafted the run; null: the app. */
  draftedBy: string | null;
};

/** The amount is final: corrections after it belong to a later payout. */
export type PayoutFixed = PayoutSum & {
  schemaVersion: 1;
  payoutId: string;
};

/** A second person has checked the payout: not the author of the draft. */
export type PayoutChecked = {
  schemaVersion: 1;
  payoutId: string;
  checkedBy: string;
};

/** The bank has sent the money. */
export type PayoutPaid = {
  schemaVersion: 1;
  payoutId: string;
  amountCents: number;
  /** The bank's reference. */
  reference: string;
  /** The UTC day (YYYY-MM-DD) of the transfer. */
  paidOn: string;
  recordedBy: string;
};

/** The bank refused the transfer, or it came back after it had been recorded as paid. The amount is payable again. */
export type PayoutFailed = {
  schemaVersion: 1;
  payoutId: string;
  amountCents: number;
  /** True when it had been recorded as paid. */
  wasPaid: boolean;
  /** The bank's reference or code. Must contain no personal data. */
  reason: string;
};

/** The payout was given up before it was paid. The amount is payable again. */
export type PayoutCancelled = {
  schemaVersion: 1;
  payoutId: string;
  amountCents: number;
  /** Must contain no personal data. */
  reason: string;
};

/** No run takes this creator before an instant. Replaces an earlier hold. */
export type PayoutsHeld = {
  schemaVersion: 1;
  /** ISO 8601 UTC. An instant that has passed ends the hold. */
  until: string;
  heldBy: string;
  /** Must contain no personal data. */
  reason: string;
};

/** Every event of a creator's payouts, by type. */
export type PayoutEvent =
  | { type: 'PayoutDrafted'; data: PayoutDrafted }
  | { type: 'PayoutFixed'; data: PayoutFixed }
  | { type: 'PayoutChecked'; data: PayoutChecked }
  | { type: 'PayoutPaid'; data: PayoutPaid }
  | { type: 'PayoutFailed'; data: PayoutFailed }
  | { type: 'PayoutCancelled'; data: PayoutCancelled }
  | { type: 'PayoutsHeld'; data: PayoutsHeld };

/** Reads a stored event. See {@link eventReader}. */
export const readPayoutEvent = eventReader<PayoutEvent>(EVENT_VERSIONS.creatorPayout);
