import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { Notifications } from '../database/notifications.js';

const CHANNEL = 'event_appended';
/** At most one notification in this interval: NOTIFY locks the whole database at commit. */
const NOTIFY_EVERY_MS = 20;

/**
 * Notifies followers of new events: those of this process at once, other processes through NOTIFY, outside the
 * appending transaction. A hint only; followers must also poll.
 */
export class AppendSignal {
  private readonly logger = new Logger(AppendSignal.name);
  private readonly listeners = new Set<() => void>();
  private listening: Promise<unknown> | null = null;
  private readonly notifications: Notifications;
  private pause: NodeJS.Timeout | null = null;
  private notifyAgain = false;
  private notifying: Promise<void> | null = null;
  private closed = false;

  /** @param shared the notifications of the process; without them it opens a connection of its own */
  constructor(
    private readonly pool: Pool,
    private readonly shared: Notifications | null,
  ) {
    this.notifications = shared ?? new Notifications(pool.options);
  }

  /** Call it after an append. */
  appended(): void {
    this.wake();
    if (this.closed) return;
    if (this.pause || this.notifying) this.notifyAgain = true;
    else this.notifying = this.notify();
  }

  /** Adds a listener. From the first one on, it receives the notifications of other processes. */
  listen(listener: () => void): () => void {
    const own = (): void => listener();
    this.listeners.add(own);
    this.listening ??= this.notifications.listen(CHANNEL, {
      notified: () => this.wake(),
      // Events may have been appended while nothing was received.
      follow: (following) => following && this.wake(),
    });
    return () => void this.listeners.delete(own);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.pause) clearTimeout(this.pause);
    await this.notifying;
    if (!this.shared) await this.notifications.close();
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
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
