import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { ConfigError, type Config } from './platform/config/config.js';
import { loadConfig } from './platform/config/load-config.js';
import { checkDatabase, createDatabase, createPool, DatabaseUnavailableError } from './platform/database/pool.js';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './platform/embedded/embedded-postgres.js';
import { type EventStore } from './platform/event-store/event-store.js';
import { EventStoreSettingError, openEventStore } from './platform/event-store/open-event-store.js';
import { type CheckpointTables, readCheckpoint } from './platform/projections/checkpoint.js';
import { type Projection, ProjectionError } from './platform/projections/projection.js';
import { ProjectionRebuild, type RebuildProgress } from './platform/projections/projection-rebuild.js';
import { LAG_COUNTED_TO, type ProjectionStatus, statusOf } from './platform/projections/projection-status.js';
import { ShadowTablesError } from './platform/projections/shadow-tables.js';
import { projections } from './projections.js';

const USAGE = `Usage: npm run projections -- <verb>

  status [--json]                    how far each projection is, and what is in the making
  rebuild <name> [--fresh] [--json]  make its tables anew from all events, beside the running app, then put them in place;
                                     goes on with an unfinished rebuild, or begins again with --fresh
  abandon <name>                     drop what an unfinished rebuild has made

Projections: ${projections.map(({ name }) => name).join(', ')}. The exit code is 0 only when all is well.`;

/** How often a rebuild says how far it is, milliseconds. */
const PROGRESS_MS = 1_000;

/** Mistakes of whoever runs this: a sentence helps them, a stack does not. */
class UsageError extends Error {}
const SENTENCES = [
  UsageError,
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  EventStoreSettingError,
  ShadowTablesError,
];

interface Sources {
  readonly db: Kysely<CheckpointTables>;
  readonly eventStore: EventStore;
}

/** Ctrl-C and SIGTERM end a rebuild between two pages; the next one goes on there. */
const interrupted = new AbortController();

async function main(): Promise<boolean> {
  const { values, positionals } = readArguments();
  const [verb, name, ...rest] = positionals;
  if (rest.length > 0 || (verb === 'status' && name !== undefined)) throw new UsageError(USAGE);
  switch (verb) {
    case 'status':
      return withSources((sources) => status(sources, values.json));
    case 'rebuild': {
      const projection = named(name);
      return withSources((sources) => rebuild(sources, projection, values));
    }
    case 'abandon': {
      const projection = named(name);
      return withSources((sources) => abandon(sources, projection));
    }
    default:
      throw new UsageError(USAGE);
  }
}

