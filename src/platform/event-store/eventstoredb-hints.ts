import { Logger } from '@nestjs/common';
import { END, type EventStoreDBClient, excludeSystemEvents } from '@eventstore/db-client';

type Subscription = ReturnType<EventStoreDBClient['subscribeToAll']>;

const RECONNECT_FIRST_MS = 250;
const RECONNECT_MOST_MS = 5_000;

/**
 * Tells followers that there may be something to read: a subscription to the end of `$all`, without the server's own events. It
 * is taken up again after an outage, first soon, then every five seconds.
 */
export class EventStoreDbHints {
  private readonly logger = new Logger('EventStoreDB');
  private readonly listeners = new Set<() => void>();
  private subscription: Subscription | null = null;
  private reconnect: NodeJS.Timeout | null = null;
  private reconnectMs = RECONNECT_FIRST_MS;
  private closed = false;

  constructor(private readonly client: EventStoreDBClient) {}

  /** The first listener opens the subscription. */
  listen(listener: () => void): () => void {
    const own = (): void => listener();
    this.listeners.add(own);
    if (!this.subscription && !this.reconnect) this.subscribe();
    return () => void this.listeners.delete(own);
  }

  wake(): void {
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        this.logger.error('A listener for new events failed.', error);
      }
    }
  }

  close(): void {
    this.closed = true;
    if (this.reconnect) clearTimeout(this.reconnect);
    this.subscription = null;
  }

  private subscribe(): void {
    if (this.closed) return;
    const subscription = this.client.subscribeToAll({ fromPosition: END, filter: excludeSystemEvents() });
    this.subscription = subscription;
    const onLost = (error?: Error): void => {
      if (this.subscription !== subscription) return;
      this.subscription = null;
      // Once an outage; followers find new events by polling meanwhile.
      const first = this.reconnectMs === RECONNECT_FIRST_MS;
      this.logger[first ? 'warn' : 'debug']('The subscription to new events was lost; subscribing again.', {
        reason: error?.message,
      });
      this.subscribeLater();
    };
    subscription.on('error', onLost);
    subscription.on('end', () => onLost());
    subscription.on('close', () => onLost());
    subscription.on('confirmation', () => {
      this.reconnectMs = RECONNECT_FIRST_MS;
      // Something may have come while nobody listened.
      this.wake();
    });
    subscription.on('data', () => this.wake());
  }

  private subscribeLater(): void {
    this.reconnect = setTimeout(() => {
      this.reconnect = null;
      this.subscribe();
    }, this.reconnectMs);
    this.reconnect.unref();
    this.reconnectMs = Math.min(this.reconnectMs * 2, RECONNECT_MOST_MS);
  }
}
