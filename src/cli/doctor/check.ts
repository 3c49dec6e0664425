import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Pool } from 'pg';
import { callReplicate } from '../../generation/index.js';
import { createClerk } from '../../identity/index.js';
import { migrations } from '../../composition/migrations.js';
import { createStripe } from '../../payments/index.js';
import { type Config } from '../../platform/config/config.js';
import { type SandboxSettings } from '../../platform/config/provider-settings.js';
import { DomainError } from '../../platform/domain-error.js';
import { checkDatabase, checkPooledAddress } from '../../platform/database/check-database.js';
import { createDatabase, createPool } from '../../platform/database/pool.js';
import { hasKeysOfItsOwn, openKeys } from '../../platform/keys/open-keys.js';
import { type CheckpointTables } from '../../platform/projections/checkpoint.js';
import { statusOf } from '../../platform/projections/projection-status.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { openEventStore } from '../../platform/event-store/open-event-store.js';
import { mediaFolder, openStorage } from '../../platform/storage/open-storage.js';
import { within } from '../../platform/within.js';
import { projections } from '../../composition/projections.js';
import { connectSandboxes } from '../../remote-sandboxes.js';
import { say } from '../output.js';
import { type AddVerb, atEnd } from '../program.js';
import { openDatabase } from '../sources.js';

/** Clocks may differ by this much, milliseconds: the event store bounds the time of events. */
const CLOCK_MS = 2_000;
const PROVIDER_MS = 10_000;
/** Projections are at most so far behind while a worker runs, seconds. */
const LAG_SECONDS = 120;

/** Something of the installation is wrong. The message is a sentence that says what to do. */
class Finding extends Error {}

/** A fact that an operator should know, and that is right for some installations. */
class Remark {
  constructor(readonly sentence: string) {}
}

/** Returns a sentence about what was found to be right, or a remark. */
type Check = () => Promise<string | Remark>;

/** `check`: settings, database, pooler, event store, keys, storage, clock and providers, one after the other. */
export const addCheck: AddVerb = (program, run) => {
  program
    .command('check', { isDefault: true })
    .description('looks at all that the app needs, and says what is wrong; changes nothing')
    .action(() => run(({ config }) => checkAll(config)));
};

async function checkAll(config: Config): Promise<boolean> {
  say('ok       settings: each one that is set can be read.');
  let pool: Pool | undefined;
  let events: EventStore | undefined;
  const opened = (): Pool => needed(pool, 'the database');
  const checks: readonly (readonly [name: string, check: Check])[] = [
    ['data folder', () => checkDataFolder(config)],
    [
      'database',
      async () => {
        const { databaseUrl, databaseConnections: connections } = config;
        const options = { tables: ['schema_migration'], as: 'app' } as const;
        ({ pool } = await openDatabase(config, databaseUrl === null ? options : { ...options, connections }));
        return checkTables(pool);
      },
    ],
    ['other addresses', () => checkAddresses(config, opened())],
    ['connections', () => checkConnections(config, opened())],
    ['clock', () => checkClock(opened())],
    [
      'event store',
      async () => {
        events = await openEventStore(config, opened());
        atEnd(() => needed(events, 'the event store').close());
        return config.eventStoreUrl === null ? 'the events are in the database.' : 'it answers.';
      },
    ],
    ['projections', () => checkProjections(opened(), needed(events, 'the event store'))],
    ['keys', () => checkKeys(config, opened())],
    ['pictures', () => checkStorage(config)],
    ...providerChecks(config),
  ];
  let isHealthy = true;
  for (const [name, check] of checks) {
    try {
      const found = await check();
      if (found instanceof Remark) say(`note     ${name}: ${found.sentence}`);
      else say(`ok       ${name}: ${found}`);
    } catch (error) {
      isHealthy = false;
      say(`PROBLEM  ${name}: ${sentenceOf(error as Error)}`);
    }
  }
  return isHealthy;
}

/** The message of a domain error is for users; its cause is for operators. */
function sentenceOf(error: Error): string {
  return error instanceof DomainError && error.cause instanceof Error ? error.cause.message : error.message;
}

