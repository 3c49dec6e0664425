import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Logger } from '@nestjs/common';
import { type Client, type Pool } from 'pg';
import { ConfigError, type Config } from '../platform/config/config.js';
import { loadConfig } from '../platform/config/load-config.js';
import { checkDatabase, createPool, DatabaseUnavailableError } from '../platform/database/pool.js';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { EventStoreSettingError, openEventStore } from '../platform/event-store/open-event-store.js';

/** What the programs of the command line have in common: verbs, arguments, the way to the data, how they end. */

/** How often a long run says how far it is, milliseconds. */
const PROGRESS_MS = 2_000;

/** How long work that was interrupted may take to come to its end, milliseconds. */
const UNWIND_MS = 3_000;

/** The command was not understood: exit code 2. The message is a sentence. */
export class UsageError extends Error {}

/** Errors of these kinds are sentences for whoever runs this; of others, the stack is shown. */
const SENTENCES: (new (...args: never[]) => Error)[] = [
  UsageError,
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
  EventStoreSettingError,
];

/** One verb of a program. */
export interface Verb {
  /** Lines of the usage: what follows the program's name, then what it does. */
  readonly usage: string;
  /** @returns whether all is well; @throws UsageError */
  run(args: string[], config: Config): Promise<boolean>;
}

type OptionsOf<Options extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values'];

