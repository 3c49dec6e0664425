import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { HOUR_MS, MINUTE_MS } from '../../contract/durations.js';
import { type Faults } from './faults.js';
import { newId } from './ids.js';
import { type DeliveryRow } from './rows.js';
import { type Store } from './store.js';
import { isAcknowledged, postWebhook } from '../webhook.js';

/** Maximum number of concurrent requests. As with Stripe, the order of events is not kept. */
const MAX_CONCURRENT = 16;

/** Back-off between attempts. Like Stripe, the sandbox gives up after about three days. */
const RETRY_DELAYS_MS = [
  ...[500, 1_000, 2_000, 5_000, 10_000, 30_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS],
  ...Array<number>(14).fill(5 * HOUR_MS),
];

/** Stripe's scheme: hex HMAC-SHA256 of `<seconds>.<body>` under the whole secret. */
function signatureOf(secret: string, timestampSeconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  return `t=${timestampSeconds},v1=${hmac}`;
}

export interface WebhooksOptions {
  readonly store: Store;
  readonly faults: Faults;
  readonly now: () => number;
  /** The receiver's address; null stores events without sending them. */
  readonly url: () => string | null;
}

/** Sends every event to the receiver, signed at the moment of sending, until the receiver acknowledges it. */
export class Webhooks {
  private readonly logger = new Logger('StripeSandbox');
  private readonly stop = new AbortController();
  private readonly sending = new Map<string, Promise<void>>();

  constructor(private readonly options: WebhooksOptions) {}

  get busy(): boolean {
    return this.sending.size > 0;
  }

  /** Schedules the delivery of an event, in the transaction that created the event. */
  enqueue(event: Stripe.Event): void {
    if (this.options.url() === null) return;
    const { copies, delayMs } = this.options.faults.forWebhook(event.type);
    for (let copy = 0; copy < Math.max(1, copies); copy += 1) {
      this.put(this.newDelivery(event.id, delayMs, copies === 0 ? 'lost' : 'pending'));
    }
  }

  /** Sends an event again, whether or not it was delivered before. */
  resend(eventId: string): void {
    this.options.store.transact(() => this.put(this.newDelivery(eventId, 0, 'pending')));
  }

  /** Body and `Stripe-Signature` of an event, signed with the current time. */
  signed(event: Stripe.Event): { readonly body: string; readonly signature: string } {
    const body = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(this.options.now() / 1000);
    return { body, signature: signatureOf(this.options.store.keys.webhookSecret, timestamp, body) };
  }

  /** Starts sending the deliveries that are due. @param whenDone called after each attempt */
  advance(whenDone: () => void): void {
    const { store, faults, now, url } = this.options;
    const target = url();
    if (faults.webhooksHeld || this.stop.signal.aborted || target === null) return;
    for (const { kind, id } of store.dueBy(now())) {
      if (this.sending.size >= MAX_CONCURRENT) return;
      if (kind !== 'delivery' || this.sending.has(id)) continue;
      const task = this.attempt(id, target)
        .catch((error: unknown) => this.logger.error({ message: 'A webhook could not be sent.', error }))
        .finally(() => {
          this.sending.delete(id);
          whenDone();
        });
      this.sending.set(id, task);
    }
  }

  /** Aborts open requests; the next process sends them again. */
  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.sending.values());
  }

  private newDelivery(eventId: string, delayMs: number, state: 'pending' | 'lost'): DeliveryRow {
    const dueAt = state === 'lost' ? null : this.options.now() + delayMs;
    return { id: newId('whd', 16), eventId, attempts: 0, dueAt, state, answer: null };
  }

  private async attempt(id: string, url: string): Promise<void> {
    const { store } = this.options;
    const row = store.get('delivery', id);
    const event = row && store.get('event', row.eventId);
    if (!row || !event) return;
    // An event must be durable before it is sent: a crash must not undo what the receiver knows.
    await store.flushed();
    const answer = await this.post(url, event.object);
    if (this.stop.signal.aborted) return;
    const acknowledged = isAcknowledged(answer);
    const delay = acknowledged ? undefined : RETRY_DELAYS_MS[row.attempts];
    store.transact(() => {
      const state = acknowledged ? 'delivered' : delay === undefined ? 'given-up' : 'pending';
      const dueAt = delay === undefined ? null : this.options.now() + delay;
      this.put({ ...row, attempts: row.attempts + 1, dueAt, state, answer });
      if (acknowledged) store.put('event', { ...event, object: { ...event.object, pending_webhooks: 0 } });
    });
    await store.flushed();
    if (!acknowledged && delay === undefined) {
      this.logger.warn({
        message: 'A webhook was never acknowledged; no more attempts follow.',
        type: event.object.type,
        answer,
      });
    }
  }

  /** The status of the response; 0 when there was none. */
  private async post(url: string, event: Stripe.Event): Promise<number> {
    const { body, signature } = this.signed(event);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (sandbox)',
      'stripe-signature': signature,
    };
    try {
      return await postWebhook(url, body, headers, this.stop.signal);
    } catch {
      // An unreachable or slow receiver counts as a refusal; the next attempt follows.
      return 0;
    }
  }

  private put(row: DeliveryRow): void {
    this.options.store.put('delivery', row);
  }
}
