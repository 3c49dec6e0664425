import { type FastifyPluginAsync } from 'fastify';
import type Stripe from 'stripe';
import { type TestCardName } from './cards.js';
import { type Faults } from './faults.js';
import { type RefundOrder } from './processor.js';
import { type DeliveryRow } from './rows.js';
import { type Keys } from './store.js';

/** Settings of the substitute for Stripe. */
export interface StripeSandboxOptions {
  /** The sandbox's own folder, created when missing. */
  readonly dataDir: string;
  /** The sandbox's public address, including its prefix; undefined takes it from the server once it listens. */
  readonly baseUrl?: string;
  /** Address that receives the events; undefined stores them without sending. */
  readonly webhookUrl?: string;
  readonly now?: () => Date;
  /** Delay in milliseconds before a pay-later payment ends, a pending refund ends, or a buyer disputes. */
  readonly settleAfterMs?: number;
  /** The merchant's name on the checkout page. */
  readonly business?: string;
}

/**
 * A sandbox for one-time payments, with the actions of Stripe, the buyer and the bank. Parameters named `id` accept the
 * id of a session, payment intent or charge.
 */
export interface StripeSandbox {
  /** Register it under a prefix (`STRIPE_SANDBOX_PREFIX` in the app). Scheduled work starts once the server listens. */
  readonly plugin: FastifyPluginAsync;
  readonly settings: Keys;
  readonly faults: Faults;
  /**
   * Pays as a buyer does on the checkout page.
   * @param card a name or a number
   * @returns the decline's message, or null when the card was accepted
   */
  pay(
    sessionId: string,
    card?: TestCardName | (string & {}),
    buyer?: { email?: string; name?: string },
  ): Promise<string | null>;
  /** Settles a pay-later payment now. */
  settle(sessionId: string): Promise<void>;
  /** Fails a pay-later payment now. */
  fail(sessionId: string): Promise<void>;
  expire(sessionId: string): Promise<void>;
  refund(id: string, order?: Partial<RefundOrder>): Promise<Stripe.Refund>;
  dispute(id: string, order?: { amount?: number; reason?: string }): Promise<Stripe.Dispute>;
  /** The id of a payment's dispute that the bank has not decided; null when there is none. */
  openDispute(id: string): string | null;
  closeDispute(disputeId: string, status: 'won' | 'lost'): Promise<Stripe.Dispute>;
  /** Transfers to the bank so far, latest first. The ones that are due are made when the balance is read. */
  payouts(): readonly Stripe.Payout[];
  /** The bank returns a transfer. Its amount is in the balance again. */
  failPayout(id: string): Promise<Stripe.Payout>;
  /** Adds a customer record to a session, as some settings at Stripe do. Returns its id. */
  addCustomer(sessionId: string, email: string): Promise<string>;
  /** Latest first. */
  events(): readonly Stripe.Event[];
  /** Latest first. */
  deliveries(): readonly DeliveryRow[];
  /** Sends an event again. */
  resend(eventId: string): Promise<void>;
  /** Body and `Stripe-Signature` of an event, signed with the current time. */
  signed(event: Stripe.Event): { readonly body: string; readonly signature: string };
  /** Resolves when no webhook is in flight or due. Never resolves while webhooks are held and one is due. */
  webhooksDone(): Promise<void>;
  /** Stops sending and closes the store; the next process continues pending work. */
  close(): Promise<void>;
}
