import { createPrivateKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { ADMIN_GRANT_LIMIT_CREDITS, DAILY_GRANT_CREDITS } from '../../contract/prices.js';
import {
  ConfigError,
  type ClerkKeys,
  type Config,
  type LedgerSettings,
  type LogLevel,
  type MediaSettings,
  type ReplicateKeys,
  type StripeKeys,
} from './config.js';
import { DEFAULT_CONNECTIONS, LEAST_CONNECTIONS } from '../database/connection-shares.js';
import { parseS3Address } from '../storage/s3-address.js';

type Environment = Readonly<Record<string, string | undefined>>;
/** Returns a setting; null when it is absent. */
type Read = (name: string) => string | null;

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/** Default length of the demo's past. */
const PAST_MONTHS = { full: 10, large: 0, small: 0, none: 0 } as const;

/**
 * Reads the settings of `environment` (see the table in README.md). Empty values count as absent.
 * @throws ConfigError for the first invalid setting
 */
export function loadConfig(environment: Environment, workingDirectory: string): Config {
  const read: Read = (name) => environment[name]?.trim() || null;

  const production = read('NODE_ENV') === 'production';
  const port = integer(read, 'PORT', 3000, 1, 65_535);
  const clerk = clerkKeys(read);
  const replicate = replicateKeys(read);
  const stripe = stripeKeys(read);
  const sandboxed = sandboxNames({ clerk, replicate, stripe });
  const sandboxesUrl = remoteSandboxes(read);
  if (sandboxesUrl !== null) {
    if (sandboxed.length < 3) {
      throw new ConfigError('SANDBOXES_URL replaces all providers: remove their keys, or remove SANDBOXES_URL.');
    }
    if (!isLoopbackOrigin(read('PUBLIC_URL') ?? 'http://localhost')) {
      throw new ConfigError('With SANDBOXES_URL PUBLIC_URL must be on localhost, since anyone may sign in as anyone.');
    }
    if (production && !allowsTestKeys(read)) {
      throw new ConfigError('With NODE_ENV=production SANDBOXES_URL needs ALLOW_TEST_KEYS=1, for a rehearsal.');
    }
  } else if (production && sandboxed.length > 0) {
    throw new ConfigError(
      `With NODE_ENV=production every provider needs its keys; these have none: ${sandboxed.join(', ')}.`,
    );
  }
  if (sandboxed.length > 0 && /^(sk|rk)_live_/.test(stripe?.secretKey ?? '')) {
    throw new ConfigError('STRIPE_SECRET_KEY is a live key, and sandboxes are running: refusing to mix the two.');
  }

  if (production && read('PUBLIC_URL') === null) {
    throw new ConfigError('With NODE_ENV=production PUBLIC_URL must say where browsers reach the app.');
  }
  refuseMixedKeys(read);
  if (production) {
    refusePlainAddress(read('PUBLIC_URL') ?? '');
    refuseMissingSecrets({ clerk, stripe });
    refuseTestKeys(read);
  }
  const host = read('HOST') ?? (sandboxed.length > 0 ? 'localhost' : '0.0.0.0');
  // A process in a container listens on all of its addresses. The server then checks each Host.
  if (sandboxed.length > 0 && sandboxesUrl === null && !LOOPBACK_HOSTS.includes(host)) {
    throw new ConfigError(
      `HOST is '${host}', but while sandboxes run (${sandboxed.join(', ')}) the app listens on loopback only: use localhost.`,
    );
  }

  const demo = oneOf(read, 'SANDBOX_DEMO', 'full', ['full', 'large', 'small', 'none']);

  return {
    production,
    roles: roles(read, sandboxed.length > 0 && sandboxesUrl === null),
    host,
    port,
    publicUrl: origin('PUBLIC_URL', read('PUBLIC_URL') ?? `http://localhost:${port}`),
    trustProxy: boolean(read, 'TRUST_PROXY'),
    maxConnectionsPerAddress: integer(read, 'MAX_CONNECTIONS_PER_ADDRESS', 256, 1, 100_000),
    dataDir: resolve(workingDirectory, read('DATA_DIR') ?? '.data'),
    media: mediaSettings(read),
    ...databaseUrls(read),
    databaseConnections: integer(read, 'DATABASE_CONNECTIONS', DEFAULT_CONNECTIONS, LEAST_CONNECTIONS, 1_000),
    migrates: migrates(read),
    eventStoreUrl: eventStoreUrl(read('EVENTSTORE_URL')),
    logLevel: oneOf(read, 'LOG_LEVEL', production ? 'info' : 'warn', LOG_LEVELS),
    tracing: tracing(read),
    eventLoopWarnMs: integer(read, 'EVENT_LOOP_WARN_MS', 500, 100, 60_000),
    metricsToken: metricsToken(read('METRICS_TOKEN')),
    credits: {
      dailyGrantCredits: integer(read, 'DAILY_GRANT_CREDITS', DAILY_GRANT_CREDITS, 1, 1_000_000),
      adminGrantLimitCredits: integer(read, 'ADMIN_GRANT_LIMIT_CREDITS', ADMIN_GRANT_LIMIT_CREDITS, 0, 1_000_000_000),
    },
    payoutMinimumCents: integer(read, 'PAYOUT_MINIMUM_CENTS', 2500, 1, 100_000_000),
    ledger: ledgerSettings(read, workingDirectory),
    masterKey: masterKey(read, 'FANVAS_MASTER_KEY'),
    nextMasterKey: masterKey(read, 'FANVAS_NEXT_MASTER_KEY'),
    bonusClaimKey: secretKey(read, 'BONUS_CLAIM_KEY'),
    payoutDetailsKey: secretKey(read, 'PAYOUT_DETAILS_KEY'),
    clerk,
    replicate,
    stripe,
    moderationModel: moderationModel(read('MODERATION_MODEL')),
    sandboxesUrl,
    sandbox: {
      demo,
      pastMonths: integer(read, 'SANDBOX_PAST_MONTHS', PAST_MONTHS[demo], 0, 24),
      drawMs: integer(read, 'SANDBOX_DRAW_MS', 2400, 0, 600_000),
      picturePx: integer(read, 'SANDBOX_PICTURE_PX', 1440, 64, 1440),
      settleMs: integer(read, 'SANDBOX_SETTLE_MS', 20_000, 0, 86_400_000),
      port: integer(read, 'SANDBOXES_PORT', 3100, 1, 65_535),
    },
    faultPoint: faultPoint(read('FANVAS_FAULT_POINT'), production),
  };
}

/** Whether the standard settings of OpenTelemetry ask for traces. @throws ConfigError for what this build cannot do */
function tracing(read: Read): boolean {
  const addressNames = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const addressName = addressNames.find((name) => read(name) !== null);
  const exporter = addressName === undefined ? 'none' : 'otlp';
  if (oneOf(read, 'OTEL_TRACES_EXPORTER', exporter, ['otlp', 'none']) === 'none') return false;
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const address = addressName === undefined ? null : (read(addressName) ?? '');
  if (address !== null && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) {
    throw new ConfigError(`${addressName} is not an address of http or https.`);
  }
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    oneOf(read, name, 'http/protobuf', ['http/protobuf']);
  }
  return true;
}

