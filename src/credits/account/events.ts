import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { eventReader, type Upcasters } from './upcast.js';

/** Daily and bonus credits are free, paid ones are bought. */
export type CreditKind = 'daily' | 'bonus' | 'paid';

/** Why credits came back (fan spec, section 4). */
export type RefundReason =
  | 'api_failure'
  | 'generation_failed'
  | 'timeout'
  | 'server_error'
  | 'user_cancelled'
  | 'fatal_error';

/** Why money of a purchase was returned. */
export type ReversalCause = 'refund' | 'dispute';

/** Prefix of the name of an account's stream. The user's id follows it. */
export const ACCOUNT_STREAM_PREFIX = 'creditAccount-';

/** Name of the stream that holds a user's account. */
export function accountStream(userId: string): string {
  return ACCOUNT_STREAM_PREFIX + userId;
}

/** The user whose account a stream holds. */
export function userOfStream(stream: string): string {
  return stream.slice(ACCOUNT_STREAM_PREFIX.length);
}

/** Where events hold the ids that people search for. The event table has an index of each. */
export const SEARCHED_FIELDS = [
  { part: 'metadata', names: ['actorId'] },
  { part: 'metadata', names: ['correlationId'] },
  { part: 'data', names: ['lotId'] },
  { part: 'data', names: ['deductionId', 'adjustmentId', 'reversalId', 'owedForLotId'] },
] as const;

/** Lot id of the sign-up bonus. */
export const SIGN_UP_LOT_ID = 'signup';
/** Prefix of the lot id of a grant by an admin. The grant's id follows it. */
export const GRANT_LOT_PREFIX = 'grant:';
const DAILY_LOT_PREFIX = 'daily:';

/** Lot id of the daily grant of a UTC day (YYYY-MM-DD). */
export function dailyLot(utcDay: string): string {
  return DAILY_LOT_PREFIX + utcDay;
}

/** The UTC day (YYYY-MM-DD) of a daily grant's lot. */
export function utcDayOfDailyLot(lotId: string): string {
  return lotId.slice(DAILY_LOT_PREFIX.length);
}

/** True for the ids of granted lots. A purchase cannot take one of them. */
export function isLotOfGrant(lotId: string): boolean {
  return lotId === SIGN_UP_LOT_ID || lotId.startsWith(DAILY_LOT_PREFIX) || lotId.startsWith(GRANT_LOT_PREFIX);
}

/** Credits of one lot, with the price that the user paid for each. A lot is identified by its id and expiry. */
export type Allocation = {
  lotId: string;
  kind: CreditKind;
  /** Credits, positive. */
  amount: number;
  /** US cents the user paid per credit; 0 for credits that were given. */
  unitPriceCents: number;
  /** ISO 8601 UTC; null: never. */
  expiresAt: string | null;
};

/** A new lot of free credits. */
export type CreditsGranted = {
  schemaVersion: 1;
  /** `signup`, `daily:<UTC day>` or `grant:<grantId>`: the business id, once per account. */
  lotId: string;
  kind: 'daily' | 'bonus';
  source: 'signup' | 'daily' | 'admin';
  amount: number;
  expiresAt: string | null;
  /** Why an admin granted it; null for other sources. Must contain no personal data. */
  reason: string | null;
};

/** A generation started and took credits. */
export type CreditsDeducted = {
  schemaVersion: 2;
  /** The generation's id. */
  deductionId: string;
  creatorId: string;
  /** The user is this creator: the generation costs credits and earns nothing. Version 1 had no field. */
  ownGeneration: boolean;
  /** Sum of the allocations. */
  amount: number;
  /** In the order in which they were taken. */
  allocations: Allocation[];
};

/** The image was delivered. Repeats the allocations, so that revenue needs no other event. */
export type DeductionSettled = {
  schemaVersion: 3;
  deductionId: string;
  creatorId: string;
  /** As in the deduction. */
  ownGeneration: boolean;
  amount: number;
  allocations: Allocation[];
} & ImageHashes;

/**
 * The traces of what was delivered: SHA-256, hex, over the salt in the generation's row, a line end and the bytes of
 * the stored original, or the prompt. Erasing the salt leaves nothing to guess. Null before version 3, and when they
 * are not known.
 */
export type ImageHashes = {
  imageHash: string | null;
  promptHash: string | null;
};

/** The generation ended without an image. The credits are back in their lots. */
export type CreditsRefunded = {
  schemaVersion: 1;
  deductionId: string;
  creatorId: string;
  reason: RefundReason;
  /** Sum of the restorations. */
  amount: number;
  /** The deduction's allocations. Lapsed ones now expire at the end of the day of the refund. */
  restorations: Allocation[];
};

/** A refund came for an unknown deduction. If the deduction arrives later, it is refused. */
export type DeductionVoided = {
  schemaVersion: 1;
  deductionId: string;
  reason: RefundReason;
};