/** @throws Finding while an earlier check has not opened it */
function needed<T>(opened: T | undefined, name: string): T {
  if (opened === undefined) throw new Finding(`This needs ${name}.`);
  return opened;
}

async function checkDataFolder({ dataDir }: Config): Promise<string | Remark> {
  if (!existsSync(dataDir)) return new Remark(`${dataDir} does not exist yet; the start of the app makes it.`);
  await requireWritable(dataDir);
  return `${dataDir} can be written.`;
}

async function requireWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch(() => {
    throw new Finding(`This user cannot write to ${folder}.`);
  });
}

async function checkTables(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string; version: string }>(
    `select name, current_setting('server_version') as version from schema_migration`,
  );
  const applied = new Set(rows.map(({ name }) => name));
  const missing = Object.keys(migrations).filter((name) => !applied.has(name));
  const unknown = [...applied].filter((name) => !(name in migrations));
  if (unknown.length > 0) throw new Finding(`A newer version of Fanvas has migrated it (${unknown.join(', ')}).`);
  if (missing.length > 0)
    throw new Finding(`These migrations are missing, which the next start runs: ${missing.join(', ')}.`);
  return `Postgres ${rows[0]?.version ?? ''} with all ${applied.size} migrations.`;
}

/** The pooler, and the addresses of the other users. */
async function checkAddresses(config: Config, direct: Pool): Promise<string> {
  const { databaseUrl: url, databaseDirectUrl, databaseMigrationUrl, databaseAuditUrl } = config;
  const found: string[] = [];
  for (const [setting, address] of [
    ['DATABASE_MIGRATION_URL', databaseMigrationUrl],
    ['DATABASE_AUDIT_URL', databaseAuditUrl],
  ] as const) {
    if (address === null) continue;
    await withPool(address, (pool) => checkDatabase(pool, address, { setting }));
    found.push(setting);
  }
  if (url !== null && databaseDirectUrl !== null) {
    await withPool(url, (pool) => checkPooledAddress(pool, direct, { url, statementMs: 0 }), true);
    found.push('DATABASE_URL (a pooler)');
  }
  return found.length === 0 ? 'none is set.' : `${found.join(', ')} can be used.`;
}

