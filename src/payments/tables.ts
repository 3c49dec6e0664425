import { type Generated, type Selectable } from 'kysely';
import { type InboxEventType } from './event-types.js';

/** The bundles. Their prices are events of the stream `policy`; `BundlePrices` copies them to this table. */
export interface CreditBundleTable {
  id: string;
  name: string;
  credits: number;
  price_cents: number;
  description: string;
  popular: boolean;
  /** Bundles that are no longer sold keep their row, for receipts. */
  on_sale: boolean;
  /** Version of the `BundlePriced` event that the row shows; null for a bundle that was never priced. */
  policy_version: number | null;
}

/**
 * `creating`: the processor is called; `open`: can be paid; `processing`: completed, the money is on its way;
 * `credited`: paid, and the ledger holds the purchase; `failed`: the payment failed; `expired`: was never paid.
 * Only `credited` is final. In every other state, a session that proves to be paid is credited.
 */
export type CheckoutStatus = 'creating' | 'open' | 'processing' | 'credited' | 'failed' | 'expired';

/** One checkout: the offer to a user. A payment must match it to be credited. */
export interface CheckoutTable {
  /** UUIDv7; in the session's metadata, and the idempotency key of its creation. */
  id: string;
  user_id: string;
  bundle_id: string;
  bundle_name: string;
  credits: number;
  amount_cents: number;
  currency: string;
  status: CheckoutStatus;
  /** Origin to which the browser returns. */
  return_origin: string;
  /** The processor's session; null until its answer was written down. */
  session_id: string | null;
  /** Where to pay, while it is open. */
  url: string | null;
  payment_intent_id: string | null;
  receipt_url: string | null;
  /** When the session ends unpaid. */
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
  /** When the ledger was seen to hold the purchase. */
  credited_at: Date | null;
}

/** The processor's refunds and disputes of our purchases, as last seen and as the ledger holds them. */
export interface PaymentReversalTable {
  /** The refund or dispute at the processor. */
  object_id: string;
  /** The reversal's id in the ledger: the same, or the id of the admin's refund that caused it. */
  reversal_id: string;
  session_id: string;
  kind: 'refund' | 'dispute';
  amount_cents: number;
  /** The state as the processor names it. */
  state: string;
  /** True while the money counts as returned. */
  stands: boolean;
  updated_at: Date;
}

/**
 * `reserving`: the credits are taken back next; `reserved`: they are taken back, the processor is called next;
 * `refunded`: the processor returns the money; `releasing`: the processor refused, the credits are given back next;
 * `released`: they are given back; `refused`: the refund never began.
 */
export type AdminRefundStatus = 'reserving' | 'reserved' | 'refunded' | 'releasing' | 'released' | 'refused';

/** A refund that an admin ordered: its own outbox and audit trail. */
export interface AdminRefundTable {
  /** UUIDv7; the ledger's reversal id, the idempotency key and in the refund's metadata at the processor. */
  id: string;
  session_id: string;
  user_id: string;
  credits: number;
  amount_cents: number;
  actor_id: string;
  reason: string;
  /** The act that ordered it; null for a closing, and before the log of acts existed. */
  act_id: string | null;
  status: AdminRefundStatus;
  /** The processor's refund. */
  refund_id: string | null;
  not_before: Date;
  attempts: Generated<number>;
  /** Class and code of the last failure; never the processor's message, which may name a person. */
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Verified webhook events, each once. Only ids are stored; everything else is read from the processor again. */
export interface PaymentEventTable {
  id: string;
  type: InboxEventType;
  /** When it happened, according to the processor. */
  occurred_at: Date;
  /** Session, charge, refund or dispute. */
  object_id: string;
  payment_intent_id: string | null;
  received_at: Date;
  /** Null until the event is handled. */
  handled_at: Date | null;
  /** Not due before this instant: a worker's lease, or the back-off after a failure. */
  not_before: Date;
  attempts: Generated<number>;
  last_error: string | null;
  /** Our key cannot read its object, and nothing says that it is ours: admins do not see it. */
  unreadable: Generated<boolean>;
}

export type PaymentProblemKind =
  | 'unknown_session'
  | 'wrong_amount'
  | 'wrong_currency'
  | 'wrong_owner'
  | 'wrong_content'
  /** Our key could not read one of our payments for three days. */
  | 'unknown_payment'
  | 'ledger_refused'
  /** The processor refuses to return money of a closed account. */
  | 'refund_refused';

/** A problem for admins that a retry cannot fix. It is resolved when a later read finds the payment in order. */
export interface PaymentProblemTable {
  /** Session, payment or refund. */
  subject: string;
  kind: PaymentProblemKind;
  /** A sentence without personal data. */
  what: string;
  first_seen_at: Date;
  last_seen_at: Date;
  resolved_at: Date | null;
  /** When an admin dismissed it. It stays so while it says the same. */
  dismissed_at: Generated<Date | null>;
}

/** Ownership of a payment, as the processor answered. Those in `checkout` are ours and not here. */
export interface PaymentOwnerTable {
  payment_intent_id: string;
  is_ours: boolean;
  asked_at: Date;
}

/** A session or payment that our key cannot read. */
export interface PaymentUnreadableTable {
  object_id: string;
  since: Date;
}

/** One row: how far the reconciliation has come. */
export interface PaymentReconciliationTable {
  name: string;
  succeeded_at: Date;
}

/** Users who may start no images, and therefore buy no credits. */
export interface PaymentSuspendedBuyerTable {
  user_id: string;
  /** Null: until it is lifted. */
  until: Date | null;
}

/** Users whose accounts are closed. From the insert on, they open no checkout and links to receipts are not stored. */
export interface PaymentClosedBuyerTable {
  user_id: string;
  closed_at: Date;
}

export interface PaymentTables {
  credit_bundle: CreditBundleTable;
  checkout: CheckoutTable;
  payment_reversal: PaymentReversalTable;
  admin_refund: AdminRefundTable;
  payment_event: PaymentEventTable;
  payment_problem: PaymentProblemTable;
  payment_owner: PaymentOwnerTable;
  payment_unreadable: PaymentUnreadableTable;
  payment_reconciliation: PaymentReconciliationTable;
  payment_closed_buyer: PaymentClosedBuyerTable;
  payment_suspended_buyer: PaymentSuspendedBuyerTable;
}

export type CheckoutRow = Selectable<CheckoutTable>;
export type AdminRefundRow = Selectable<AdminRefundTable>;
export type PaymentEventRow = Selectable<PaymentEventTable>;
