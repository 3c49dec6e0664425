import type Stripe from 'stripe';
import { type TestCard } from './cards.js';
import { newId } from './ids.js';
import { all } from '../same-fields.js';

/** The API version of the sandbox's responses and events. */
export const API_VERSION = '2026-10-28.endive';

/** New objects as the API returns them, with every field of the SDK's types. Times are in seconds. */

/** Fields of a session as the shop orders them. */
export type OrderedFields = Pick<
  Stripe.Checkout.Session,
  'cancel_url' | 'client_reference_id' | 'customer_email' | 'metadata' | 'success_url'
>;

type NewSession = OrderedFields &
  Pick<Stripe.Checkout.Session, 'created' | 'currency' | 'expires_at'> & { readonly amount: number };

export function newSession({ amount, ...fields }: NewSession): Stripe.Checkout.Session {
  return {
    ...fields,
    id: newId('cs_test', 40),
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    ...all(null, 'after_expiration allow_promotion_codes allowed_payment_method_types billing_address_collection'),
    ...all(null, 'client_secret collected_information consent consent_collection currency_conversion customer'),
    ...all(null, 'customer_account integration_identifier invoice invoice_creation locale managed_payments'),
    ...all(null, 'origin_context payment_intent payment_link payment_method_configuration_details'),
    ...all(null, 'payment_method_options permissions recovered_from saved_payment_method_options setup_intent'),
    ...all(null, 'shipping_address_collection shipping_cost submit_type subscription url wallet_options'),
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    custom_fields: [],
    discounts: [],
    shipping_options: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer_creation: 'if_required',
    customer_details: fields.customer_email === null ? null : customerDetails(fields.customer_email, null),
    livemode: false,
    mode: 'payment',
    payment_method_collection: 'if_required',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
  };
}

export function customerDetails(email: string, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    ...all(null, 'address business_name individual_name phone tax_ids'),
    email,
    name,
    tax_exempt: 'none',
  };
}

export interface NewLineItem {
  readonly created: number;
  readonly currency: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
}

export function newLineItem(item: NewLineItem): Stripe.LineItem {
  const amount = item.unitAmount * item.quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: item.currency,
    description: item.name,
    metadata: {},
    price: {
      id: newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: item.created,
      currency: item.currency,
      ...all(null, 'custom_unit_amount lookup_key nickname recurring tiers_mode transform_quantity'),
      ...all(null, 'unit_amount_decimal'),
      livemode: false,
      metadata: {},
      product: newId('prod', 14),
      tax_behavior: 'unspecified',
      type: 'one_time',
      unit_amount: item.unitAmount,
    },
    quantity: item.quantity,
  };
}

type NewPaymentIntent = Pick<Stripe.PaymentIntent, 'amount' | 'created' | 'currency' | 'description' | 'metadata'>;

export function newPaymentIntent(fields: NewPaymentIntent): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    ...fields,
    id,
    object: 'payment_intent',
    ...all(null, 'allowed_payment_method_types application application_fee_amount automatic_payment_methods'),
    ...all(null, 'canceled_at cancellation_reason customer customer_account excluded_payment_method_types'),
    ...all(null, 'last_payment_error latest_charge managed_payments next_action on_behalf_of payment_method'),
    ...all(null, 'payment_method_configuration_details payment_method_options payment_record processing receipt_email'),
    ...all(null, 'review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix'),
    ...all(null, 'transfer_group'),
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    livemode: false,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  };
}

export interface NewCharge {
  readonly card: TestCard;
  readonly created: number;
  readonly customer: { readonly email: string; readonly name: string | null };
  readonly payment: Stripe.PaymentIntent;
  readonly status: 'succeeded' | 'pending' | 'failed';
}

