import { IsNotEmpty, IsNumber } from 'class-validator';
import { MAX_AMOUNT, REASON_MAX_LENGTH } from '../limits.js';
import {
  type CheckoutLookup,
  type CheckoutResponse,
  type CreditBundle,
  type PaymentProblem,
  type Purchase,
  type RefundPurchaseResponse,
} from '../payments.js';
import { type Credits, type NoParameters, type Success } from '../scalars.js';
import { ID_LENGTH, IsId, IsText, IsWhole, Optional, RequiredLater } from './fields.js';
import { PageRequest } from './shared.js';

const URL_LENGTH = 500;

/** Body of the function `create-checkout-session`. Credits and price are only checked against the server's own. */
export class CheckoutRequest {
  /** Not used: the e-mail address of the mirrored user is used. */
  @Optional(IsText(320))
  userEmail?: string;

  @RequiredLater(IsText(ID_LENGTH))
  bundleId!: string | undefined;

  /** @TJS-type integer */
  @RequiredLater(IsNumber())
  bundleCredits!: Credits | undefined;

  /** US dollars. */
  @RequiredLater(IsNumber())
  bundlePrice!: number | undefined;

  /** On our origin: `/payment-success?session_id={CHECKOUT_SESSION_ID}`. */
  @IsText(URL_LENGTH)
  successUrl!: string;

  /** On our origin: `/payment-canceled`. */
  @IsText(URL_LENGTH)
  cancelUrl!: string;
}

export class CheckoutLookupRequest {
  @Optional(IsText(ID_LENGTH))
  sessionId?: string | null;
}

export class DismissProblemRequest {
  /** `subject` and `kind` of the problem. */
  @IsNotEmpty()
  @IsText(ID_LENGTH)
  p_subject!: string;

  @IsNotEmpty()
  @IsText(40)
  p_kind!: string;

  /** Stored permanently: must not name a person. */
  @IsNotEmpty()
  @IsText(REASON_MAX_LENGTH)
  p_reason!: string;
}

export class RefundPurchaseRequest {
  /** The checkout session. */
  @IsNotEmpty()
  @IsText(ID_LENGTH)
  p_session_id!: string;

  /** Default: all that are unspent. */
  @Optional(IsWhole(1, MAX_AMOUNT))
  p_credits?: Credits | null;

  /** Stored permanently: must not name a person. */
  @IsNotEmpty()
  @IsText(REASON_MAX_LENGTH)
  p_reason!: string;

  /** Chosen by the caller. A repeated id is the same refund. */
  @Optional(IsId())
  p_request_id?: string | null;
}

export interface PaymentCalls {
  /** The bundles for sale, the cheapest first. */
  get_credit_bundles: { request: NoParameters; response: CreditBundle[] };
  /** A page of the caller's purchases, newest first. */
  get_user_purchases_by_jwt: { request: PageRequest; response: Purchase[] };
  /** Payments that need a person, and those that keep failing; the oldest first. */
  get_payment_problems: { request: NoParameters; response: PaymentProblem[] };
  /** Ends a problem that needs nothing. It comes back only when it changes. A `refund_failing` cannot be dismissed. */
  dismiss_payment_problem: { request: DismissProblemRequest; response: Success };
  /** Refunds unspent credits of a purchase. */
  refund_purchase: { request: RefundPurchaseRequest; response: RefundPurchaseResponse };
}

export interface PaymentFunctions {
  /** Opens a checkout and returns the URL at which the user pays. */
  'create-checkout-session': { request: CheckoutRequest; response: CheckoutResponse };
  /** The state of a checkout of the caller. */
  'get-checkout-session': { request: CheckoutLookupRequest; response: CheckoutLookup };
}