function migrates(read: Read): boolean {
  if (oneOf(read, 'FANVAS_MIGRATE', 'on', ['on', 'off']) === 'on') return true;
  if (read('DATABASE_URL') === null) {
    throw new ConfigError('FANVAS_MIGRATE=off needs DATABASE_URL: the embedded database is migrated by the start.');
  }
  return false;
}

/** @param ownSandboxes this process runs sandboxes, whose files have one writer */
function roles(read: Read, ownSandboxes: boolean): Config['roles'] {
  const value = read('FANVAS_ROLES') ?? 'web,worker';
  const names = value.split(',').map((name) => name.trim());
  if (names.some((name) => name !== 'web' && name !== 'worker')) {
    throw new ConfigError(`FANVAS_ROLES must be web, worker or web,worker; it is '${value}'.`);
  }
  const configured = { web: names.includes('web'), worker: names.includes('worker') };
  if (configured.web && configured.worker) return configured;
  if (read('DATABASE_URL') === null) {
    throw new ConfigError(`FANVAS_ROLES=${value} needs DATABASE_URL, the database of all processes.`);
  }
  if (ownSandboxes) {
    throw new ConfigError(`FANVAS_ROLES=${value} needs the keys of all providers, or SANDBOXES_URL.`);
  }
  return configured;
}

