import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { SessionClient } from '../database/session.js';

const CHANNEL = 'event_appended';
/** At most one notification in this interval: NOTIFY locks the whole database at commit. */
const NOTIFY_EVERY_MS = 20;
const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 5_000;

/**
 * Notifies followers of new events: those of this process at once, other processes through NOTIFY, outside the
 * appending transaction. A hint only; followers must also poll.
 */
export class AppendSignal {
  private readonly logger = new Logger(AppendSignal.name);
  private readonly listeners = new Set<() => void>();
  private session: SessionClient | null = null;
  private reconnect: NodeJS.Timeout | null = null;
  private reconnectMs = RECONNECT_FIRST_MS;
  private connecting: Promise<void> | null = null;
  private pause: NodeJS.Timeout | null = null;
  private notifyAgain = false;
  private notifying: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly pool: Pool) {}

  /** Call it after an append. */
  appended(): void {
    this.wake();
    if (this.closed) return;
    if (this.pause || this.notifying) this.notifyAgain = true;
    else this.notifying = this.notify();
  }

  /** Adds a listener. The first one opens the connection that receives the notifications of other processes. */
  listen(listener: () => void): () => void {
    const own = (): void => listener();
    this.listeners.add(own);
    if (!this.session && !this.reconnect && !this.connecting) this.connecting = this.connect();
    return () => void this.listeners.delete(own);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.reconnect) clearTimeout(this.reconnect);
    if (this.pause) clearTimeout(this.pause);
    await Promise.all([this.connecting, this.notifying]);
    await this.session?.end();
    this.session = null;
  }

  private wake(): void {
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        this.logger.error('A listener for new events failed.', error);
      }
    }
  }

  private async notify(): Promise<void> {
    this.notifyAgain = false;
    try {
      await this.pool.query(`select pg_notify('${CHANNEL}', '')`);
    } catch (error) {
      this.logger.debug('Other instances were not notified of new events; they will find them by polling.', {
        reason: reasonOf(error),
      });
    }
    this.notifying = null;
    if (this.closed) return;
    this.pause = setTimeout(() => {
      this.pause = null;
      if (this.notifyAgain && !this.closed) this.notifying = this.notify();
    }, NOTIFY_EVERY_MS);
    this.pause.unref();
  }

  private async connect(): Promise<void> {
    const session = new SessionClient({ ...this.pool.options, application_name: 'fanvas-listener' });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      if (this.session === session) this.session = null;
      if (this.closed) return;
      this.logger.warn('The connection for notifications of new events was lost; connecting again.', {
        reason: error?.message,
      });
      this.reconnectLater();
    };
    session.on('error', onLost);
    session.on('end', () => onLost());
    session.on('notification', () => this.wake());
    try {
      await session.connect();
      await session.query(`listen ${CHANNEL}`);
      if (this.closed) {
        await session.end();
      } else if (!lost) {
        this.session = session;
        this.reconnectMs = RECONNECT_FIRST_MS;
        // Events may have been appended while the connection was closed.
        this.wake();
      }
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
      await session
        .end()
        .catch((reason: unknown) => this.logger.debug('A session did not close cleanly.', { reason: String(reason) }));
    } finally {
      this.connecting = null;
    }
  }

  private reconnectLater(): void {
    this.reconnect = setTimeout(() => {
      this.reconnect = null;
      if (!this.closed) this.connecting = this.connect();
    }, this.reconnectMs);
    this.reconnect.unref();
    this.reconnectMs = Math.min(this.reconnectMs * 2, RECONNECT_MAX_MS);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
