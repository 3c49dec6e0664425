import pg from 'pg';
import { refuseSecondConnection } from './one-connection.js';

export interface SessionConfig extends pg.ClientConfig {
  /** Settings by their names, beyond what every session has. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The address is that of a pooler in transaction mode. Each transaction may have another session of the server, so
   * the sessions have the defaults of the user (`pooled-sessions.ts`), and no statement is prepared.
   */
  readonly pooled?: boolean;
}

/**
 * Settings that the code relies on, regardless of the defaults of the server, the database, the user and a pooler:
 * times that the driver can read, the isolation that each statement was written for, and no time limit but ours.
 */
export const NEEDED_SETTINGS: Readonly<Record<string, string>> = {
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

/** Settings that PgBouncer keeps for each client. */
const KEPT_BY_POOLERS = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', standard_conforming_strings: 'on' };

/** Settings of a connection to the server itself. */
const OF_CONNECTION: Readonly<Record<string, string>> = {
  // A machine that lost its network gives its locks back within 90 seconds; by default the server waits two hours.
  tcp_keepalives_idle: '60',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};

/** Settings that Postgres 14 does not know. */
const NEWER: Readonly<Record<string, string>> = { transaction_timeout: '0' };

/** SQLSTATE of a write that the server refuses because it only reads, such as a standby after a failover. */
const READ_ONLY = '25006';
/** Event of a session in which that happened. */
const WRITE_REFUSED = 'writeRefused' as 'error';
/** Event of a session that may still be busy with a statement, while its caller no longer waits for the answer. */
const ABANDONED = 'abandoned' as 'error';

/**
 * A connection whose first statement sets what the product needs (ADR 62), unless a pooler shares its sessions. A
 * pooler refuses startup parameters that it does not know, so only those are sent to it that every pooler keeps for
 * each client.
 */
export class SessionClient extends pg.Client {
  private readonly settings: Readonly<Record<string, string>>;
  protected readonly pooled: boolean;

  constructor({ settings = {}, pooled = false, ...config }: SessionConfig = {}) {
    super(config);
    this.settings = settings;
    this.pooled = pooled;
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY && settings['default_transaction_read_only'] !== 'on') this.emit(WRITE_REFUSED);
    });
  }

  /**
   * Ends the session because its caller no longer waits for an answer. The caller still gives it back, and its pool
   * gives it to no other caller.
   */
  protected abandon(): void {
    this.emit(ABANDONED);
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
    setImmediate(() => connection.stream.destroy());
  }

  /** Without them, a pooler in transaction mode sets those of its first session for this client. */
  getStartupConf(): Record<string, unknown> {
    const parent = pg.Client.prototype as unknown as { getStartupConf(): Record<string, unknown> };
    return { ...parent.getStartupConf.call(this), ...(this.pooled ? KEPT_BY_POOLERS : {}) };
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    const connected = this.open();
    if (!callback) return connected;
    connected.then(() => (callback as () => void)(), callback);
  }

  private async open(): Promise<this> {
    await super.connect();
    if (this.pooled) return this;
    // Without a listener, the loss of the connection would end the process. The statement fails then.
    const ignore = (): void => undefined;
    this.on('error', ignore);
    try {
      await super.query(settingsStatement({ ...NEEDED_SETTINGS, ...OF_CONNECTION, ...this.settings }));
    } catch (error) {
      await this.end().catch(ignore);
      throw error;
    } finally {
      this.off('error', ignore);
    }
    return this;
  }
}

function settingsStatement(settings: Readonly<Record<string, string>>): string {
  const set = ([name, value]: [string, string]): string =>
    `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`;
  const newer = Object.entries(NEWER).map(
    ([name, value]) => `case when current_setting('${name}', true) is not null then ${set([name, value])} end`,
  );
  return `select ${[...Object.entries(settings).map(set), ...newer].join(', ')}`;
}

/**
 * A pool of such connections. An abandoned one is replaced before its next use. When a server refuses one write, all
 * connections that were open by then are: after a failover they lead to a server that only reads.
 */
export class SessionPool extends pg.Pool {
  /** Connections that were opened since the last refused write, without the abandoned ones. */
  private readonly usable = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig & SessionConfig) {
    super({ Client: SessionClient, ...options });
    this.on('connect', (client) => {
      this.usable.add(client);
      client.on(WRITE_REFUSED, () => this.usable.clear());
      client.on(ABANDONED, () => this.usable.delete(client));
    });
    this.on('remove', (client) => this.usable.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void;
  override connect(callback?: (...args: never[]) => void): Promise<pg.PoolClient> | void {
    const connected = this.checkOut();
    if (!callback) return connected;
    const call = callback as (...args: unknown[]) => void;
    connected.then(
      (client) => call(undefined, client, (error?: Error) => client.release(error)),
      (error: unknown) => call(error, undefined, () => undefined),
    );
  }

  private async checkOut(): Promise<pg.PoolClient> {
    refuseSecondConnection(this);
    for (;;) {
      const client = await super.connect();
      if (this.usable.has(client)) return client;
      client.release(true);
    }
  }
}