export function newCharge({ card, created, customer, payment, status }: NewCharge): Stripe.Charge {
  return {
    id: newId('ch'),
    object: 'charge',
    amount: payment.amount,
    amount_captured: status === 'succeeded' ? payment.amount : 0,
    amount_refunded: 0,
    ...all(null, 'application application_fee application_fee_amount balance_transaction customer'),
    ...all(null, 'failure_balance_transaction failure_code failure_message on_behalf_of outcome receipt_email'),
    ...all(null, 'receipt_number receipt_url review shipping source source_transfer statement_descriptor'),
    ...all(null, 'statement_descriptor_suffix transfer_data transfer_group'),
    billing_details: { address: null, email: customer.email, name: customer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX',
    captured: status !== 'failed',
    created,
    currency: payment.currency,
    description: payment.description,
    ...all(false, 'disputed livemode refunded'),
    fraud_details: {},
    metadata: payment.metadata,
    paid: status !== 'failed',
    payment_intent: payment.id,
    payment_method: newId('pm'),
    payment_method_details: { type: 'card', card: cardDetails(card) },
    status,
  };
}

function cardDetails(card: TestCard): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    ...all(null, 'amount_authorized authorization_code electronic_commerce_indicator installments mandate'),
    ...all(null, 'network_transaction_id three_d_secure transaction_link_id wallet'),
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    exp_month: 12,
    exp_year: 2034,
    funding: 'credit',
    last4: card.number.slice(-4),
    network: card.brand,
    regulated_status: 'unregulated',
  };
}

type NewRefund = Pick<Stripe.Refund, 'amount' | 'created' | 'metadata' | 'reason' | 'status'> & OfCharge;

/** The charge that a refund or a dispute is about. */
interface OfCharge {
  readonly charge: Stripe.Charge;
}

export function newRefund({ charge, ...fields }: NewRefund): Stripe.Refund {
  return {
    ...fields,
    id: newId('re'),
    object: 'refund',
    ...all(null, 'balance_transaction customer customer_account receipt_number source_transfer_reversal'),
    ...all(null, 'transfer_reversal'),
    charge: charge.id,
    currency: charge.currency,
    destination_details: { type: 'card', card: { type: 'refund', reference_status: 'pending' } },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
  };
}

const WEEK_SECONDS = 7 * 24 * 60 * 60;

type NewDispute = Pick<Stripe.Dispute, 'amount' | 'created' | 'reason'> & OfCharge;

export function newDispute({ charge, ...fields }: NewDispute): Stripe.Dispute {
  return {
    ...fields,
    id: newId('du'),
    object: 'dispute',
    balance_transactions: [],
    charge: charge.id,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...all(null, 'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure'),
      ...all(null, 'cancellation_rebuttal customer_communication customer_purchase_ip customer_signature'),
      ...all(null, 'duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id'),
      ...all(null, 'product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation'),
      ...all(null, 'service_date service_documentation shipping_address shipping_carrier shipping_date'),
      ...all(null, 'shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text'),
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: fields.created + WEEK_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    status: 'needs_response',
  };
}

type NewBalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  'amount' | 'available_on' | 'created' | 'currency' | 'fee' | 'reporting_category' | 'source' | 'type'
>;

export function newBalanceTransaction(fields: NewBalanceTransaction): Stripe.BalanceTransaction {
  const { amount, fee, currency } = fields;
  const detail = { application: null, currency, description: 'Processing fees', type: 'stripe_fee' };
  return {
    ...fields,
    id: newId('txn'),
    object: 'balance_transaction',
    net: amount - fee,
    balance_type: 'payments',
    description: null,
    exchange_rate: null,
    fee_details: fee === 0 ? [] : [{ ...detail, amount: fee }],
    status: 'pending',
  };
}

type NewPayout = Pick<Stripe.Payout, 'id' | 'amount' | 'balance_transaction' | 'created' | 'currency'>;

export function newPayout(fields: NewPayout): Stripe.Payout {
  return {
    ...fields,
    object: 'payout',
    ...all(null, 'application_fee application_fee_amount destination failure_balance_transaction failure_code'),
    ...all(null, 'failure_message original_payout payout_method reversed_by statement_descriptor trace_id'),
    arrival_date: fields.created,
    automatic: true,
    description: 'STRIPE PAYOUT',
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'completed',
    source_type: 'card',
    status: 'paid',
    type: 'bank_account',
  };
}
