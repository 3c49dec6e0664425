import { type Delivery, type PredictionRecord } from './prediction.js';
import { isAcknowledged, postWebhook, signedHeaders } from '../webhook.js';

/** Back-off between the attempts of a final webhook, about an hour in all. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(60).fill(60_000)];

/** Sends webhooks, signed (as by Svix) with the time of sending. */
export class WebhookSender {
  private readonly stop = new AbortController();

  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** True when the receiver acknowledged it with 2xx. */
  async send(url: string, delivery: Delivery): Promise<boolean> {
    const headers = signedHeaders('webhook', this.secret, delivery, this.now());
    try {
      return isAcknowledged(await postWebhook(url, delivery.body, headers, this.stop.signal));
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