function readArguments() {
  try {
    const options = { json: { type: 'boolean', default: false }, fresh: { type: 'boolean', default: false } } as const;
    return parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function named(name: string | undefined): Projection<unknown> {
  const found = projections.find((projection) => projection.name === name);
  if (!found) throw new UsageError(`${name === undefined ? 'Which one?' : `There is no ${name}.`}\n\n${USAGE}`);
  return found;
}

async function status({ db, eventStore }: Sources, json: boolean): Promise<boolean> {
  let well = true;
  for (const projection of projections) {
    const [found] = await statusOf(db, eventStore, [projection]);
    if (!found) continue;
    well &&= found.state === 'current' || found.state === 'behind';
    say(json ? JSON.stringify(found) : wordsOf(found));
  }
  return well;
}

function wordsOf({
  name,
  state,
  liveVersion,
  version,
  position,
  lagEvents,
  lagSeconds,
  rebuild,
}: ProjectionStatus): string {
  const of = liveVersion === version ? `version ${version}` : `version ${liveVersion ?? 'none'}, to become ${version}`;
  const events = lagEvents < LAG_COUNTED_TO ? count(lagEvents) : `${count(LAG_COUNTED_TO)} or more`;
  const lag = lagEvents === 0 ? '' : `, ${events} events and ${Math.ceil(lagSeconds)} s behind`;
  const making = rebuild ? `\n  version ${rebuild.version} in the making: ${progressWords(rebuild)}` : '';
  return `${name}: ${state} (${of}), at ${position ?? 'the beginning'}${lag}${making}`;
}

function progressWords({ events, total, eventsPerSecond, etaSeconds }: RebuildProgress): string {
  const share = total === 0 ? 100 : Math.floor((events * 100) / total);
  const eta = etaSeconds === null ? '' : `, ${count(eventsPerSecond)} a second, about ${count(etaSeconds)} s to go`;
  return `${count(events)} of ${count(total)} events (${share} %)${eta}`;
}

async function rebuild(
  { db, eventStore }: Sources,
  projection: Projection<unknown>,
  { fresh, json }: { fresh: boolean; json: boolean },
): Promise<boolean> {
  const { name, version } = projection;
  const live = await readCheckpoint(db, name);
  if (!live) throw new UsageError(`${name} was never built: the app does that when it runs.`);
  if (live.version > version) throw new UsageError(`${name} was built by a newer version of Fanvas; use that one.`);
  const started = performance.now();
  let said = started;
  let events = 0;
  const end = await new ProjectionRebuild(db, eventStore, projection).run({
    fresh,
    signal: interrupted.signal,
    onProgress: (progress) => {
      events = progress.events;
      if (performance.now() - said < PROGRESS_MS) return;
      said = performance.now();
      process.stderr.write(`${json ? JSON.stringify({ progress }) : progressWords(progress)}\n`);
    },
    onBusy: (attempts) => {
      if (attempts % 10 === 1) process.stderr.write('All is built; readers keep the tables from being exchanged.\n');
    },
  });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  if (json) say(JSON.stringify({ name, version, end, seconds }));
  else if (end === 'switched') say(`${name} was made anew in ${seconds} s and is live.`);
  else if (end === 'elsewhere') say(`Another process has taken ${name} over, or put it in place; see status.`);
  else say(`Interrupted after ${count(events)} events; the same command goes on there.`);
  return end === 'switched';
}

async function abandon({ db, eventStore }: Sources, projection: Projection<unknown>): Promise<boolean> {
  const dropped = await new ProjectionRebuild(db, eventStore, projection).abandon();
  say(dropped ? `What was made of ${projection.name} is dropped.` : `There is nothing in the making.`);
  return true;
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function withSources(use: (sources: Sources) => Promise<boolean>): Promise<boolean> {
  const config = loadConfig(process.env, process.cwd());
  const cleanups: (() => Promise<void>)[] = [];
  try {
    const url = config.databaseUrl ?? (await joinOwnPostgres(config, cleanups));
    const pool = createPool(url, { max: 6, statementTimeoutMs: 0 });
    cleanups.push(() => pool.end());
    await checkDatabase(pool, url);
    const { rows } = await pool.query<{ there: boolean }>(
      `select to_regclass('projection_rebuild') is not null as there`,
    );
    if (!rows[0]?.there)
      throw new UsageError('This database was not set up by this version: start the app on it once.');
    const eventStore = await openEventStore(config, pool);
    cleanups.push(() => eventStore.close());
    return await use({ db: createDatabase<CheckpointTables>(pool), eventStore });
  } finally {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  }
}

/** The server of the running app, or one of our own on the same data until this is done. */
async function joinOwnPostgres(config: Config, cleanups: (() => Promise<void>)[]): Promise<string> {
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new UsageError(
      `There is nothing in ${config.dataDir} yet: start the app once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas' });
  cleanups.push(() => postgres.stop());
  return postgres.url;
}

// Nest's logger writes to stdout, which is for the answer; its errors go to stderr.
Logger.overrideLogger(['error', 'fatal']);

process.on('SIGINT', () => interrupted.abort());
process.on('SIGTERM', () => interrupted.abort());

main().then(
  (well) => {
    process.exitCode = well ? 0 : interrupted.signal.aborted ? 130 : 1;
  },
  (error: unknown) => {
    const known = SENTENCES.some((kind) => error instanceof kind);
    const cause = error instanceof ProjectionError && error.cause instanceof Error ? ` ${error.cause.message}` : '';
    const text = known || cause ? `${(error as Error).message}${cause}` : String((error as Error).stack);
    process.stderr.write(`${text}\n`);
    if (error instanceof ProjectionError)
      process.stderr.write('The live tables are as they were. See status and abandon.\n');
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
