import { Logger } from '@nestjs/common';
import { CHANGED_PAGES, EVERYTHING_CHANGED } from '../pages.js';
import { SessionClient, type SessionConfig } from './session.js';

const RECONNECT_MS = 1_000;
/** A connection that does not answer within this time is replaced. */
const PROBE_EVERY_MS = 10_000;

/** Receives the announced changes. */
interface PageChangesListener {
  /** The pages that show this are outdated. */
  forget(name: string): void;
  /** Whether changes are announced from now on. All pages that were drawn before are outdated. */
  follow(following: boolean): void;
}

/**
 * Listens on a connection of its own for changes of what public pages show, made by any instance. Postgres announces
 * them when they are committed. Reports when it cannot listen; it then connects again.
 */
export class PageChanges {
  private readonly logger = new Logger('Pages');
  private session: SessionClient | null = null;
  private connecting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly settings: SessionConfig,
    private readonly listener: PageChangesListener,
  ) {}

  /** Begins to listen. Resolves after the first attempt. */
  start(): Promise<void> {
    return (this.connecting ??= this.connect().finally(() => (this.connecting = null)));
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.connecting;
    const { session } = this;
    this.session = null;
    await session?.end();
  }

  private async connect(): Promise<void> {
    const session = new SessionClient({
      ...this.settings,
      application_name: 'fanvas-pages',
      connectionTimeoutMillis: PROBE_EVERY_MS,
      query_timeout: PROBE_EVERY_MS,
      keepAlive: true,
    });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      if (this.timer) clearTimeout(this.timer);
      this.session = null;
      if (this.closed) return;
      this.listener.follow(false);
      this.logger.warn(
        'The connection for changed pages was lost; pages are drawn for each request until it is back.',
        {
          reason: error?.message,
        },
      );
      session.end().catch((reason: unknown) => this.logger.debug('A session did not close cleanly.', { reason }));
      this.later(() => this.start(), RECONNECT_MS);
    };
    session.on('error', onLost);
    session.on('end', () => onLost());
    session.on('notification', ({ payload }) => {
      if (payload === undefined) return;
      if (payload === EVERYTHING_CHANGED) this.listener.follow(true);
      else this.listener.forget(payload);
    });
    try {
      await session.connect();
      await session.query(`listen ${CHANGED_PAGES}`);
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
      return;
    }
    if (lost) return;
    this.session = session;
    this.listener.follow(true);
    const probe = (): void =>
      this.later(async () => {
        try {
          await session.query('select 1');
          if (!lost && !this.closed) probe();
        } catch (error) {
          onLost(error instanceof Error ? error : undefined);
        }
      }, PROBE_EVERY_MS);
    probe();
  }

  private later(run: () => Promise<void>, ms: number): void {
    this.timer = setTimeout(() => void run(), ms);
    this.timer.unref();
  }
}
