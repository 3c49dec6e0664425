import { isUuid } from '../../platform/ids.js';

/** Port to the card processor, reduced to the calls and fields that this context needs. */
export abstract class PaymentProcessor {
  /**
   * Creates the session of a checkout. Repeating it for the same checkout returns the same session. An e-mail address
   * that the processor rejects is left out, and the buyer enters one.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  abstract createSession(order: NewSession): Promise<ProcessorSession>;

  /** @throws ProcessorNotFoundError, ProcessorUnavailableError */
  abstract session(id: string): Promise<ProcessorSession>;

  /** Ends an open session, so that it cannot be paid. @throws ProcessorRefusedError when it has ended */
  abstract expireSession(id: string): Promise<void>;

  /** The customer record that a session belongs to. Null when it has none. @throws as `session` */
  abstract customerOf(sessionId: string): Promise<string | null>;

  /** Deletes a customer record, if it still exists. @throws ProcessorUnavailableError */
  abstract deleteCustomer(id: string): Promise<void>;

  /** The checkout session of a payment. Null when it has none. @throws ProcessorUnavailableError */
  abstract sessionOfPayment(paymentIntentId: string): Promise<ProcessorSession | null>;

  /** Our checkout in the metadata of a payment. Null for payments of another shop. @throws as `session` */
  abstract checkoutOfPayment(paymentIntentId: string): Promise<string | null>;

  /** The payment of a charge, refund or dispute. Null when it has none. */
  abstract paymentOf(objectId: string): Promise<string | null>;

  /** All refunds and disputes of a payment. @throws ProcessorUnavailableError */
  abstract reversalsOf(paymentIntentId: string): Promise<ProcessorReversal[]>;

  /**
   * Sends money of a payment back. Repeating it returns the same refund while the processor keeps the idempotency key
   * (a day). Check `reversalsOf` before a later repeat.
   * @throws ProcessorRefusedError, ProcessorUnavailableError
   */
  abstract refund(refund: {
    readonly adminRefundId: string;
    readonly paymentIntentId: string;
    readonly amountCents: number;
  }): Promise<ProcessorReversal>;

  /** Pages of sessions created in a period, the latest first. @throws ProcessorUnavailableError */
  abstract sessions(period: Period): AsyncGenerator<ProcessorSession[]>;

  /** Refunds and disputes that began in a period, the latest first. @throws ProcessorUnavailableError */
  abstract reversals(period: Period): AsyncGenerator<ProcessorReversal>;

  /**
   * The changes of our balance that follow a transaction, the oldest first, in the order of the processor's list.
   * @param after id of a transaction; null: from the very first one. The processor lists the newest first, so this
   *   reads the whole list once, a page at a time.
   * @throws ProcessorNotFoundError when the processor does not know the transaction, ProcessorUnavailableError
   */
  abstract transactions(after: string | null): Promise<ProcessorTransactions>;

  /** Our balance at the processor in cents, available or not. @throws ProcessorUnavailableError */
  abstract balanceCents(): Promise<number>;
}

/** The relevant fields of a checkout session. No personal data. */
export interface ProcessorSession {
  readonly id: string;
  readonly url: string | null;
  /** `open`, `complete` or `expired`. */
  readonly status: string;
  /** `paid`, `unpaid` or `no_payment_required`. */
  readonly paymentStatus: string;
  readonly amountTotal: number | null;
  readonly currency: string | null;
  /** Our user id, if we made the session. */
  readonly clientReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentIntentId: string | null;
  /** State of the payment. Null in lists, as is the receipt. */
  readonly paymentState: string | null;
  readonly receiptUrl: string | null;
  readonly createdAt: Date;
}

/** A refund or dispute of a payment. */
export interface ProcessorReversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amountCents: number;
  readonly currency: string;
  readonly state: string;
  readonly paymentIntentId: string | null;
  /** The admin's order that caused it, if any. */
  readonly adminRefundId: string | null;
  readonly createdAt: Date;
}

/** A change of our balance at the processor. No personal data. */
export interface ProcessorTransaction {
  readonly id: string;
  /** As the processor names it, such as `charge` or `adjustment`. */
  readonly type: string;
  /** Divides some types further: `dispute` and `dispute_reversal` are both of the type `adjustment`. */
  readonly category: string;
  /** Cents. Positive when the balance grows. `netCents` is `grossCents - feeCents`. */
  readonly grossCents: number;
  readonly feeCents: number;
  readonly netCents: number;
  /** The charge, refund, dispute or payout. */
  readonly sourceId: string | null;
  /** The payment of the source. */
  readonly paymentIntentId: string | null;
  /** The admin's order that caused the refund, if any. */
  readonly adminRefundId: string | null;
  /** Our checkout in the metadata of the charge. Null for charges of another shop, and for all other sources. */
  readonly checkoutId: string | null;
  readonly createdAt: Date;
  readonly availableOn: Date;
}

/** Some transactions, the oldest first. */
export interface ProcessorTransactions {
  readonly transactions: readonly ProcessorTransaction[];
  /** True when there are newer ones. */
  readonly more: boolean;
}

export interface NewSession {
  readonly checkoutId: string;
  readonly userId: string;
  readonly email: string | null;
  readonly bundleId: string;
  readonly bundleName: string;
  readonly credits: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

export interface Period {
  readonly from: Date;
  readonly to?: Date;
}

/** A failed call. It has no `cause`, because the SDK's message may contain personal data, and causes are logged. */
export abstract class ProcessorError extends Error {
  constructor(
    message: string,
    /** Class and code of the SDK's error. Safe to store. */
    readonly summary: string,
  ) {
    super(message);
  }
}

/** The processor refused. Nothing was done, and a retry gives the same answer. */
export class ProcessorRefusedError extends ProcessorError {
  override readonly name: string = 'ProcessorRefusedError';
}

/** The processor has no such object. */
export class ProcessorNotFoundError extends ProcessorRefusedError {
  override readonly name = 'ProcessorNotFoundError';
}

/** No answer from the processor. The request may have been carried out. */
export class ProcessorUnavailableError extends ProcessorError {
  override readonly name: string = 'ProcessorUnavailableError';
}

/** Our key may not read this object. An operator can extend the key, or the object is another shop's. */
export class ProcessorForbiddenError extends ProcessorUnavailableError {
  override readonly name = 'ProcessorForbiddenError';
}

/** Whether our key cannot read the object, because it does not exist for the key, or may not be read with it. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ProcessorNotFoundError || error instanceof ProcessorForbiddenError;
}

/** Metadata key that carries the id of our checkout. */
export const CHECKOUT_ID = 'checkoutId';

/**
 * Our checkout id in the metadata of a session, payment or charge. Null for what another shop made, also when its own
 * metadata has a field of this name: our ids are UUIDs.
 */
export function checkoutIdOf({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, string>> | null;
}): string | null {
  const id = metadata?.[CHECKOUT_ID];
  return id !== undefined && isUuid(id) ? id : null;
}

/** Class and code of an error. Safe to store, unlike the message, which may contain personal data. */
export function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ProcessorError) return cause.summary;
  if (!(cause instanceof Error)) return 'unknown';
  const code: unknown = 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `${cause.name} ${code}` : cause.name;
}