async function withPool(url: string, work: (pool: Pool) => Promise<unknown>, pooled = false): Promise<void> {
  const pool = createPool(url, { max: 1, pooled });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

async function checkConnections({ databaseConnections: wanted }: Config, pool: Pool): Promise<string | Remark> {
  const { rows } = await pool.query<{ most: number; used: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*)::int from pg_stat_activity where coalesce(backend_type, 'client backend') = 'client backend') as used`,
  );
  const { most, used } = rows[0]!;
  const free = `${used} of ${most} are used, and a process needs ${wanted} (DATABASE_CONNECTIONS)`;
  return most - used < wanted ? new Remark(`${free}: no further process can start.`) : `${free}.`;
}

async function checkClock(pool: Pool): Promise<string> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: number }>(`select extract(epoch from clock_timestamp())::float8 as now`);
  const after = Date.now();
  const database = (rows[0]?.now ?? NaN) * 1000;
  const differenceMs = Math.round(database < before ? database - before : Math.max(0, database - after));
  if (Math.abs(differenceMs) > CLOCK_MS) {
    throw new Finding(
      `The clock of the database differs by ${(differenceMs / 1000).toFixed(1)} s from this one: set both by NTP (docs/runbooks/clocks.md).`,
    );
  }
  return 'this machine and the database agree.';
}

async function checkProjections(pool: Pool, eventStore: EventStore): Promise<string | Remark> {
  const all = await statusOf(createDatabase<CheckpointTables>(pool), eventStore, projections);
  const namesOf = (...states: readonly string[]): string =>
    all.flatMap(({ name, state }) => (states.includes(state) ? [`${name} is ${state}`] : [])).join(', ');
  const ahead = namesOf('ahead');
  if (ahead) throw new Finding(`${ahead}: a newer version of Fanvas has made them.`);
  const lag = Math.ceil(Math.max(...all.map(({ lagSeconds }) => lagSeconds)));
  if (lag > LAG_SECONDS) throw new Finding(`They are ${lag} s behind the events: does a worker run?`);
  const unfinished = namesOf('new', 'outdated');
  if (unfinished) return new Remark(`${unfinished}; a worker builds them.`);
  return `${all.length}, at most ${lag} s behind the events.`;
}

async function checkKeys(config: Config, pool: Pool): Promise<string | Remark> {
  await openKeys(config, pool, () => undefined);
  if (config.masterKey) return 'FANVAS_MASTER_KEY opens those in the database.';
  if (!hasKeysOfItsOwn(config)) return config.databaseUrl === null ? 'in the data folder.' : 'all are in settings.';
  return new Remark(
    'they are in the data folder, so only one process can run; FANVAS_MASTER_KEY moves them (docs/runbooks/keys.md).',
  );
}

/** Stores a small file in the bucket, reads it and deletes it. */
async function checkStorage(config: Config): Promise<string> {
  if (!config.media.bucket) {
    const folder = mediaFolder(config.dataDir);
    if (existsSync(folder)) await requireWritable(folder);
    return 'in the data folder.';
  }
  const storage = await openStorage(config);
  const folder = `doctor-${randomUUID()}`;
  const bytes = Buffer.from(folder);
  await storage.put(`${folder}/1.txt`, bytes, 'text/plain');
  const read = await storage.get(`${folder}/1.txt`);
  await storage.deleteFolder(folder);
  if (!read?.equals(bytes)) throw new Finding('A file that was stored was read differently.');
  return 'the bucket of MEDIA_URL stores, gives and deletes.';
}

/** Makes a call that changes nothing at each provider. */
function providerChecks(config: Config): (readonly [string, Check])[] {
  let remote: Promise<SandboxSettings> | undefined;
  const settingsOf = async <Name extends 'clerk' | 'replicate' | 'stripe'>(name: Name) => {
    if (config.sandboxesUrl === null) return config[name];
    remote ??= connectSandboxes(config.sandboxesUrl).then(({ settings }) => settings);
    return (await remote)[name] ?? null;
  };
  const ask = async (provider: string, answer: Promise<unknown> | null): Promise<string | Remark> => {
    if (!answer) return 'its sandbox is a part of the app.';
    try {
      await within(PROVIDER_MS, answer, () => {
        throw new Error('There was no answer.');
      });
      return 'it accepts the key.';
    } catch (error) {
      const status = statusOfAnswer(error);
      if (status === undefined) throw new Finding(`${provider} does not answer: check the network of this machine.`);
      if (status === 401) throw new Finding(`${provider} refuses the key.`);
      if (status === 403) return new Remark('the key has no right to this call; the app may need fewer.');
      throw new Finding(`${provider} answered ${status}.`);
    }
  };
  return [
    [
      'Clerk',
      async () => {
        const clerk = await settingsOf('clerk');
        return ask('Clerk', clerk && createClerk(clerk).users.getCount());
      },
    ],
    [
      'Replicate',
      async () => {
        const replicate = await settingsOf('replicate');
        const account = { timeoutMs: PROVIDER_MS };
        const settings = replicate && { outputHosts: [], ...replicate };
        return ask('Replicate', settings && callReplicate(settings, (client) => client.accounts.current(), account));
      },
    ],
    [
      'Stripe',
      async () => {
        const stripe = await settingsOf('stripe');
        return ask('Stripe', stripe && createStripe(stripe, { timeoutMs: PROVIDER_MS }).balance.retrieve());
      },
    ],
  ];
}

/** The status of an error of an SDK, whose message may contain a part of the key; undefined without an answer. */
function statusOfAnswer(error: unknown): number | undefined {
  const { status, statusCode, problem } = error as {
    readonly status?: number;
    readonly statusCode?: number;
    readonly problem?: { readonly status?: number };
  };
  return status ?? statusCode ?? problem?.status;
}