/** Returns the names of the providers that run as sandboxes. */
export function sandboxNames(config: Pick<Config, 'clerk' | 'replicate' | 'stripe'>): string[] {
  return [
    ...(config.clerk ? [] : ['Clerk']),
    ...(config.replicate ? [] : ['Replicate']),
    ...(config.stripe ? [] : ['Stripe']),
  ];
}

function mediaSettings(read: Read): MediaSettings {
  const url = read('MEDIA_URL');
  const delivery = oneOf(read, 'MEDIA_DELIVERY', 'app', ['app', 'redirect']);
  if (url === null) {
    if (delivery === 'redirect')
      throw new ConfigError('MEDIA_DELIVERY=redirect needs MEDIA_URL, the bucket to redirect to.');
    return { bucket: null, delivery };
  }
  try {
    return { bucket: parseS3Address(url), delivery };
  } catch (error) {
    throw new ConfigError(`MEDIA_URL ${error instanceof Error ? error.message : String(error)}`);
  }
}

const MODED_KEYS = ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY'] as const;

function keysIn(mode: 'test' | 'live', read: Read): string[] {
  return MODED_KEYS.filter((name) => new RegExp(`^[a-z]k_${mode}_`).test(read(name) ?? ''));
}

const LIVE_KEYS =
  "Take live keys from dashboard.clerk.com (API keys of the production instance) and Stripe's dashboard.";

function refuseMixedKeys(read: Read): void {
  const trial = keysIn('test', read);
  const live = keysIn('live', read);
  if (trial.length === 0 || live.length === 0) return;
  throw new ConfigError(
    `Test keys (${trial.join(', ')}) stand beside live keys (${live.join(', ')}): use one kind. ${LIVE_KEYS}`,
  );
}

function refuseTestKeys(read: Read): void {
  const trial = keysIn('test', read);
  if (allowsTestKeys(read) || trial.length === 0) return;
  throw new ConfigError(
    `With NODE_ENV=production ${trial.join(', ')} must be live, because test keys take no money: ` +
      `set ALLOW_TEST_KEYS=1 for a rehearsal. ${LIVE_KEYS}`,
  );
}

function allowsTestKeys(read: Read): boolean {
  return oneOf(read, 'ALLOW_TEST_KEYS', '0', ['0', '1']) === '1';
}

/** An address of this machine, or of a private network such as that of its containers. */
const NEAR_ADDRESS =
  /^(?:localhost|127\.0\.0\.1|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

function remoteSandboxes(read: Read): string | null {
  const value = read('SANDBOXES_URL');
  if (value === null) return null;
  const address = origin('SANDBOXES_URL', value);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'http:' && NEAR_ADDRESS.test(hostname)) return address;
  throw new ConfigError(
    `SANDBOXES_URL must be http:// with localhost or the number of a private network; it is '${value}'.`,
  );
}

function isLoopbackOrigin(value: string): boolean {
  return URL.canParse(value) && [...LOOPBACK_HOSTS, '[::1]'].includes(new URL(value).hostname);
}

function refusePlainAddress(publicUrl: string): void {
  if (!/^http:/i.test(publicUrl) || isLoopbackOrigin(publicUrl)) return;
  throw new ConfigError(
    'With NODE_ENV=production PUBLIC_URL must begin with https://, because sessions and payments need it. ' +
      'A proxy in front of the app, such as Caddy, gets a certificate by itself.',
  );
}

