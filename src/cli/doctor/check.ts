import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { callReplicate } from '../../generation/index.js';
import { createClerk } from '../../identity/index.js';
import { migrations } from '../../migrations.js';
import { createStripe } from '../../payments/index.js';
import { type Config } from '../../platform/config/config.js';
import { type SandboxSettings } from '../../platform/config/provider-settings.js';
import { requireWritableFolder } from '../../platform/data-folder.js';
import { checkDatabase, checkPooledAddress } from '../../platform/database/check-database.js';
import { createDatabase, createPool } from '../../platform/database/pool.js';
import { hasKeysOfItsOwn, openKeys } from '../../platform/keys/open-keys.js';
import { type CheckpointTables } from '../../platform/projections/checkpoint.js';
import { statusOf } from '../../platform/projections/projection-status.js';
import { openStorage } from '../../platform/storage/open-storage.js';
import { projections } from '../../projections.js';
import { connectSandboxes } from '../../remote-sandboxes.js';
import { say } from '../output.js';
import { type AddVerb } from '../program.js';
import { openSources, type Sources } from '../sources.js';

/** Clocks may differ by this much, milliseconds: the event store bounds the time of events. */
const CLOCK_MS = 2_000;
const PROVIDER_MS = 10_000;

/** Something of the installation is wrong. The message is a sentence that says what to do. */
class Finding extends Error {}

/** Returns a sentence about what was found to be right. */
type Check = () => Promise<string>;

/** `check`: settings, database, pooler, event store, keys, storage, clock and providers, one after the other. */
export const addCheck: AddVerb = (program, run) => {
  program
    .command('check', { isDefault: true })
    .description('looks at all that the app needs, and says what is wrong; changes nothing')
    .action(() => run(({ config }) => checkAll(config)));
};

async function checkAll(config: Config): Promise<boolean> {
  say('ok       settings: each one that is set can be read.');
  let sources: Sources | undefined;
  const opened = (): Sources => {
    if (!sources) throw new Finding('This needs the database.');
    return sources;
  };
  const checks: readonly (readonly [name: string, check: Check])[] = [
    ['data folder', () => checkDataFolder(config)],
    [
      'database',
      async () => {
        sources = await openSources(config, { tables: ['schema_migration'], as: 'app' });
        return checkTables(sources.pool);
      },
    ],
    ['other addresses', () => checkAddresses(config, opened().pool)],
    ['connections', () => checkConnections(config, opened().pool)],
    ['clock', () => checkClock(opened().pool)],
    ['projections', () => checkProjections(opened())],
    ['keys', () => checkKeys(config, opened().pool)],
    ['pictures', () => checkStorage(config)],
    ...providerChecks(config),
  ];
  let isHealthy = true;
  for (const [name, check] of checks) {
    try {
      say(`ok       ${name}: ${await check()}`);
    } catch (error) {
      isHealthy = false;
      say(`PROBLEM  ${name}: ${(error as Error).message}`);
    }
  }
  return isHealthy;
}

async function checkDataFolder({ dataDir }: Config): Promise<string> {
  await requireWritableFolder(dataDir);
  return `${dataDir} can be written.`;
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

async function checkConnections({ databaseConnections: needed }: Config, pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ most: number; used: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const { most, used } = rows[0]!;
  if (most - used < needed) {
    throw new Finding(
      `${used} of ${most} are used, and a process needs ${needed} (DATABASE_CONNECTIONS): raise max_connections, or use a pooler.`,
    );
  }
  return `${used} of ${most} are used; a process needs ${needed}.`;
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

async function checkProjections({ pool, eventStore }: Sources): Promise<string> {
  const all = await statusOf(createDatabase<CheckpointTables>(pool), eventStore, projections);
  const stopped = all.filter(({ state }) => state !== 'current' && state !== 'behind');
  if (stopped.length > 0) {
    const names = stopped.map(({ name, state }) => `${name} is ${state}`).join(', ');
    throw new Finding(`${names}: look at npm run projections -- status.`);
  }
  const lag = Math.max(...all.map(({ lagSeconds }) => lagSeconds));
  return `${all.length}, at most ${Math.ceil(lag)} s behind the events.`;
}

async function checkKeys(config: Config, pool: Pool): Promise<string> {
  await openKeys(config, pool, () => undefined);
  if (config.masterKey) return 'FANVAS_MASTER_KEY opens those in the database.';
  if (!hasKeysOfItsOwn(config)) return config.databaseUrl === null ? 'in the data folder.' : 'all are in settings.';
  throw new Finding(
    'They are in the data folder, so only one process can run: set FANVAS_MASTER_KEY (docs/runbooks/keys.md).',
  );
}

/** Stores a small file, reads it and deletes it. */
async function checkStorage(config: Config): Promise<string> {
  const storage = await openStorage(config);
  const name = `${randomUUID()}/doctor.txt`;
  const bytes = Buffer.from(name);
  await storage.put(name, bytes, 'text/plain');
  const read = await storage.get(name);
  await storage.delete(name);
  if (!read?.equals(bytes)) throw new Finding('A file that was stored was read differently.');
  return config.media.bucket
    ? 'the bucket of MEDIA_URL stores, gives and deletes.'
    : 'the data folder stores, gives and deletes.';
}

/** Makes a call that changes nothing at each provider. */
function providerChecks(config: Config): (readonly [string, Check])[] {
  let remote: Promise<SandboxSettings> | undefined;
  const settingsOf = async <Name extends 'clerk' | 'replicate' | 'stripe'>(name: Name) => {
    if (config.sandboxesUrl === null) return config[name];
    remote ??= connectSandboxes(config.sandboxesUrl).then(({ settings }) => settings);
    return (await remote)[name] ?? null;
  };
  const ask = async (provider: string, answer: Promise<unknown> | null): Promise<string> => {
    if (!answer) return 'its sandbox is a part of the app.';
    try {
      await answer;
      return 'it accepts the key.';
    } catch (error) {
      throw new Finding(`${provider} ${reasonOf(error)}.`);
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

/** Messages of the SDKs may contain a part of the key. */
function reasonOf(error: unknown): string {
  const { status, statusCode, problem } = error as {
    readonly status?: number;
    readonly statusCode?: number;
    readonly problem?: { readonly status?: number };
  };
  const answered = status ?? statusCode ?? problem?.status;
  if (answered === undefined) return 'does not answer: check the network of this machine';
  return answered === 401 || answered === 403 ? `refuses the key (${answered})` : `answered ${answered}`;
}