/** A verb with its own options, and at most one word that is no option. */
export function verb<const Options extends NonNullable<ParseArgsConfig['options']>>(definition: {
  readonly usage: string;
  readonly options: Options;
  /** What the word is, as in `a user`; undefined when there is none. `[...]` says that it may be left out. */
  readonly operand?: string;
  readonly run: (values: OptionsOf<Options>, operand: string, config: Config) => Promise<boolean>;
}): Verb {
  const { usage, options, operand, run } = definition;
  return {
    usage,
    async run(args, config) {
      const { values, positionals } = parse(args, options, usage);
      const [word, ...rest] = positionals;
      const wanted = operand === undefined ? 0 : 1;
      const superfluous = rest[0] ?? (wanted === 0 ? word : undefined);
      if (superfluous !== undefined) throw new UsageError(`What is '${superfluous}' for?\n\nUsage: ${usage}`);
      if (operand !== undefined && !operand.startsWith('[') && (word === undefined || word === '')) {
        throw new UsageError(`Name ${operand}.\n\nUsage: ${usage}`);
      }
      return run(values, word ?? '', config);
    },
  };
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${what}\n\nUsage: ${usage}`);
  }
}

/** Where the data is. */
export interface Sources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
}

/** What must be given up at the end, the last first. */
const cleanups: (() => Promise<void>)[] = [];
let cleaning: Promise<void> | null = null;
let interrupted = false;

/** Registers what must be given up at the end, also when the program is interrupted. */
export function atEnd(cleanup: () => Promise<void>): void {
  cleanups.push(cleanup);
}

/**
 * Opens the data of the settings: the database of the running app, or one of our own on the same folder until this is done.
 * @param options.tables that must be there
 * @param options.patient statements may take as long as they take
 * @throws UsageError when the app was never started on it
 */
export async function openSources(
  config: Config,
  options: { readonly tables: readonly string[]; readonly patient?: boolean },
): Promise<Sources> {
  const url = config.databaseUrl ?? (await joinOwnPostgres(config));
  const pool = createPool(url, { max: 6, ...(options.patient ? { statementTimeoutMs: 0 } : {}) });
  const clients = new Set<Client>();
  pool.on('connect', (client) => clients.add(client as unknown as Client));
  pool.on('remove', (client) => clients.delete(client as unknown as Client));
  atEnd(async () => {
    // Whoever interrupts does not wait for the statements under way
    if (interrupted) await Promise.allSettled([...clients].map((client) => client.end()));
    await pool.end();
  });
  await checkDatabase(pool, url);
  const { rows } = await pool.query<{ missing: string }>(
    'select name as missing from unnest($1::text[]) as name where to_regclass(name) is null limit 1',
    [options.tables],
  );
  if (rows[0])
    throw new UsageError('There is no ledger of this version in this database yet: start the app on it once.');
  const eventStore = await openEventStore(config, pool);
  atEnd(() => eventStore.close());
  return { pool, eventStore };
}

async function joinOwnPostgres(config: Config): Promise<string> {
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir} yet: start the app once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas' });
  atEnd(() => postgres.stop());
  return postgres.url;
}

/** From where the person stands: npm changes into the package's folder. */
export function resolveFile(file: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), file);
}

/** A line of the answer. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line for whoever watches. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function count(number: number): string {
  return number.toLocaleString('en');
}

/** Says on stderr, every two seconds, what `words` makes of how far it is. */
export function progress<SoFar>(words: (soFar: SoFar, seconds: number) => string): (soFar: SoFar) => void {
  const started = performance.now();
  let last = started;
  return (soFar) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    note(words(soFar, (now - started) / 1000));
  };
}

/**
 * Runs the program: the first argument is the verb. The exit code is 0 only when all is well; 1 says that it is not, 2 that the
 * command was not understood, 130 and 143 that it was interrupted; whatever was opened is given up first.
 */
export function runProgram(program: {
  readonly name: string;
  readonly verbs: Readonly<Record<string, Verb>>;
  /** Words below the list of verbs. */
  readonly remarks: string;
  readonly sentences?: (new (...args: never[]) => Error)[];
}): void {
  // Nest's logger writes to stdout, which is for the answer; its errors go to stderr.
  Logger.overrideLogger(['error', 'fatal']);
  process.on('SIGINT', () => endEarly(130, running));
  process.on('SIGTERM', () => endEarly(143, running));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read the answer has gone, as `head` does
    if (error.code !== 'EPIPE') throw error;
    if (!interrupted) endEarly(1, running);
  });
  const usage = `Usage: ${program.name} <verb>\n\n${Object.values(program.verbs)
    .map((each) => `  ${each.usage.replaceAll('\n', '\n  ')}`)
    .join('\n')}\n\n${program.remarks}`;
  const work = async (): Promise<boolean> => {
    const [name = '', ...args] = process.argv.slice(2);
    if (['--help', '-h', 'help'].includes(name)) {
      say(usage);
      return true;
    }
    const chosen = Object.hasOwn(program.verbs, name) ? program.verbs[name] : undefined;
    if (!chosen) throw new UsageError(name === '' ? usage : `There is no verb '${name}'.\n\n${usage}`);
    if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
      say(`Usage: ${program.name} ${chosen.usage}`);
      return true;
    }
    try {
      return await chosen.run(args, loadConfig(process.env, process.cwd()));
    } finally {
      await cleanUp();
    }
  };
  const running = work();
  running.then(
    (well) => {
      if (!interrupted) process.exitCode = well ? 0 : 1;
    },
    (error: unknown) => {
      // The database was taken away on purpose
      if (interrupted) return;
      const known = [...SENTENCES, ...(program.sentences ?? [])].some((kind) => error instanceof kind);
      note(known && error instanceof Error ? error.message : String((error as Error).stack));
      process.exitCode = error instanceof UsageError ? 2 : 1;
    },
  );
}

/** Once, whoever asks first: when it was interrupted, the end of the work asks as well and must not overtake. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  })();
  return cleaning;
}

/**
 * Ends early, and still gives the database up: a server that this process started must not stay behind. What is at work then fails
 * for want of a database, and takes away what it had half done.
 */
function endEarly(code: number, running: Promise<unknown>): void {
  // Whoever asks twice does not want to wait for anything
  if (interrupted) process.exit(code);
  interrupted = true;
  const given = cleanUp().catch((error: unknown) => {
    note(`Not everything could be given up: ${(error as Error).message}`);
  });
  const unwound = given.then(() => Promise.race([running.catch(() => undefined), delay(UNWIND_MS)]));
  void unwound.then(() => process.exit(code));
}