/** A daily lot lapsed with credits in it. */
export type CreditsExpired = {
  schemaVersion: 1;
  lotId: string;
  kind: CreditKind;
  amount: number;
  /** When it lapsed; the event itself is written by the next command that changes the account. */
  expiresAt: string;
};

/** Credits of a paid checkout session arrived as a new lot, which never expires. */
export type CreditsPurchased = {
  schemaVersion: 1;
  /** The processor's session id: the business id, once per account. */
  lotId: string;
  /** The bundle that was bought. */
  bundleId: string;
  /** The processor's payment; null when the session had none. */
  paymentIntentId: string | null;
  /** Credits bought. */
  amount: number;
  /** US cents paid for all of them. */
  amountCents: number;
  /** `amountCents / amount`, rounded down. Revenue follows from `amountCents` and `amount`, so no cent is lost. */
  unitPriceCents: number;
};

/** A refund or a dispute returned money of a purchase. The credits bought with it are revoked. */
export type PurchaseReversed = {
  schemaVersion: 1;
  /** The purchase: its session id. */
  lotId: string;
  /** The processor's id of the refund or dispute: the business id, once per account. */
  reversalId: string;
  cause: ReversalCause;
  /** US cents, as the processor reports. */
  amountCents: number;
  /** Unspent credits taken from the lot. */
  revoked: number;
  /** Credits that were already spent: they become debt. */
  debt: number;
};

/** A reversal was undone and its credits are back in the lot. `DebtRepaid` follows if the account has debt. */
export type PurchaseReinstated = {
  schemaVersion: 1;
  /** The purchase: its session id. */
  lotId: string;
  reversalId: string;
  /** Credits given back, less the credits that another reversal of the purchase still revokes. May be 0. */
  amount: number;
};

/** New credits of a lot were used to repay debt, and did not stay in the balance. */
export type DebtRepaid = {
  schemaVersion: 1;
  /** The lot that the credits leave. */
  lotId: string;
  /** The purchase whose reversal created the debt: its session id. */
  owedForLotId: string;
  amount: number;
};

/** An admin corrected the balance downwards. The metadata holds the admin's id. */
export type CreditsAdjusted = {
  schemaVersion: 1;
  adjustmentId: string;
  /** Sum of the allocations. */
  amount: number;
  /** Must contain no personal data. */
  reason: string;
  /** In the order in which they were taken. */
  allocations: Allocation[];
};

/** An admin set the account's time back to the true time, because earlier events are from the future. */
export type ClockRepaired = {
  schemaVersion: 1;
  /** The account's time before the repair: the latest time of its events. */
  aheadUntil: string;
  /** Latest UTC day with a daily grant, up to the day of the repair; null: none. */
  lastDailyGrant: string | null;
  /** Later days whose daily grant was made already, the first one first. They get no second grant. */
  grantedAhead: string[];
  /** Must contain no personal data. */
  reason: string;
};

/** The user closed their account and gave up all unspent paid credits. No money was returned. */
export type CreditsWaived = {
  schemaVersion: 1;
  /** The closure. It recurs when paid credits arrive after the closing. */
  waiverId: string;
  /** Sum of the allocations. */
  amount: number;
  /** All that was left in paid lots, the oldest first. */
  allocations: Allocation[];
};

/** Every event of an account, by type. `docs/events.md` is the catalogue. */
export type CreditEvent =
  | { type: 'CreditsGranted'; data: CreditsGranted }
  | { type: 'CreditsPurchased'; data: CreditsPurchased }
  | { type: 'CreditsDeducted'; data: CreditsDeducted }
  | { type: 'DeductionSettled'; data: DeductionSettled }
  | { type: 'CreditsRefunded'; data: CreditsRefunded }
  | { type: 'DeductionVoided'; data: DeductionVoided }
  | { type: 'CreditsExpired'; data: CreditsExpired }
  | { type: 'PurchaseReversed'; data: PurchaseReversed }
  | { type: 'PurchaseReinstated'; data: PurchaseReinstated }
  | { type: 'DebtRepaid'; data: DebtRepaid }
  | { type: 'CreditsAdjusted'; data: CreditsAdjusted }
  | { type: 'ClockRepaired'; data: ClockRepaired }
  | { type: 'CreditsWaived'; data: CreditsWaived };

/** Functions from the data of an older version to the next version, by type and version. */
const UPCASTERS: Upcasters = {
  CreditsDeducted: { 1: withoutOwner },
  DeductionSettled: { 1: withoutOwner, 2: withoutHashes },
};

/** Version 1 did not record whether the user was the creator. Its images earn as those of any fan. */
function withoutOwner(data: Readonly<Record<string, unknown>>): object {
  return { ...data, ownGeneration: false };
}

/** Version 2 did not record what was delivered. */
function withoutHashes(data: Readonly<Record<string, unknown>>): object {
  return { ...data, imageHash: null, promptHash: null };
}

/** Reads a stored event. See {@link eventReader}. */
export const readCreditEvent = eventReader<CreditEvent>(EVENT_VERSIONS.creditAccount, UPCASTERS);
