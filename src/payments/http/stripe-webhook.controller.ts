import { Controller, Inject, Logger, Req } from '@nestjs/common';
import Stripe from 'stripe';
import { type WebhookReceived } from '../../contract/routes.js';
import { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type RawBodyRequest, WEBHOOK_BODY } from '../../platform/http/json-body.js';
import { Endpoint } from '../../platform/http/routes.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { INBOX_EVENT_TYPES, type InboxEventType } from '../event-types.js';
import { type NewPaymentEvent, PaymentInbox } from '../workers/payment-inbox.js';
import { PaymentMetrics } from '../workers/payment-metrics.js';
import { PaymentWorker } from '../workers/payment-worker.js';
import { LogSampler } from '../../platform/logging/log-sampler.js';
import { STRIPE } from '../providers/stripe-client.js';

/** How far the signed time may be from ours in both directions, in seconds. */
const TOLERANCE_SECONDS = 300;

/**
 * Receives the processor's webhooks: verify, store once, answer. That is one round trip to the database; the worker
 * does the rest. A delivery only names the payment to read, so deliveries may be repeated, late or reordered.
 */
@Controller()
export class StripeWebhookController {
  private readonly logger = new Logger(StripeWebhookController.name);
  private readonly refusals = new LogSampler(10);
  private readonly secret: string | null;

  constructor(
    @Inject(PROVIDER_SETTINGS) settings: ProviderSettings,
    @Inject(STRIPE) private readonly stripe: Stripe,
    private readonly inbox: PaymentInbox,
    private readonly worker: PaymentWorker,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
  ) {
    this.secret = settings.stripe.webhookSecret;
  }

  @Endpoint('POST /webhooks/stripe', { access: 'public', ...WEBHOOK_BODY })
  async receive(@Req() request: RawBodyRequest): Promise<WebhookReceived> {
    const event = toInboxEntry(this.verified(request));
    if (!event) {
      this.metrics.webhook('ignored');
    } else if (await this.inbox.store(event)) {
      this.metrics.webhook('stored');
      this.worker.wake();
    } else {
      this.metrics.webhook('repeated');
    }
    return { received: true };
  }

  /** Checks the signature of the raw body, and that it was made within five minutes of now. */
  private verified(request: RawBodyRequest): Stripe.Event {
    if (this.secret === null) throw new ApiError(404, 'Webhooks of the payment processor are not set up.');
    const signature = request.headers['stripe-signature'];
    const body = request.rawBody?.toString('utf8') ?? '';
    const now = this.clock.now().getTime();
    const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(typeof signature === 'string' ? signature : '')?.[1]);
    try {
      // The SDK refuses only old times, so future times are refused here.
      if (!(signedAt * 1000 <= now + TOLERANCE_SECONDS * 1000)) throw new Error('Signed in the future.');
      return this.stripe.webhooks.constructEvent(
        body,
        typeof signature === 'string' ? signature : '',
        this.secret,
        TOLERANCE_SECONDS,
        undefined,
        now,
      );
    } catch (error) {
      this.metrics.webhook('refused');
      // The error's message and fields contain the unverified body.
      const skipped = this.refusals.admit('refused');
      const reason = error instanceof Error ? error.name : 'unknown';
      if (skipped !== null) this.logger.warn('A payment webhook was refused.', { reason, skipped });
      throw new ApiError(400, 'The webhook could not be verified.', { code: '42501' });
    }
  }
}

/**
 * The stored fields of an event. Null for irrelevant events.
 * @throws ApiError 400 when the signed event lacks one of them
 */
function toInboxEntry(event: unknown): NewPaymentEvent | null {
  const { id, type, created, data } = asObject(event);
  if (typeof type !== 'string') throw malformed();
  if (!isRelevant(type)) return null;
  const object = asObject(asObject(data)['object']);
  const occurredAt = new Date(Number(created) * 1000);
  const payment = object['payment_intent'] ?? null;
  const paymentId: unknown = typeof payment === 'object' && payment !== null ? asObject(payment)['id'] : payment;
  if (typeof id !== 'string' || Number.isNaN(occurredAt.getTime())) throw malformed();
  if (typeof object['id'] !== 'string' || (paymentId !== null && typeof paymentId !== 'string')) throw malformed();
  return { id, type, occurred_at: occurredAt, object_id: object['id'], payment_intent_id: paymentId };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw malformed();
  return value as Readonly<Record<string, unknown>>;
}

const malformed = (): ApiError => new ApiError(400, 'The webhook is malformed.');

function isRelevant(type: string): type is InboxEventType {
  return (INBOX_EVENT_TYPES as readonly string[]).includes(type);
}
