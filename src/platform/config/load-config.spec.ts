import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const clerkKeys = { CLERK_PUBLISHABLE_KEY: 'pk_test_a', CLERK_SECRET_KEY: 'sk_test_a' };
const allKeys = { ...clerkKeys, REPLICATE_API_TOKEN: 'r8_a', STRIPE_SECRET_KEY: 'sk_test_a' };

const LIVE = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://a.example',
  CLERK_PUBLISHABLE_KEY: 'pk_live_a',
  CLERK_SECRET_KEY: 'sk_live_a',
  CLERK_WEBHOOK_SECRET: 'whsec_a',
  REPLICATE_API_TOKEN: 'r8_a',
  STRIPE_SECRET_KEY: 'rk_live_a',
  STRIPE_WEBHOOK_SECRET: 'whsec_a',
};
const TEST_KEYS = {
  CLERK_PUBLISHABLE_KEY: 'pk_test_a',
  CLERK_SECRET_KEY: 'sk_test_a',
  STRIPE_SECRET_KEY: 'rk_test_a',
};

describe('loadConfig', () => {
  it('runs everything locally when nothing is set', () => {
    const config = loadConfig({}, '/srv/fanvas');
    expect(config).toEqual({
      production: false,
      roles: { web: true, worker: true },
      host: 'localhost',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      trustProxy: false,
      maxConnectionsPerAddress: 256,
      dataDir: '/srv/fanvas/.data',
      media: { bucket: null, delivery: 'app' },
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseConnections: 12,
      databaseAuditUrl: null,
      databaseMigrationUrl: null,
      eventStoreUrl: null,
      logLevel: 'warn',
      tracing: false,
      eventLoopWarnMs: 500,
      migrates: true,
      metricsToken: null,
      credits: { dailyGrantCredits: 10, adminGrantLimitCredits: 1000 },
      payoutMinimumCents: 2500,
      ledger: { signingKey: null, sealDir: null, sealUrl: null, sealToken: null },
      masterKey: null,
      nextMasterKey: null,
      bonusClaimKey: null,
      payoutDetailsKey: null,
      clerk: null,
      replicate: null,
      stripe: null,
      moderationModel: null,
      sandboxesUrl: null,
      sandbox: { demo: 'full', pastMonths: 10, drawMs: 2400, picturePx: 1440, settleMs: 20_000, port: 3100 },
      faultPoint: null,
    });
  });

  it('accepts live keys in production, and test keys when they are allowed', () => {
    expect(loadConfig(LIVE, '/').production).toBe(true);
    expect(loadConfig({ ...LIVE, ...TEST_KEYS, ALLOW_TEST_KEYS: '1' }, '/').production).toBe(true);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
      expect(loadConfig({ ...LIVE, PUBLIC_URL: `http://${host}` }, '/').publicUrl).toBe(`http://${host}`);
    }
  });

  it('accepts the address of sandboxes on this machine or its private networks', () => {
    const near = { SANDBOXES_URL: 'http://172.18.0.1:3100', HOST: '0.0.0.0' };
    expect(loadConfig(near, '/')).toMatchObject({ sandboxesUrl: 'http://172.18.0.1:3100', host: '0.0.0.0' });
    expect(loadConfig({ SANDBOXES_URL: 'http://localhost:1' }, '/').host).toBe('localhost');
    const rehearsal = { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:8080', ALLOW_TEST_KEYS: '1', ...near };
    expect(loadConfig(rehearsal, '/').production).toBe(true);
  });

  it('derives the public address from the port', () => {
    expect(loadConfig({ PORT: '4100' }, '/').publicUrl).toBe('http://localhost:4100');
  });

  it('treats empty values as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' }, '/').port).toBe(3000);
  });

  it.each([
    ['esdb://localhost:2113?tls=false', 'esdb://localhost:2113?tls=false'],
    ['esdb://admin:changeit@a.example/', 'esdb://admin:changeit@a.example'],
    ['kurrentdb://localhost:2113/?tls=false', 'esdb://localhost:2113?tls=false'],
    ['kurrentdb+discover://cluster.example', 'esdb+discover://cluster.example?gossipTimeout=1'],
    ['kurrentdb://a:2113,b:2113?tls=true', 'esdb://a:2113,b:2113?tls=true&gossipTimeout=1'],
    ['esdb+discover://fan:x,y@a.example?gossipTimeout=3', 'esdb+discover://fan:x,y@a.example?gossipTimeout=3'],
    ['kurrentdb+discover://a:2113,b:2113?tls=true&gossipTimeout=3', 'esdb://a:2113,b:2113?tls=true&gossipTimeout=3'],
  ])('passes %s to the client of the event store as %s', (given, understood) => {
    expect(loadConfig({ EVENTSTORE_URL: given }, '/').eventStoreUrl).toBe(understood);
  });

  it('listens on every interface once all providers have keys', () => {
    expect(loadConfig(allKeys, '/').host).toBe('0.0.0.0');
  });

  it('accepts a signing key as PEM, as PEM in one line and as base64, and a folder and an address for seals', () => {
    const given = generateKeyPairSync('ed25519').privateKey;
    const pem = given.export({ type: 'pkcs8', format: 'pem' }).toString();
    const der = given.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    for (const key of [pem, pem.replaceAll('\n', '\\n'), der]) {
      expect(loadConfig({ LEDGER_SIGNING_KEY: key }, '/').ledger.signingKey?.equals(given)).toBe(true);
    }
    const settings = { LEDGER_SEAL_DIR: 'seals', LEDGER_SEAL_URL: 'https://a.example/x/', LEDGER_SEAL_TOKEN: 't' };
    expect(loadConfig(settings, '/srv').ledger).toMatchObject({
      sealDir: '/srv/seals',
      sealUrl: 'https://a.example/x',
      sealToken: 't',
    });
    expect(loadConfig({ LEDGER_SEAL_URL: 'http://[::1]:9000/x' }, '/').ledger.sealUrl).toBe('http://[::1]:9000/x');
  });

  it('reads the address of a bucket', () => {
    const endpoint = 'http://minio:9000/';
    const MEDIA_URL = `s3://fan-pictures/prod/media/?endpoint=${endpoint}&region=eu-central-1`;
    expect(loadConfig({ MEDIA_URL, MEDIA_DELIVERY: 'redirect' }, '/').media).toEqual({
      bucket: { bucket: 'fan-pictures', prefix: 'prod/media/', endpoint: 'http://minio:9000', region: 'eu-central-1' },
      delivery: 'redirect',
    });
    expect(loadConfig({ MEDIA_URL: 's3://fan-pictures' }, '/').media).toEqual({
      bucket: { bucket: 'fan-pictures', prefix: '', endpoint: null, region: 'us-east-1' },
      delivery: 'app',
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://vendor.example/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'True' }, false],
  ])('reads from %j whether traces are sent: %s', (environment, tracing) => {
    expect(loadConfig(environment, '/').tracing).toBe(tracing);
  });

  it('accepts keys in base64, and the master key also in hex', () => {
    const key = randomBytes(32);
    expect(loadConfig({ BONUS_CLAIM_KEY: key.toString('base64') }, '/').bonusClaimKey).toEqual(key);
    expect(loadConfig({ PAYOUT_DETAILS_KEY: key.toString('base64') }, '/').payoutDetailsKey).toEqual(key);
    for (const encoding of ['base64', 'hex'] as const) {
      expect(loadConfig({ FANVAS_MASTER_KEY: key.toString(encoding) }, '/').masterKey).toEqual(key);
    }
  });

  it.each([
    [{ PORT: 'http' }, "PORT must be a whole number from 1 to 65535; it is 'http'."],
    [{ PORT: '70000' }, 'PORT must be a whole number'],
    [{ PORT: '0' }, 'PORT must be a whole number'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be one of true, false'],
    [{ MAX_CONNECTIONS_PER_ADDRESS: '0' }, 'MAX_CONNECTIONS_PER_ADDRESS must be a whole number'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    [{ PUBLIC_URL: 'fanvas.example' }, 'PUBLIC_URL must be an origin'],
    [{ PUBLIC_URL: 'https://fanvas.example/app' }, 'PUBLIC_URL must be an origin'],
    [{ DATABASE_URL: 'mysql://localhost/fanvas' }, 'DATABASE_URL must look like'],
    [{ DATABASE_AUDIT_URL: 'postgres://a@localhost/fanvas' }, 'need DATABASE_URL, the address for the app.'],
    [{ DATABASE_URL: 'postgres://a@h/f', DATABASE_MIGRATION_URL: 'h' }, 'DATABASE_MIGRATION_URL must look like'],
    [{ DATABASE_URL: 'postgres://h/f', DATABASE_AUDIT_URL: 'postgres://a@h/f' }, 'must name their users'],
    [{ DATABASE_DIRECT_URL: 'postgres://a@h/f' }, 'DATABASE_DIRECT_URL needs DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://a@h/f', DATABASE_DIRECT_URL: 'postgres://b@h/f' }, 'must name the same user.'],
    [{ DATABASE_CONNECTIONS: '9' }, 'DATABASE_CONNECTIONS must be a whole number from 10 to 1000'],
    [{ EVENTSTORE_URL: 'http://localhost:2113' }, 'EVENTSTORE_URL must look like'],
    [{ EVENTSTORE_URL: 'esdb://' }, 'EVENTSTORE_URL must look like'],
    [{ EVENTSTORE_URL: 'esdb://a:b@c:d@host' }, 'EVENTSTORE_URL must look like'],
    [{ EVENTSTORE_URL: 'esdb://host?throwOnAppendFailure=false' }, "not known or has no value: 'throwOnAppendFailure'"],
    [{ EVENTSTORE_URL: 'esdb://host?tls' }, "not known or has no value: 'tls'"],
    [{ FANVAS_ROLES: 'web,cron' }, "FANVAS_ROLES must be web, worker or web,worker; it is 'web,cron'."],
    [{ FANVAS_ROLES: 'worker' }, 'FANVAS_ROLES=worker needs DATABASE_URL, the database of all processes.'],
    [{ FANVAS_ROLES: 'web', DATABASE_URL: 'postgres://h/f' }, 'FANVAS_ROLES=web needs the keys of all providers'],
    [{ FANVAS_MIGRATE: 'never' }, 'FANVAS_MIGRATE must be one of on, off'],
    [{ FANVAS_MIGRATE: 'off' }, 'FANVAS_MIGRATE=off needs DATABASE_URL'],
    [{ EVENT_LOOP_WARN_MS: '0' }, 'EVENT_LOOP_WARN_MS must be a whole number from 100 to 60000'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be 32 or more printable characters'],
    [{ METRICS_TOKEN: 'with a space in it that makes it unusable' }, 'METRICS_TOKEN must be'],
    [{ HOST: '0.0.0.0' }, 'the app listens on loopback only'],
    [{ CLERK_SECRET_KEY: 'sk_test_a' }, 'belong together'],
    [{ ...clerkKeys, CLERK_SECRET_KEY: 'pk_test_a' }, 'CLERK_SECRET_KEY must start with'],
    [{ ...clerkKeys, CLERK_WEBHOOK_SECRET: 'abc' }, 'CLERK_WEBHOOK_SECRET must start with whsec_'],
    [{ REPLICATE_WEBHOOK_SECRET: 'whsec_a' }, 'without REPLICATE_API_TOKEN'],
    [{ NODE_ENV: 'production' }, 'these have none: Clerk, Replicate, Stripe.'],
    [{ NODE_ENV: 'production', ...clerkKeys }, 'these have none: Replicate, Stripe.'],
    [{ NODE_ENV: 'production', ...allKeys }, 'PUBLIC_URL must say where'],
    [{ STRIPE_SECRET_KEY: 'sk_live_a' }, 'refusing to mix'],
    [{ STRIPE_SECRET_KEY: 'rk_live_a' }, 'refusing to mix'],
    [{ STRIPE_SECRET_KEY: 'pk_test_a' }, 'STRIPE_SECRET_KEY must start with'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_a' }, 'without STRIPE_SECRET_KEY'],
    [{ STRIPE_SECRET_KEY: 'sk_test_a', STRIPE_WEBHOOK_SECRET: 'abc' }, 'STRIPE_WEBHOOK_SECRET must start with whsec_'],
    [{ LEDGER_SIGNING_KEY: 'secret' }, 'LEDGER_SIGNING_KEY must be a private Ed25519 key in PKCS #8'],
    [{ LEDGER_SIGNING_KEY: otherKey }, 'LEDGER_SIGNING_KEY must be an Ed25519 key; it is ec.'],
    [{ BONUS_CLAIM_KEY: 'secret' }, 'BONUS_CLAIM_KEY must be 32 bytes in base64'],
    [{ FANVAS_MASTER_KEY: randomBytes(31).toString('base64') }, 'FANVAS_MASTER_KEY must be 32 bytes in base64 or hex'],
    [
      { FANVAS_NEXT_MASTER_KEY: randomBytes(31).toString('hex') },
      'FANVAS_NEXT_MASTER_KEY must be 32 bytes in base64 or hex',
    ],
    [{ PAYOUT_DETAILS_KEY: 'secret' }, 'PAYOUT_DETAILS_KEY must be 32 bytes in base64'],
    [{ BONUS_CLAIM_KEY: randomBytes(31).toString('base64') }, 'BONUS_CLAIM_KEY must be 32 bytes in base64'],
    [{ LEDGER_SEAL_URL: 'http://a.example/seals' }, 'LEDGER_SEAL_URL must be an https address'],
    [{ LEDGER_SEAL_URL: 'ftp://localhost/seals' }, 'LEDGER_SEAL_URL must be an https address'],
    [{ LEDGER_SEAL_URL: 'archive' }, 'LEDGER_SEAL_URL must be an https address'],
    [{ LEDGER_SEAL_URL: 'https://me:pw@a.example/seals' }, 'LEDGER_SEAL_URL must be an https address'],
    [{ LEDGER_SEAL_TOKEN: 't' }, 'LEDGER_SEAL_TOKEN is set without'],
    [{ LEDGER_SEAL_URL: 'https://a.example/x', LEDGER_SEAL_TOKEN: 'a b' }, 'LEDGER_SEAL_TOKEN must be printable'],
    [{ MEDIA_URL: '/mnt/media' }, 'MEDIA_URL must look like s3://bucket/prefix'],
    [{ MEDIA_URL: 's3://Pictures_1' }, 'MEDIA_URL must name a bucket'],
    [{ MEDIA_URL: 's3://pictures/.hidden' }, 'MEDIA_URL must have a prefix of letters'],
    [{ MEDIA_URL: 's3://key:secret@pictures' }, 'MEDIA_URL must not contain a key: set AWS_ACCESS_KEY_ID'],
    [{ MEDIA_URL: 's3://pictures?zone=eu' }, 'MEDIA_URL has the unknown part "zone"'],
    [{ MEDIA_URL: 's3://pictures?endpoint=minio:9000' }, 'MEDIA_URL must have an endpoint such as'],
    [{ MEDIA_DELIVERY: 'redirect' }, 'MEDIA_DELIVERY=redirect needs MEDIA_URL'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be one of otlp, none'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
      'OTEL_EXPORTER_OTLP_ENDPOINT is not an address of http or https',
    ],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf',
    ],
    [{ MEDIA_DELIVERY: 'cdn' }, 'MEDIA_DELIVERY must be one of app, redirect'],
    [{ MODERATION_MODEL: 'llama-guard' }, 'MODERATION_MODEL must look like owner/name'],
    [{ SANDBOX_DEMO: 'big' }, 'SANDBOX_DEMO must be one of'],
    [{ SANDBOX_SETTLE_MS: 'soon' }, 'SANDBOX_SETTLE_MS must be a whole number'],
    [{ SANDBOX_PAST_MONTHS: '25' }, 'SANDBOX_PAST_MONTHS must be a whole number from 0 to 24'],
    [{ SANDBOX_PICTURE_PX: '63' }, 'SANDBOX_PICTURE_PX must be a whole number from 64 to 1440'],
    [{ SANDBOX_DRAW_MS: '-1' }, 'SANDBOX_DRAW_MS must be a whole number'],
    [{ SANDBOXES_URL: 'https://localhost:3100' }, 'SANDBOXES_URL must be http:// with localhost'],
    [{ SANDBOXES_URL: 'http://203.0.113.1:3100' }, 'SANDBOXES_URL must be http:// with localhost'],
    [{ SANDBOXES_URL: 'http://172.32.0.1:3100' }, 'SANDBOXES_URL must be http:// with localhost'],
    [{ SANDBOXES_URL: 'http://sandboxes.example' }, 'SANDBOXES_URL must be http:// with localhost'],
    [{ SANDBOXES_URL: 'http://localhost:3100', REPLICATE_API_TOKEN: 'r8_a' }, 'remove their keys'],
    [{ SANDBOXES_URL: 'http://localhost:3100', PUBLIC_URL: 'https://a.example' }, 'PUBLIC_URL must be on localhost'],
    [
      { SANDBOXES_URL: 'http://localhost:3100', NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:3000' },
      'SANDBOXES_URL needs ALLOW_TEST_KEYS=1',
    ],
    [{ SANDBOXES_PORT: '0' }, 'SANDBOXES_PORT must be a whole number'],
    [{ FANVAS_FAULT_POINT: 'Bad Name' }, 'FANVAS_FAULT_POINT must look like'],
    [{ ...LIVE, FANVAS_FAULT_POINT: 'a.b' }, 'refused in production'],
    [{ ...LIVE, PUBLIC_URL: 'http://a.example' }, 'PUBLIC_URL must begin with https://'],
    [{ ...LIVE, CLERK_WEBHOOK_SECRET: '' }, 'CLERK_WEBHOOK_SECRET must be set'],
    [{ ...LIVE, STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET must be set'],
    [{ ...LIVE, ...TEST_KEYS }, 'set ALLOW_TEST_KEYS=1 for a rehearsal'],
    [{ ...LIVE, ...TEST_KEYS, ALLOW_TEST_KEYS: 'yes' }, 'ALLOW_TEST_KEYS must be one of 0, 1'],
    [
      { ...LIVE, CLERK_SECRET_KEY: 'sk_test_a', ALLOW_TEST_KEYS: '1' },
      'Test keys (CLERK_SECRET_KEY) stand beside live',
    ],
    [{ ...allKeys, STRIPE_SECRET_KEY: 'sk_live_a' }, 'stand beside live keys (STRIPE_SECRET_KEY)'],
  ])('refuses %j with an error message', (environment, sentence) => {
    expect(() => loadConfig(environment, '/')).toThrow(ConfigError);
    expect(() => loadConfig(environment, '/')).toThrow(sentence);
  });

  it('never quotes a secret in its errors', () => {
    const secret = 'oops-this-is-secret';
    for (const name of [
      'CLERK_SECRET_KEY',
      'CLERK_WEBHOOK_SECRET',
      'FANVAS_MASTER_KEY',
      'FANVAS_NEXT_MASTER_KEY',
      'BONUS_CLAIM_KEY',
      'PAYOUT_DETAILS_KEY',
      'DATABASE_URL',
      'EVENTSTORE_URL',
      'REPLICATE_WEBHOOK_SECRET',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]) {
      try {
        loadConfig({ ...allKeys, [name]: secret }, '/');
        throw new Error(`${name} was accepted`);
      } catch (error) {
        expect(String(error)).toContain(name);
        expect(String(error)).not.toContain(secret);
      }
    }
  });
});
