import { type FastifyPluginAsync } from 'fastify';
import type Stripe from 'stripe';
import { type TestCardName } from './cards.js';
import { type Faults } from './faults.js';
import { type RefundOrder } from './processor.js';
import { type DeliveryRow } from './rows.js';
import { type Keys } from './store.js';

export interface StripeSandboxOptions {
  /** The sandbox's own folder; made if it is not there. */
  readonly dataDir: string;
  /** Where browsers reach it, prefix included; undefined: taken from the server once that listens. */
  readonly baseUrl?: string;
  /** Receives the events; undefined: there is no receiver. */
  readonly webhookUrl?: string;
  readonly now?: () => Date;
  /** Until a pay-later payment settles or fails, a pending refund ends, and a disputing buyer disputes; milliseconds. */
  readonly settleAfterMs?: number;
  /** Who is paid, for the checkout page. */
  readonly business?: string;
}

/** A sandbox for one-time payments, with everything that Stripe, a buyer and a bank can do. Ids may be those of sessions, payments and charges. */
export interface StripeSandbox {
  /** To be registered under a prefix, `STRIPE_SANDBOX_PREFIX` in the product. Work begins once the server listens. */
  readonly plugin: FastifyPluginAsync;
  readonly settings: Keys;
  readonly faults: Faults;
  /** Pays as a buyer does on the checkout page. @param card a name or a number @returns why it was declined, null when it was not */
  pay(
    sessionId: string,
    card?: TestCardName | (string & {}),
    buyer?: { email?: string; name?: string },
  ): Promise<string | null>;
  /** A pay-later payment settles now. */
  settle(sessionId: string): Promise<void>;
  /** A pay-later payment fails now. */
  fail(sessionId: string): Promise<void>;
  expire(sessionId: string): Promise<void>;
  refund(id: string, order?: Partial<RefundOrder>): Promise<Stripe.Refund>;
  dispute(id: string, order?: { amount?: number; reason?: string }): Promise<Stripe.Dispute>;
  closeDispute(disputeId: string, status: 'won' | 'lost'): Promise<Stripe.Dispute>;
  /** The latest first. */
  events(): readonly Stripe.Event[];
  /** The latest first. */
  deliveries(): readonly DeliveryRow[];
  /** Sends an event once more. */
  resend(eventId: string): Promise<void>;
  /** Body and `Stripe-Signature` of an event as they would be sent now. */
  signed(event: Stripe.Event): { readonly body: string; readonly signature: string };
  /** Resolves when no webhook is on its way or due; not while they are held. */
  webhooksDone(): Promise<void>;
  /** Stops sending; what is under way goes on in the next process. */
  close(): Promise<void>;
}
