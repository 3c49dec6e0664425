import { Logger } from '@nestjs/common';
import pg from 'pg';
import { SessionClient, type SessionConfig } from './session.js';

const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 5_000;
const PROBE_MS = 5_000;

export interface ChannelListener {
  notified(payload: string): unknown;
  /** Whether notifications arrive from now on. Those of before may be lost. */
  follow?(following: boolean): unknown;
}

/**
 * Receives the notifications of Postgres (`NOTIFY`) on one connection, from the first listener on. It notices a
 * connection that is silent but not closed, and then connects again.
 */
export class Notifications {
  private readonly logger = new Logger(Notifications.name);
  private readonly channels = new Map<string, Set<ChannelListener>>();
  private session: SessionClient | null = null;
  private connecting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private reconnectMs = RECONNECT_FIRST_MS;
  private closed = false;

  /**
   * @param settings of the connection, for example those of a pool
   * @param probeMs how often the connection is probed, and how long it may take to answer; then it is replaced
   */
  constructor(
    private readonly settings: SessionConfig,
    private readonly probeMs = PROBE_MS,
  ) {}

  /** Resolves after the first attempt to listen; returns the function that removes the listener. */
  async listen(channel: string, listener: ChannelListener): Promise<() => void> {
    const known = this.channels.get(channel);
    const listeners = known ?? new Set();
    this.channels.set(channel, listeners.add(listener));
    if (!this.session) await this.connect();
    else {
      // The probe notices why it failed; the next connection listens to all channels.
      if (!known) await this.listenTo(this.session, channel).catch(() => this.session?.end());
      if (this.session) listener.follow?.(true);
    }
    return () => void listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.connecting;
    await this.session?.end();
    this.session = null;
  }

  private connect(): Promise<void> {
    clearTimeout(this.timer);
    return (this.connecting ??= this.open().finally(() => (this.connecting = null)));
  }

  private async open(): Promise<void> {
    if (this.closed) return;
    const session = new SessionClient({
      ...this.settings,
      application_name: 'fanvas-listener',
      connectionTimeoutMillis: this.probeMs,
      query_timeout: this.probeMs,
      keepAlive: true,
    });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      clearTimeout(this.timer);
      this.session = null;
      session.end().catch((reason: unknown) => this.logger.debug('A session did not close cleanly.', { reason }));
      if (this.closed) return;
      this.logger.warn('The connection for notifications was lost; connecting again.', { reason: error?.message });
      this.follow(false);
      this.later(() => this.connect(), this.reconnectMs);
      this.reconnectMs = Math.min(this.reconnectMs * 2, RECONNECT_MAX_MS);
    };
    session.on('error', onLost);
    session.on('end', () => onLost());
    session.on('notification', ({ channel, payload = '' }) =>
      this.each(this.channels.get(channel) ?? [], (listener) => listener.notified(payload)),
    );
    const probe = (): void =>
      this.later(async () => {
        try {
          await session.query('select 1');
          if (!lost && !this.closed) probe();
        } catch (error) {
          onLost(error as Error);
        }
      }, this.probeMs);
    try {
      await session.connect();
      for (const channel of this.channels.keys()) await this.listenTo(session, channel);
    } catch (error) {
      onLost(error as Error);
      return;
    }
    if (lost) return;
    this.session = session;
    this.reconnectMs = RECONNECT_FIRST_MS;
    this.follow(true);
    probe();
  }

  private async listenTo(session: SessionClient, channel: string): Promise<void> {
    await session.query(`listen ${pg.escapeIdentifier(channel)}`);
  }

  private follow(following: boolean): void {
    for (const listeners of this.channels.values()) this.each(listeners, (listener) => listener.follow?.(following));
  }

  private each(listeners: Iterable<ChannelListener>, call: (listener: ChannelListener) => void): void {
    for (const listener of [...listeners]) {
      try {
        call(listener);
      } catch (error) {
        this.logger.error('A listener for notifications failed.', error);
      }
    }
  }

  private later(run: () => Promise<void>, ms: number): void {
    this.timer = setTimeout(() => void run(), ms);
    this.timer.unref();
  }
}