function refuseMissingSecrets({ clerk, stripe }: Pick<Config, 'clerk' | 'stripe'>): void {
  const needed = 'With NODE_ENV=production';
  if (clerk && clerk.webhookSecret === null) {
    throw new ConfigError(
      `${needed} CLERK_WEBHOOK_SECRET must be set, so that changed and deleted users arrive. ` +
        'Add the endpoint <PUBLIC_URL>/webhooks/clerk at dashboard.clerk.com (Webhooks), and copy its signing secret.',
    );
  }
  if (stripe && stripe.webhookSecret === null) {
    throw new ConfigError(
      `${needed} STRIPE_WEBHOOK_SECRET must be set, so that payments and refunds arrive. ` +
        'Add the endpoint <PUBLIC_URL>/webhooks/stripe at dashboard.stripe.com/webhooks, and copy its signing secret.',
    );
  }
}

function ledgerSettings(read: Read, workingDirectory: string): LedgerSettings {
  const key = read('LEDGER_SIGNING_KEY');
  const dir = read('LEDGER_SEAL_DIR');
  const url = read('LEDGER_SEAL_URL');
  const token = read('LEDGER_SEAL_TOKEN');
  if (token !== null && url === null) throw new ConfigError('LEDGER_SEAL_TOKEN is set without LEDGER_SEAL_URL.');
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError('LEDGER_SEAL_TOKEN must be printable characters without spaces.');
  }
  return {
    signingKey: key === null ? null : ed25519Key('LEDGER_SIGNING_KEY', key),
    sealDir: dir === null ? null : resolve(workingDirectory, dir),
    sealUrl: url === null ? null : sealUrl(url),
    sealToken: token,
  };
}

/** Parses PKCS #8, as PEM (line ends may be written as `\n`) or base64. */
function ed25519Key(name: string, value: string): KeyObject {
  const pem = value.replaceAll('\\n', '\n');
  let key: KeyObject;
  try {
    key = pem.includes('-----BEGIN')
      ? createPrivateKey(pem)
      : createPrivateKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    // No cause: it could quote the key
    throw new ConfigError(`${name} must be a private Ed25519 key in PKCS #8, as PEM or base64.`);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new ConfigError(`${name} must be an Ed25519 key; it is ${key.asymmetricKeyType ?? 'of another kind'}.`);
}

/** 32 random bytes in base64. The error does not quote them. */
function secretKey(read: Read, name: string): Buffer | null {
  const value = read(name);
  if (value === null) return null;
  const key = Buffer.from(value, 'base64');
  if (key.length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(value)) return key;
  throw new ConfigError(`${name} must be 32 bytes in base64, such as openssl rand -base64 32 prints.`);
}

/** 32 random bytes in base64 or hex. The error does not quote them. */
function masterKey(read: Read, name: string): Buffer | null {
  const value = read(name);
  if (value === null) return null;
  if (/^[0-9a-fA-F]{64}$/.test(value)) return Buffer.from(value, 'hex');
  if (/^[A-Za-z0-9+/]{43}=$/.test(value)) return Buffer.from(value, 'base64');
  throw new ConfigError(`${name} must be 32 bytes in base64 or hex, such as openssl rand -base64 32 prints.`);
}

/** Errors do not quote the address: it may contain a secret. */
function sealUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const secure =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname.replace(/^\[|\]$/g, '')));
  if (!url || !secure || url.username || url.password || url.search || url.hash) {
    throw new ConfigError(
      'LEDGER_SEAL_URL must be an https address such as https://archive.example/seals, without user, query or fragment.',
    );
  }
  return url.href.replace(/\/$/, '');
}

