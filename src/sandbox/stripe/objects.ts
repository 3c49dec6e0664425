import type Stripe from 'stripe';
import { type TestCard } from './cards.js';
import { newId } from './ids.js';

/** The API version of the sandbox's responses and events. */
export const API_VERSION = '2026-10-28.endive';

/** New objects as the API returns them, with every field of the SDK's types. Times are in seconds. */

export interface NewSession {
  readonly amount: number;
  readonly currency: string;
  readonly cancelUrl: string | null;
  readonly clientReferenceId: string | null;
  readonly created: number;
  readonly email: string | null;
  readonly expiresAt: number;
  readonly metadata: Record<string, string>;
  readonly successUrl: string;
}

export function newSession(order: NewSession): Stripe.Checkout.Session {
  return {
    id: newId('cs_test', 40),
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: order.amount,
    amount_total: order.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: order.cancelUrl,
    client_reference_id: order.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: order.created,
    currency: order.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: order.email === null ? null : customerDetails(order.email, null),
    customer_email: order.email,
    discounts: [],
    expires_at: order.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: order.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: order.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: null,
    wallet_options: null,
  };
}

export function customerDetails(email: string, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
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
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod', 14),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: item.unitAmount,
      unit_amount_decimal: null,
    },
    quantity: item.quantity,
  };
}

export interface NewPaymentIntent {
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
}

export function newPaymentIntent(payment: NewPaymentIntent): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: payment.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: payment.created,
    currency: payment.currency,
    customer: null,
    customer_account: null,
    description: payment.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: payment.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
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
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: customer.email, name: customer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX',
    captured: status !== 'failed',
    created,
    currency: payment.currency,
    customer: null,
    description: payment.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: payment.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: status !== 'failed',
    payment_intent: payment.id,
    payment_method: newId('pm'),
    payment_method_details: { type: 'card', card: cardDetails(card) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
}

function cardDetails(card: TestCard): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: null,
    authorization_code: null,
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2034,
    funding: 'credit',
    installments: null,
    last4: card.number.slice(-4),
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

export interface NewRefund {
  readonly amount: number;
  readonly charge: Stripe.Charge;
  readonly created: number;
  readonly metadata: Record<string, string>;
  readonly reason: Stripe.Refund.Reason | null;
  readonly status: 'succeeded' | 'pending';
}

export function newRefund({ amount, charge, created, metadata, reason, status }: NewRefund): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund', reference_status: 'pending' } },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
}

export interface NewDispute {
  readonly amount: number;
  readonly charge: Stripe.Charge;
  readonly created: number;
  readonly reason: string;
}

const WEEK = 7 * 24 * 60 * 60;

export function newDispute({ amount, charge, created, reason }: NewDispute): Stripe.Dispute {
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: created + WEEK,
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
    reason,
    status: 'needs_response',
  };
}

export interface NewBalanceTransaction {
  readonly amount: number;
  readonly fee: number;
  readonly availableOn: number;
  readonly category: string;
  readonly created: number;
  readonly currency: string;
  readonly source: string;
  readonly type: Stripe.BalanceTransaction.Type;
}

export function newBalanceTransaction(booked: NewBalanceTransaction): Stripe.BalanceTransaction {
  const { amount, fee, created, currency, source, type } = booked;
  const detail = { application: null, currency, description: 'Processing fees', type: 'stripe_fee' };
  return {
    ...{ id: newId('txn'), object: 'balance_transaction', amount, fee, net: amount - fee, created, currency },
    available_on: booked.availableOn,
    balance_type: 'payments',
    description: null,
    exchange_rate: null,
    fee_details: fee === 0 ? [] : [{ ...detail, amount: fee }],
    reporting_category: booked.category,
    source,
    status: 'pending',
    type,
  };
}

export interface PaidOut {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly transaction: string;
}

export function newPayout({ id, amount, created, currency, transaction }: PaidOut): Stripe.Payout {
  return {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created,
    automatic: true,
    balance_transaction: transaction,
    created,
    currency,
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  };
}
