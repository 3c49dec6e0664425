import type { KeyObject } from 'node:crypto';

/** Injection token of the `Config`. */
export const CONFIG = Symbol('CONFIG');

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The settings of one process, read once at its start. A provider that is null gets its sandbox. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Origin under which browsers reach us, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `X-Forwarded-*` of a proxy in front is believed. */
  readonly trustProxy: boolean;
  /** Absolute path; embedded Postgres, media and sandbox state live here. */
  readonly dataDir: string;
  /** null: the embedded Postgres. */
  readonly databaseUrl: string | null;
  /** null: events are kept in Postgres. Else an EventStoreDB or KurrentDB, as `esdb://…` or `esdb+discover://…`. */
  readonly eventStoreUrl: string | null;
  readonly logLevel: LogLevel;
  /** Whoever sends it may read `/metrics`; null: programs on this machine may. */
  readonly metricsToken: string | null;
  readonly ledger: LedgerSettings;
  readonly clerk: ClerkKeys | null;
  readonly replicate: ReplicateKeys | null;
  readonly stripe: StripeKeys | null;
  /** How the sandboxes behave; without meaning where a provider has keys. */
  readonly sandbox: {
    /** Demo creators and galleries of the first start: all, two creators with three pictures each, or none. */
    readonly demo: 'full' | 'small' | 'none';
    /** Milliseconds that a picture takes to be drawn, after a third of it in the queue. */
    readonly drawMs: number;
    /** Milliseconds until a pay-later payment settles. */
    readonly settleMs: number;
  };
  /** Fault point at which the crash tests kill this process; null outside them. */
  readonly faultPoint: { readonly name: string; readonly occurrence: number } | null;
}

/** How the ledger is signed, and where its seals go besides `DATA_DIR/ledger-seals`. */
export interface LedgerSettings {
  /** A private Ed25519 key; null: one that is kept in the data folder. */
  readonly signingKey: KeyObject | null;
  /** Absolute path; null: nowhere else. */
  readonly sealDir: string | null;
  /** Address below which each seal is put by HTTPS; null: none is sent. */
  readonly sealUrl: string | null;
  /** Sent with it as a bearer token; null: none. */
  readonly sealToken: string | null;
}

export interface ClerkKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly webhookSecret: string | null;
}

export interface ReplicateKeys {
  readonly apiToken: string;
  readonly webhookSecret: string | null;
}

export interface StripeKeys {
  readonly secretKey: string;
  readonly webhookSecret: string | null;
}

/** A setting is wrong. The message is a sentence that names it and says what it should be, and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