function clerkKeys(read: Read): ClerkKeys | null {
  const publishableKey = read('CLERK_PUBLISHABLE_KEY');
  const secretKey = read('CLERK_SECRET_KEY');
  if ((publishableKey === null) !== (secretKey === null)) {
    throw new ConfigError('CLERK_PUBLISHABLE_KEY and CLERK_SECRET_KEY belong together: set both or neither.');
  }
  if (publishableKey !== null && !/^pk_(test|live)_/.test(publishableKey)) {
    throw new ConfigError('CLERK_PUBLISHABLE_KEY must start with pk_test_ or pk_live_.');
  }
  if (secretKey !== null && !/^sk_(test|live)_/.test(secretKey)) {
    throw new ConfigError('CLERK_SECRET_KEY must start with sk_test_ or sk_live_.');
  }
  const webhookSecret = signingSecret(read, 'CLERK_WEBHOOK_SECRET', 'CLERK_SECRET_KEY');
  return publishableKey === null || secretKey === null ? null : { publishableKey, secretKey, webhookSecret };
}

function replicateKeys(read: Read): ReplicateKeys | null {
  const apiToken = read('REPLICATE_API_TOKEN');
  const webhookSecret = signingSecret(read, 'REPLICATE_WEBHOOK_SECRET', 'REPLICATE_API_TOKEN');
  return apiToken === null ? null : { apiToken, webhookSecret };
}

function stripeKeys(read: Read): StripeKeys | null {
  const secretKey = read('STRIPE_SECRET_KEY');
  if (secretKey !== null && !/^(sk|rk)_(test|live)_/.test(secretKey)) {
    throw new ConfigError('STRIPE_SECRET_KEY must start with sk_test_, sk_live_, rk_test_ or rk_live_.');
  }
  const webhookSecret = signingSecret(read, 'STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY');
  return secretKey === null ? null : { secretKey, webhookSecret };
}

/** The secret that signs the webhooks of a provider. @param key the setting without which it is of no use */
function signingSecret(read: Read, name: string, key: string): string | null {
  const value = read(name);
  if (value === null) return null;
  if (read(key) === null) throw new ConfigError(`${name} is set without ${key}.`);
  if (!value.startsWith('whsec_')) throw new ConfigError(`${name} must start with whsec_.`);
  return value;
}

function moderationModel(value: string | null): string | null {
  if (value !== null && !/^[\w.-]+\/[\w.-]+(:[0-9a-f]{64})?$/.test(value)) {
    throw new ConfigError(`MODERATION_MODEL must look like owner/name or owner/name:version; it is '${value}'.`);
  }
  return value;
}

function databaseUrls(
  read: Read,
): Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databaseMigrationUrl' | 'databaseAuditUrl'> {
  const app = databaseUrl(read, 'DATABASE_URL');
  const direct = databaseUrl(read, 'DATABASE_DIRECT_URL');
  if (direct !== null && app === null) {
    throw new ConfigError('DATABASE_DIRECT_URL needs DATABASE_URL, the address for requests.');
  }
  if (direct !== null && app !== null && new URL(direct).username !== new URL(app).username) {
    throw new ConfigError('DATABASE_URL and DATABASE_DIRECT_URL must name the same user.');
  }
  const migration = databaseUrl(read, 'DATABASE_MIGRATION_URL');
  const audit = databaseUrl(read, 'DATABASE_AUDIT_URL');
  if (app === null && (migration ?? audit) !== null) {
    throw new ConfigError('DATABASE_MIGRATION_URL and DATABASE_AUDIT_URL need DATABASE_URL, the address for the app.');
  }
  if ((migration ?? audit) !== null && [app, migration, audit].some((url) => url !== null && !new URL(url).username)) {
    throw new ConfigError(
      'DATABASE_URL, DATABASE_MIGRATION_URL and DATABASE_AUDIT_URL must name their users, since their rights differ.',
    );
  }
  return {
    databaseUrl: app,
    databaseDirectUrl: direct,
    databaseMigrationUrl: migration,
    databaseAuditUrl: audit,
  };
}

