import { Logger } from '@nestjs/common';
import { doublingDelay } from '../../platform/retry-delay.js';
import { type DeliveryRecord } from './state.js';
import { type Store } from './store.js';
import { newId } from './ids.js';
import { isAcknowledged, postWebhook, signedHeaders } from '../webhook.js';

const retryDelay = doublingDelay(250, 60_000);

export type WebhookType = 'user.created' | 'user.updated' | 'user.deleted';

/**
 * Sends events to the application, signed like Svix, until it acknowledges them with 2xx. Pending deliveries are part
 * of the stored state: they are written together with their change, and sent after a restart.
 */
export class WebhookOutbox {
  private readonly logger = new Logger('ClerkSandbox');
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly sending = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private started = false;

  constructor(
    private readonly store: Store,
    private readonly url: string | null,
    private readonly secret: string,
  ) {}

  /** Starts sending, beginning with the deliveries of an earlier run. */
  start(): void {
    if (this.started) return;
    this.started = true;
    for (const delivery of this.store.state.deliveries.values()) this.schedule(delivery, 0);
  }

  /** Adds an event. Each attempt commits the store before it sends. */
  add(type: WebhookType, data: object, timestamp: number): void {
    if (this.url === null) return;
    const body = JSON.stringify({
      data,
      object: 'event',
      type,
      timestamp,
      instance_id: 'ins_sandbox',
      event_attributes: { http_request: { client_ip: '127.0.0.1', user_agent: 'clerk-sandbox' } },
    });
    const delivery: DeliveryRecord = { id: newId('msg'), body, attempts: 0 };
    this.store.state.deliveries.set(delivery.id, delivery);
    if (this.started) this.schedule(delivery, 0);
  }

  async close(): Promise<void> {
    this.stop.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    await Promise.all(this.sending);
  }

  private schedule(delivery: DeliveryRecord, delayMs: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(delivery.id);
      const attempt = this.attempt(delivery).finally(() => this.sending.delete(attempt));
      this.sending.add(attempt);
    }, delayMs).unref();
    this.timers.set(delivery.id, timer);
  }

  private async attempt(delivery: DeliveryRecord): Promise<void> {
    try {
      await this.store.commit();
      await this.send(delivery);
      this.store.state.deliveries.delete(delivery.id);
      await this.store.commit();
    } catch (error) {
      if (this.stop.signal.aborted) return;
      delivery.attempts += 1;
      if (delivery.attempts > 3) {
        const { id, attempts } = delivery;
        this.logger.warn({ message: 'A webhook was not acknowledged.', id, attempts, error });
      }
      this.schedule(delivery, retryDelay(delivery.attempts - 1));
    }
  }

  private async send(delivery: DeliveryRecord): Promise<void> {
    if (this.url === null) return;
    const headers = signedHeaders('svix', this.secret, delivery, Date.now());
    const status = await postWebhook(this.url, delivery.body, headers, this.stop.signal);
    if (!isAcknowledged(status)) throw new Error(`The receiver answered ${status}.`);
  }
}
