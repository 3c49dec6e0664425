import { Logger } from '@nestjs/common';
import { END, type EventStoreDBClient, excludeSystemEvents } from '@eventstore/db-client';

type Subscription = ReturnType<EventStoreDBClient['subscribeToAll']>;

const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 5_000;

/**
 * Notifies followers of new events through a subscription to the end of `$all`, without the server's own events. After
 * an outage it subscribes again with growing pauses of up to five seconds.
 */
export class EventStoreDbHints {
  private readonly logger = new Logger('EventStoreDB');
  private readonly listeners = new Set<() => void>();
  private subscription: Subscription | null = null;
  private reconnect: NodeJS.Timeout | null = null;
  private reconnectMs = RECONNECT_FIRST_MS;
  private closed = false;

  constructor(private readonly client: EventStoreDBClient) {}

  /** Adds a listener. The first one opens the subscription. */
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
      // Warn once per outage: followers poll meanwhile.
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
      // Events may have been appended while there was no subscription.
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
    this.reconnectMs = Math.min(this.reconnectMs * 2, RECONNECT_MAX_MS);
  }
}
