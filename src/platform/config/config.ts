import { OperatorMistake } from '../operator-mistake.js';
import type { KeyObject } from 'node:crypto';
import { type S3Address } from '../storage/s3-address.js';

/** Injection token of the `Config`. */
export const CONFIG = Symbol('CONFIG');

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The settings of one process, read once at its start. A provider that is null runs as a sandbox. */
export interface Config {
  readonly production: boolean;
  /** Parts of the work of the app that this process does: it serves requests, does scheduled work, or both. */
  readonly roles: { readonly web: boolean; readonly worker: boolean };
  readonly host: string;
  readonly port: number;
  /** Public origin of the app, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether to trust `X-Forwarded-*` of the proxy in front. */
  readonly trustProxy: boolean;
  /** Open connections that one address may have; not limited while `trustProxy` is set. */
  readonly maxConnectionsPerAddress: number;
  /** Absolute path; embedded Postgres, media and sandbox state live here. */
  readonly dataDir: string;
  /** Where pictures are stored. */
  readonly media: MediaSettings;
  /** null: the embedded Postgres. */
  readonly databaseUrl: string | null;
  /**
   * The same database and user without a pooler, for locks, notifications and background work. `databaseUrl` may then
   * lead to a pooler in transaction mode. null: `databaseUrl` serves all.
   */
  readonly databaseDirectUrl: string | null;
  /** Most connections of this process to the database. */
  readonly databaseConnections: number;
  /** The same database with the user that owns its tables and runs migrations; null: the user of `databaseUrl`. */
  readonly databaseMigrationUrl: string | null;
  /** Whether the start runs the migrations; otherwise `npm run migrate` does. */
  readonly migrates: boolean;
  /** The same database with a user that only reads, for the commands that audit; null: the user of `databaseUrl`. */
  readonly databaseAuditUrl: string | null;
  /**
   * null: events are stored in Postgres. Otherwise an EventStoreDB or KurrentDB, as `esdb://host`, `esdb://host1,host2`
   * or `esdb+discover://name`.
   */
  readonly eventStoreUrl: string | null;
  readonly logLevel: LogLevel;
  /** Whether traces are sent. OpenTelemetry's SDK reads the other settings of traces itself. */
  readonly tracing: boolean;
  /** Blocks of the event loop that last as long or longer are logged, in milliseconds. */
  readonly eventLoopWarnMs: number;
  /** Clients that send it may read `/metrics`; null: programs on this machine may. */
  readonly metricsToken: string | null;
  readonly credits: {
    /** Credits of the daily grant. */
    readonly dailyGrantCredits: number;
    /** Credits that one admin may grant a UTC day. */
    readonly adminGrantLimitCredits: number;
  };
  /** A payout below this amount waits for the next run. US cents. */
  readonly payoutMinimumCents: number;
  readonly ledger: LedgerSettings;
  /** Encrypts the keys in the database, 32 bytes; null: keys that are not given are in the data folder. */
  readonly masterKey: Buffer | null;
  /** The next master key, for `npm run keys -- rotate`; null: none. */
  readonly nextMasterKey: Buffer | null;
  /** Key of the claims of the sign-up bonus, 32 bytes; null: the installation's own key. */
  readonly bonusClaimKey: Buffer | null;
  /** Key that payout details are encrypted with, 32 bytes; null: the installation's own key. */
  readonly payoutDetailsKey: Buffer | null;
  readonly clerk: ClerkKeys | null;
  readonly replicate: ReplicateKeys | null;
  readonly stripe: StripeKeys | null;
  /** Model at the image provider that also judges prompts, `owner/name` or `owner/name:version`; null: none does. */
  readonly moderationModel: string | null;
  /** Address of a process that runs the sandboxes of all providers; null: this process runs those without keys. */
  readonly sandboxesUrl: string | null;
  /** Behaviour of the sandboxes; unused for providers with keys. */
  readonly sandbox: {
    /** Demo creators and galleries of the first start: all, two creators with three pictures each, or none. */
    readonly demo: 'full' | 'large' | 'small' | 'none';
    /** Months of the demo's past; 0: none. */
    readonly pastMonths: number;
    /** Milliseconds that drawing a picture takes, after a third of that in the queue. */
    readonly drawMs: number;
    /** Pixels of the longer side of a drawn picture, at most. */
    readonly picturePx: number;
    /** Milliseconds until a pay-later payment settles. */
    readonly settleMs: number;
    /** Where `npm run sandboxes` listens. */
    readonly port: number;
  };
  /** Fault point at which the crash tests kill this process; null outside them. */
  readonly faultPoint: { readonly name: string; readonly occurrence: number } | null;
}

/** Settings of stored pictures. */
export interface MediaSettings {
  /** null: they are stored in `dataDir` only. */
  readonly bucket: S3Address | null;
  /** How browsers get pictures of the bucket: from the app, or from the bucket at a signed address. */
  readonly delivery: 'app' | 'redirect';
}

/** Settings for signing the ledger, and for copies of its seals outside of `DATA_DIR/ledger-seals`. */
export interface LedgerSettings {
  /** A private Ed25519 key; null: the installation's own key. */
  readonly signingKey: KeyObject | null;
  /** Absolute path of a second copy; null: none. */
  readonly sealDir: string | null;
  /** Base address to which each seal is sent by HTTPS PUT; null: none is sent. */
  readonly sealUrl: string | null;
  /** Bearer token for `sealUrl`; null: none. */
  readonly sealToken: string | null;
}

export interface ClerkKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  /** Svix secret (`whsec_…`), null when webhooks are not set up. */
  readonly webhookSecret: string | null;
}

export interface ReplicateKeys {
  readonly apiToken: string;
  /** `whsec_…`; null: fetched once from the provider. */
  readonly webhookSecret: string | null;
}

export interface StripeKeys {
  /** `sk_test_…` or `sk_live_…`, or a restricted key, `rk_…`. */
  readonly secretKey: string;
  /** `whsec_…` of our webhook endpoint; null: webhooks are refused, and reconciliation finds the payments. */
  readonly webhookSecret: string | null;
}

/** A setting is invalid. The message names it and the expected value, and never contains a secret. */
export class ConfigError extends OperatorMistake {}
