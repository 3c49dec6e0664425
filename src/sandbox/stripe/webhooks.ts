import { createHmac } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { type Faults } from './faults.js';
import { newId } from './ids.js';
import { type DeliveryRow } from './rows.js';
import { type Store } from './store.js';

const ANSWER_TIMEOUT_MS = 10_000;

/** As many are under way at once. Like Stripe's they keep no order. */
const AT_ONCE = 16;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Back-off between attempts; like Stripe, given up after about three days. */
const RETRY_DELAYS_MS = [
  SECOND / 2,
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  ...Array<number>(14).fill(5 * HOUR),
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
  /** The receiver; null: there is none, events are only kept. */
  readonly url: () => string | null;
}

/** Sends every event to the receiver, signed at the moment of sending, again and again until it is taken. */
export class Webhooks {
  private readonly logger = new Logger('StripeSandbox');
  private readonly stop = new AbortController();
  private readonly sending = new Map<string, Promise<void>>();

  constructor(private readonly options: WebhooksOptions) {}

  get busy(): boolean {
    return this.sending.size > 0;
  }

  /** Puts an event on its way; part of the transaction that made the event. */
  enqueue(event: Stripe.Event): void {
    if (this.options.url() === null) return;
    const { copies, delayMs } = this.options.faults.ofWebhook(event.type);
    for (let copy = 0; copy < Math.max(1, copies); copy += 1) {
      this.put(this.newDelivery(event.id, delayMs, copies === 0 ? 'lost' : 'pending'));
    }
  }

  /** Sends an event once more, whatever became of it before. @param delayMs from now */
  resend(eventId: string, delayMs = 0): void {
    this.options.store.transact(() => this.put(this.newDelivery(eventId, delayMs, 'pending')));
  }

  /** Body and `Stripe-Signature` of an event as they are sent now. */
  signed(event: Stripe.Event): { readonly body: string; readonly signature: string } {
    const body = JSON.stringify(event, null, 2);
    const timestamp = Math.floor(this.options.now() / 1000);
    return { body, signature: signatureOf(this.options.store.keys.webhookSecret, timestamp, body) };
  }

  /** Begins to send what is due. @param whenDone called after each attempt: there may be more to do */
  advance(whenDone: () => void): void {
    const { store, faults, now, url } = this.options;
    const target = url();
    if (faults.webhooksHeld || this.stop.signal.aborted || target === null) return;
    for (const { kind, id } of store.dueBy(now())) {
      if (this.sending.size >= AT_ONCE) return;
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

  /** Ends what is being sent; the next process sends it again. */
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
    // Nobody may hear of a change that a crash would take back.
    await store.flushed();
    const answer = await this.post(url, event.object);
    if (this.stop.signal.aborted) return;
    const taken = answer >= 200 && answer < 300;
    const delay = taken ? undefined : RETRY_DELAYS_MS[row.attempts];
    store.transact(() => {
      const state = taken ? 'delivered' : delay === undefined ? 'given-up' : 'pending';
      const dueAt = delay === undefined ? null : this.options.now() + delay;
      this.put({ ...row, attempts: row.attempts + 1, dueAt, state, answer });
      if (taken) store.put('event', { ...event, object: { ...event.object, pending_webhooks: 0 } });
    });
    await store.flushed();
    if (!taken && delay === undefined) {
      this.logger.warn({ message: 'A webhook was not taken and is given up.', type: event.object.type, answer });
    }
  }

  /** The status of the answer; 0 when there was none. */
  private async post(url: string, event: Stripe.Event): Promise<number> {
    const { body, signature } = this.signed(event);
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (sandbox)',
          'stripe-signature': signature,
        },
        signal: AbortSignal.any([this.stop.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      // Nobody listens, or too slowly: as good as a refusal, the next attempt tells.
      return 0;
    }
  }

  private put(row: DeliveryRow): void {
    this.options.store.put('delivery', row);
  }
}