function databaseUrl(read: Read, name: string): string | null {
  const value = read(name);
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || !url.hostname) {
    throw new ConfigError(`${name} must look like postgres://user:password@host:5432/database.`);
  }
  return value;
}

/** Requires 32 characters: the endpoint has no rate limit, so the token must not be guessable. */
function metricsToken(value: string | null): string | null {
  if (value !== null && !/^[\x21-\x7e]{32,}$/.test(value)) {
    throw new ConfigError('METRICS_TOKEN must be 32 or more printable characters without spaces.');
  }
  return value;
}

/** Options of an event store address that its client knows and that do not change our guarantees. */
const EVENT_STORE_OPTIONS = new Set(
  (
    'tls tlsCAFile userCertFile userKeyFile connectionName nodePreference ' +
    'maxDiscoverAttempts discoveryInterval gossipTimeout keepAliveInterval keepAliveTimeout'
  ).split(' '),
);
const EVENT_STORE_URL =
  /^(?:esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/((?:[^:@/?\s]+:[^@/?\s]+@)?[\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*)\/?(?:\?([^?\s]+))?$/;

/**
 * Validates the address and rewrites it for the client, which knows the scheme `esdb` only. The client's errors quote
 * the address with its password, so it must never see an invalid one.
 */
function eventStoreUrl(value: string | null): string | null {
  if (value === null) return null;
  const [, discover = '', hosts, query] = EVENT_STORE_URL.exec(value) ?? [];
  if (hosts === undefined) {
    throw new ConfigError(
      'EVENTSTORE_URL must look like esdb://user:password@host:2113?tls=true, or kurrentdb://host1,host2,host3 for a cluster.',
    );
  }
  for (const option of query?.split('&') ?? []) {
    const [name = '', setting = ''] = option.split('=');
    if (!EVENT_STORE_OPTIONS.has(name) || setting === '') {
      throw new ConfigError(`EVENTSTORE_URL has an option that is not known or has no value: '${name}'.`);
    }
  }
  // With `+discover` the client treats the first host as the name of the cluster and contacts no other one.
  const isList = hosts.includes(',', hosts.indexOf('@') + 1);
  const scheme = isList ? 'esdb' : `esdb${discover}`;
  const options = query === undefined ? [] : query.split('&');
  // The client waits five seconds for a silent node by default. That is longer than the limit of a call.
  const seeksLeader = isList || discover !== '';
  if (seeksLeader && !options.some((option) => option.startsWith('gossipTimeout='))) options.push('gossipTimeout=1');
  return `${scheme}://${hosts}${options.length === 0 ? '' : `?${options.join('&')}`}`;
}

function origin(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new ConfigError(
      `${name} must be an origin such as https://fanvas.example, without a path; it is '${value}'.`,
    );
  }
  return url.origin;
}

function integer(read: Read, name: string, fallback: number, min: number, max: number): number {
  const value = read(name) ?? String(fallback);
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (!(number >= min && number <= max)) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is '${value}'.`);
  }
  return number;
}

/** False by default. */
function boolean(read: Read, name: string): boolean {
  const readLower: Read = (each) => read(each)?.toLowerCase() ?? null;
  return oneOf(readLower, name, 'false', ['true', 'false']) === 'true';
}

function oneOf<const T extends string>(read: Read, name: string, fallback: NoInfer<T>, allowed: readonly T[]): T {
  const value = read(name) ?? fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (!found) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}; it is '${value}'.`);
  return found;
}

function faultPoint(value: string | null, production: boolean): Config['faultPoint'] {
  if (value === null) return null;
  if (production) throw new ConfigError('FANVAS_FAULT_POINT is for crash tests and is refused in production.');
  const match = /^([a-z0-9.-]+?)(?:#([1-9]\d{0,5}))?$/.exec(value);
  if (!match?.[1]) throw new ConfigError(`FANVAS_FAULT_POINT must look like name or name#2; it is '${value}'.`);
  return { name: match[1], occurrence: Number(match[2] ?? '1') };
}
