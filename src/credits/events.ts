import type { CreditKind, RefundReason } from './commands.js';

/** Streams of accounts are named by this and the user's id. */
export const ACCOUNT_STREAM_PREFIX = 'creditAccount-';

/** Name of the stream that holds a user's account. */
export function accountStream(userId: string): string {
  return ACCOUNT_STREAM_PREFIX + userId;
}

/** Whose account a stream holds. */
export function userOfStream(stream: string): string {
  return stream.slice(ACCOUNT_STREAM_PREFIX.length);
}

const DAILY_LOT_PREFIX = 'daily:';

/** Lot id of the daily grant of a UTC day (YYYY-MM-DD). */
export function dailyLot(utcDay: string): string {
  return DAILY_LOT_PREFIX + utcDay;
}

/** The UTC day (YYYY-MM-DD) of a daily grant's lot. */
export function utcDayOfDailyLot(lotId: string): string {
  return lotId.slice(DAILY_LOT_PREFIX.length);
}

/** So many credits of one lot, with what each of them had cost the user. Lots are told apart by id and expiry. */
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

/** A new lot of credits that nobody paid for. */
export type CreditsGranted = {
  schemaVersion: 1;
  /** `signup`, `daily:<UTC day>` or `grant:<grantId>`: the business id, once per account. */
  lotId: string;
  kind: 'daily' | 'bonus';
  source: 'signup' | 'daily' | 'admin';
  amount: number;
  expiresAt: string | null;
  /** Why an admin granted it; null for the others. Never about a person. */
  reason: string | null;
};

/** A generation started and took credits. */
export type CreditsDeducted = {
  schemaVersion: 1;
  /** The generation's id. */
  deductionId: string;
  creatorId: string;
  /** Sum of the allocations. */
  amount: number;
  /** In the order in which they were taken. */
  allocations: Allocation[];
};

/** The image was delivered. Repeats the allocations, so that revenue needs no other event. */
export type DeductionSettled = {
  schemaVersion: 1;
  deductionId: string;
  creatorId: string;
  amount: number;
  allocations: Allocation[];
};

/** The generation ended without an image; what was taken is back in its lots. */
export type CreditsRefunded = {
  schemaVersion: 1;
  deductionId: string;
  creatorId: string;
  reason: RefundReason;
  /** Sum of the restorations. */
  amount: number;
  /** The deduction's allocations; those that had lapsed meanwhile now expire at the end of the day of the refund. */
  restorations: Allocation[];
};

/** A refund came for a deduction that was never seen: should it arrive later, it is refused. */
export type DeductionVoided = {
  schemaVersion: 1;
  deductionId: string;
  reason: RefundReason;
};

/** What was left of a daily lot when it lapsed. */
export type CreditsExpired = {
  schemaVersion: 1;
  lotId: string;
  kind: CreditKind;
  amount: number;
  /** When it lapsed; the event itself is written by the next command that changes the account. */
  expiresAt: string;
};

/** Every event of an account, by type. `docs/events.md` is the catalogue. */
export type CreditEvent =
  | { type: 'CreditsGranted'; data: CreditsGranted }
  | { type: 'CreditsDeducted'; data: CreditsDeducted }
  | { type: 'DeductionSettled'; data: DeductionSettled }
  | { type: 'CreditsRefunded'; data: CreditsRefunded }
  | { type: 'DeductionVoided'; data: DeductionVoided }
  | { type: 'CreditsExpired'; data: CreditsExpired };

/** Newest version of each type: the only one written, and what older ones are brought up to on reading. */
const SCHEMA_VERSIONS: Readonly<Record<CreditEvent['type'], number>> = {
  CreditsGranted: 1,
  CreditsDeducted: 1,
  DeductionSettled: 1,
  CreditsRefunded: 1,
  DeductionVoided: 1,
  CreditsExpired: 1,
};

/** The stream holds something this version of the program cannot read; going on would misjudge the balance. */
export class UnreadableEventError extends Error {
  constructor(type: string, schemaVersion: unknown) {
    super(`Event ${type} of schema version ${String(schemaVersion)} is not known to this version of the program.`);
    this.name = 'UnreadableEventError';
  }
}

/**
 * A stored event as the aggregate knows it.
 * @throws UnreadableEventError for types and versions that a newer program must have written
 */
export function readCreditEvent(stored: { readonly type: string; readonly data: object }): CreditEvent {
  const schemaVersion = (stored.data as { schemaVersion?: unknown }).schemaVersion;
  if (!Object.hasOwn(SCHEMA_VERSIONS, stored.type)) throw new UnreadableEventError(stored.type, schemaVersion);
  if (SCHEMA_VERSIONS[stored.type as CreditEvent['type']] !== schemaVersion) {
    throw new UnreadableEventError(stored.type, schemaVersion);
  }
  return stored as CreditEvent;
}
