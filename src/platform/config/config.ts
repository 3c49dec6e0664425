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
  readonly logLevel: LogLevel;
  readonly clerk: ClerkKeys | null;
  readonly replicate: ReplicateKeys | null;
  /** How the sandboxes behave; without meaning where a provider has keys. */
  readonly sandbox: {
    /** Demo creators and galleries of the first start: all, two creators with three pictures each, or none. */
    readonly demo: 'full' | 'small' | 'none';
    /** Milliseconds that a picture takes to be drawn, after a third of it in the queue. */
    readonly drawMs: number;
  };
  /** Fault point at which the crash tests kill this process; null outside them. */
  readonly faultPoint: { readonly name: string; readonly occurrence: number } | null;
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

/** A setting is wrong. The message is a sentence that names it and says what it should be, and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
