import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/** Calls about closing an account. Closing is erasure: see docs/runbooks/closing.md. */

/** The word that a person types to close their account. Case and surrounding spaces do not matter. */
export const CLOSING_CONFIRMATION = 'CLOSE';

/** Years for which name and address of a creator with earnings stay on record, as tax law wants it for payouts. */
export const PAYOUT_RECORD_YEARS = 7;

/** Texts of refusals. */
export const CLOSING_MESSAGES = {
  /** 422 of `close_account`. */
  confirmation: `Type ${CLOSING_CONFIRMATION} to confirm that you want to close your account.`,
  /** 409 of every call that would start an image, a purchase or a report. */
  closing: 'This account is being closed. It can no longer create images, buy credits or report images.',
  /** 404 of `get_closing_receipt`. */
  receiptNotFound: 'There is no closed account with this receipt.',
  /** 404 of `get_account_closure`. */
  notClosing: 'This account is not being closed.',
} as const;

export const CLOSING_CHOICES = ['refund', 'waive'] as const;
/** Fate of unspent paid credits: their price is returned to the card, or the person gives them up. */
export type ClosingChoice = (typeof CLOSING_CHOICES)[number];

/**
 * The steps of a closure, in the order of a receipt. Some wait for others; a step that fails delays only those.
 *
 * - `hide`: nothing of the account is public, and it can start nothing.
 * - `pending`: images in progress are cancelled and refunded, also those of fans of a closing creator.
 * - `content`: images, prompts and other texts are erased, also the copies for moderators.
 * - `creator`: a creator is withdrawn: page, portrait and profile are erased.
 * - `checkouts`: open checkouts are ended.
 * - `credits`: unspent paid credits are refunded or given up.
 * - `processor`: customer records at the payment processor and links to receipts are deleted.
 * - `identity`: the user is deleted at the identity provider, and name and address are erased here.
 */
export const CLOSING_STEPS = [
  'hide',
  'pending',
  'content',
  'creator',
  'checkouts',
  'credits',
  'processor',
  'identity',
] as const;

export type ClosingStep = (typeof CLOSING_STEPS)[number];

/** The unspent credits of one purchase. */
export interface UnspentPurchase {
  /** The checkout session. */
  readonly session_id: string;
  readonly bundle_id: string;
  readonly credits: Credits;
  /** The amount that a refund returns. */
  readonly refund_cents: Cents;
}

/** `get_account_closing`: what the caller should see before they close their account, or the state of its closure. */
export interface AccountClosing {
  /** Unspent paid credits. Each image in progress returns its credits first and is not counted here. */
  readonly paid_credits: Credits;
  /** Sum of `refund_cents`. */
  readonly paid_cents: Cents;
  readonly purchases: readonly UnspentPurchase[];
  /** Daily and bonus credits. They end with the account. */
  readonly free_credits: Credits;
  /** Images in progress: they are cancelled and refunded. */
  readonly pending_images: Count;
  /** The creator that the caller is; null for fans. Closing withdraws their page. */
  readonly creator: { readonly id: string; readonly username: string; readonly name: string } | null;
  /** The word to type. */
  readonly confirmation: string;
  /** Null until `close_account`. */
  readonly closure: ClosingReceipt | null;
}

/** `close_account`. A repeated call returns the same closure with a new token; earlier tokens stay valid. */
export interface CloseAccountResponse {
  readonly success: true;
  /** Shows the receipt without a session. Shown once: only its hash is stored. */
  readonly receipt_token: string;
  readonly receipt: ClosingReceipt;
}

/** Proof of a closure. Contains no personal data. */
export interface ClosingReceipt {
  readonly closure_id: string;
  /** `finished`: every step is done. `attention`: a step keeps failing and an operator must look at it. */
  readonly status: 'running' | 'attention' | 'finished';
  /** `identity_provider`: the user was deleted there, by the person or an operator. */
  readonly requested_by: 'person' | 'identity_provider';
  readonly choice: ClosingChoice;
  readonly requested_at: Instant;
  readonly finished_at: Instant | null;
  readonly steps: readonly ClosingStepReceipt[];
}

export interface ClosingStepReceipt {
  readonly step: ClosingStep;
  readonly state: 'waiting' | 'retrying' | 'done';
  readonly done_at: Instant | null;
  /** Results of the step, for example `{ images: 12, refusals: 1 }`. Whole numbers. */
  readonly counts: readonly ClosingCount[];
}

export interface ClosingCount {
  /**
   * `images`, `files`, `refusals`, `reports`, `gallery_items`, `cancelled`, `fans_cancelled`, `fans_images_hidden`,
   * `checkouts`, `refunds`, `refunded_cents`, `refunded_credits`, `waived_credits`, `customers`, `receipts`, `users`
   */
  readonly name: string;
  readonly count: Count;
}

/** `get_account_closure` (admins). */
export interface AccountClosure extends ClosingReceipt {
  readonly user_id: string;
  /** Steps that fail: their failed attempts, and class and code of the last error. */
  readonly failures: readonly ClosingFailure[];
}

export interface ClosingFailure {
  readonly step: ClosingStep;
  readonly attempts: Count;
  readonly error: string;
  readonly retry_at: Instant;
}
