import { createHmac } from 'node:crypto';
import { type Delivery, type PredictionRecord } from './prediction.js';

const ANSWER_TIMEOUT_MS = 10_000;

/** Back-off between the attempts of a final webhook, about an hour in all. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(60).fill(60_000)];

/** Replicate's (Svix's) scheme: base64 HMAC-SHA256 of `<id>.<seconds>.<body>` under the decoded secret. */
function signWebhook(secret: string, id: string, timestampSeconds: number, body: string): string {
  const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}

/** Sends webhooks, signed with the time of sending. */
export class WebhookSender {
  private readonly stop = new AbortController();

  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** True when the receiver acknowledged it with 2xx. */
  async send(url: string, delivery: Delivery): Promise<boolean> {
    const timestamp = Math.floor(this.now() / 1000);
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body: delivery.body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': delivery.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signWebhook(this.secret, delivery.id, timestamp, delivery.body),
        },
        signal: AbortSignal.any([this.stop.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      // An unreachable or slow receiver counts as a refusal; the next attempt follows.
      return false;
    }
  }

  /** Aborts open requests, which then count as not acknowledged. */
  close(): void {
    this.stop.abort();
  }
}

/**
 * Records a failed attempt. Only final webhooks are retried.
 * @returns false when no attempt is left
 */
export function scheduleRetry(record: PredictionRecord, delivery: Delivery, now: number): boolean {
  const delay = delivery.event === 'completed' ? RETRY_DELAYS_MS[delivery.attempts] : undefined;
  delivery.attempts += 1;
  if (delay === undefined) {
    record.deliveries = record.deliveries.filter((other) => other !== delivery);
    return false;
  }
  delivery.dueAt = now + delay;
  return true;
}
