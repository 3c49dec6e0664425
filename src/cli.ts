import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import {
  balanceAt,
  ExportError,
  exportLedger,
  PUBLIC_KEY_FILE,
  readPublicKey,
  signingKey,
  SigningKeyError,
  statementOf,
  verifyExport,
  verifyLedger,
  type KindTotals,
  type LedgerProblem,
  type StatementPart,
} from './credits/index.js';
import { chargesOf } from './generation/index.js';
import { type GenerationTables } from './generation/tables.js';
import { ConfigError, type Config } from './platform/config/config.js';
import { loadConfig } from './platform/config/load-config.js';
import { checkDatabase, createDatabase, createPool, DatabaseUnavailableError } from './platform/database/pool.js';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './platform/embedded/embedded-postgres.js';
import { type EventStore } from './platform/event-store/event-store.js';
import { PostgresEventStore } from './platform/event-store/postgres-event-store.js';

const USAGE = `Usage: npm run ledger -- <verb>

  verify [--json]                                   every account: hash chain, rules, projections, generations
  balance <user> [--at <instant>] [--json]          what a user could spend at an instant, from the stream alone
  statement <user> [--from <instant>] [--to <instant>] [--json]
  export --out <file> [--json]                      all events, signed (LEDGER_SIGNING_KEY, else a key kept in DATA_DIR)
  verify-export <file> [--key <public key>] [--json]  offline: whole, untampered, by the rules; with --json all balances

Instants are ISO 8601, as in 2026-03-10 or 2026-03-10T09:00:00Z. The exit code is 0 only when all is well.`;

/** How often a long run says how far it is, milliseconds. */
const PROGRESS_MS = 2_000;

/** Mistakes of whoever runs this: a sentence helps them, a stack does not. */
class UsageError extends Error {}
const SENTENCES = [
  UsageError,
  ExportError,
  SigningKeyError,
  ConfigError,
  DatabaseUnavailableError,
  EmbeddedPostgresError,
];

interface Ledger {
  readonly pool: Pool;
  readonly eventStore: EventStore;
}

const options = {
  json: { type: 'boolean', default: false },
  at: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
  key: { type: 'string' },
} as const;

async function main(): Promise<boolean> {
  const { values, positionals } = readArguments();
  const [command, verb, subject, ...rest] = positionals;
  if (command !== 'ledger' || rest.length > 0) throw new UsageError(USAGE);
  switch (verb) {
    case 'verify':
      if (subject !== undefined) throw new UsageError(USAGE);
      return withLedger((ledger) => verify(ledger, values.json));
    case 'balance': {
      const at = values.at === undefined ? new Date() : instant('--at', values.at);
      return withLedger(({ eventStore }) => balance(eventStore, user(subject), at, values.json));
    }
    case 'statement': {
      const period = {
        from: values.from === undefined ? new Date(0) : instant('--from', values.from),
        to: values.to === undefined ? new Date() : instant('--to', values.to),
      };
      if (period.from >= period.to) throw new UsageError('--from must be before --to.');
      return withLedger(({ eventStore }) => statement(eventStore, user(subject), period, values.json));
    }
    case 'export': {
      const { out } = values;
      if (out === undefined || subject !== undefined)
        throw new UsageError(`Where to? Name a file with --out.\n\n${USAGE}`);
      return withLedger((ledger, config) => exportTo(resolveFile(out), ledger, config, values.json));
    }
    case 'verify-export':
      if (subject === undefined) throw new UsageError(`Which file?\n\n${USAGE}`);
      return verifyExported(resolveFile(subject), values.key, values.json);
    default:
      throw new UsageError(USAGE);
  }
}

function readArguments() {
  try {
    return parseArgs({ args: ['ledger', ...process.argv.slice(2)], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function instant(name: string, value: string): Date {
  const date = new Date(value);
  if (!/^\d{4}-\d\d-\d\d/.test(value) || Number.isNaN(date.getTime())) {
    throw new UsageError(`${name} must be an instant such as 2026-03-10T09:00:00Z; it is '${value}'.`);
  }
  return date;
}

function user(subject: string | undefined): string {
  if (subject === undefined) throw new UsageError(`Whose account? Name a user.\n\n${USAGE}`);
  return subject;
}

async function verify({ pool, eventStore }: Ledger, json: boolean): Promise<boolean> {
  const onProgress = progress('Verified');
  const onProblem = json ? (problem: LedgerProblem) => say(JSON.stringify({ problem })) : sayProblem;
  const summary = await verifyLedger(
    { pool, eventStore, charges: chargesOf(createDatabase<GenerationTables>(pool)) },
    { onProblem, onProgress },
  );
  if (json) say(JSON.stringify({ summary }));
  else {
    say(
      `${count(summary.accounts)} accounts, ${count(summary.events)} events, ${count(summary.generations)} generations (${count(summary.openGenerations)} not at their end).`,
    );
    say(summary.problems === 0 ? 'No problems found.' : `${count(summary.problems)} problems found.`);
  }
  return summary.problems === 0;
}

async function balance(eventStore: EventStore, userId: string, at: Date, json: boolean): Promise<boolean> {
  const problems = new ProblemsOnStderr();
  const found = await balanceAt(eventStore, userId, at, problems.add);
  if (json) say(JSON.stringify({ ...found, problems: problems.count }));
  else if (found.version < 0) say(`${userId} had no account at ${found.at}.`);
  else {
    say(`${userId} at ${found.at}: ${totals(found.balance)}; ${found.open} in open deductions.`);
    say(`Event ${found.version}, hash ${found.head ?? 'missing'}.`);
  }
  return problems.count === 0;
}

async function statement(
  eventStore: EventStore,
  userId: string,
  period: { from: Date; to: Date },
  json: boolean,
): Promise<boolean> {
  const problems = new ProblemsOnStderr();
  for await (const part of statementOf(eventStore, userId, period, problems.add)) {
    say(json ? JSON.stringify(part) : lineOf(part));
  }
  return problems.count === 0;
}

async function exportTo(file: string, ledger: Ledger, { dataDir }: Config, json: boolean): Promise<boolean> {
  const problems = new ProblemsOnStderr();
  const key = signingKey(process.env['LEDGER_SIGNING_KEY']?.trim() || null, dataDir);
  const now = (): Date => new Date();
  const manifest = await exportLedger(ledger, file, {
    ...{ key, now, onProblem: problems.add, onProgress: progress('Exported') },
  });
  if (json) say(JSON.stringify({ ...manifest, problems: problems.count }));
  else {
    say(`${file}: ${count(manifest.streams)} accounts, ${count(manifest.events)} events.`);
    say(`Merkle root ${manifest.merkleRoot}, signed with the key ${manifest.keyFingerprint}.`);
    if (problems.count > 0)
      say(`${count(problems.count)} problems found; they are in the file as they are in the ledger.`);
  }
  return problems.count === 0;
}

async function verifyExported(file: string, keyFile: string | undefined, json: boolean): Promise<boolean> {
  const known = keyFile === undefined ? join(dataDirectory(), PUBLIC_KEY_FILE) : resolveFile(keyFile);
  const sums = { daily: 0, bonus: 0, paid: 0, total: 0 };
  const found = await verifyExport(
    file,
    readPublicKey(known),
    json ? (problem) => say(JSON.stringify({ problem })) : sayProblem,
    (account) => {
      for (const kind of ['daily', 'bonus', 'paid', 'total'] as const) sums[kind] += account.balance[kind];
      if (json) say(JSON.stringify({ account }));
    },
  );
  if (json) say(JSON.stringify({ summary: { ...found, balance: sums } }));
  else {
    say(
      `${count(found.accounts)} accounts, ${count(found.events)} events, ${totals(sums)} as of ${found.manifest?.startedAt ?? 'the end'}.`,
    );
    say(
      found.problems === 0
        ? `Whole and untampered, by the key in ${known}.`
        : `${count(found.problems)} problems found.`,
    );
  }
  return found.problems === 0;
}

function dataDirectory(): string {
  return loadConfig(process.env, process.cwd()).dataDir;
}

/** From where the person stands: npm changes into the package's folder. */
function resolveFile(file: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), file);
}

function lineOf(part: StatementPart): string {
  if (part.part === 'opening') return `${part.at}  Opening balance: ${totals(part.balance)}`;
  if (part.part === 'closing') return `${part.at}  Closing balance: ${totals(part.balance)}`;
  const amount = (part.amount > 0 ? `+${part.amount}` : String(part.amount)).padStart(6);
  return `${part.at}  ${amount} ${String(part.balance).padStart(7)}  ${part.what} ${part.reference}`;
}

function totals({ daily, bonus, paid, total }: KindTotals): string {
  return `${total} credits (${daily} daily, ${bonus} bonus, ${paid} paid)`;
}

function sayProblem(problem: LedgerProblem): void {
  say(wordsOf(problem));
}

function wordsOf({ stream, version, kind, what }: LedgerProblem): string {
  return `${stream}${version === null ? '' : ` @ ${version}`}: ${kind}: ${what}`;
}

/** For verbs whose stdout is something else. */
class ProblemsOnStderr {
  count = 0;
  readonly add = (problem: LedgerProblem): void => {
    this.count += 1;
    process.stderr.write(`${wordsOf(problem)}\n`);
  };
}

/** Says on stderr, every two seconds, how far it is. */
function progress(verb: string): (soFar: { accounts: number; events: number }) => void {
  const started = performance.now();
  let last = started;
  return ({ accounts, events }) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    const rate = Math.round((events * 1000) / (now - started));
    process.stderr.write(
      `${verb} ${count(accounts)} accounts, ${count(events)} events (${count(rate)} events a second).\n`,
    );
  };
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function withLedger(use: (ledger: Ledger, config: Config) => Promise<boolean>): Promise<boolean> {
  const config = loadConfig(process.env, process.cwd());
  try {
    const url = config.databaseUrl ?? (await joinOwnPostgres(config));
    const pool = createPool(url, { max: 6 });
    cleanups.push(() => pool.end());
    await checkDatabase(pool, url);
    await requireLedger(pool);
    const eventStore = new PostgresEventStore(pool);
    cleanups.push(() => eventStore.close());
    return await use({ pool, eventStore }, config);
  } finally {
    await cleanUp();
  }
}

/** What must be given up at the end, the last first. */
const cleanups: (() => Promise<void>)[] = [];
let interrupted = false;

let cleaning: Promise<void> | null = null;

/** Once, whoever asks first: when it was interrupted, the end of the work asks as well and must not overtake. */
function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  })();
  return cleaning;
}

/** Ends early, and still gives the database up: a server that this process started must not stay behind. */
function endEarly(code: number): void {
  if (interrupted) return;
  interrupted = true;
  cleanUp().then(
    () => process.exit(code),
    () => process.exit(code),
  );
}

/** The server of the running app, or one of our own on the same data until this is done. */
async function joinOwnPostgres(config: Config): Promise<string> {
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir} yet: start the app once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas' });
  cleanups.push(() => postgres.stop());
  return postgres.url;
}

async function requireLedger(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass('event') is not null and to_regclass('credit_balance') is not null
       and to_regclass('generation') is not null and to_regclass('projection_checkpoint') is not null as there`,
  );
  if (!rows[0]?.there) throw new UsageError('There is no ledger in this database yet: start the app on it once.');
}

// Nest's logger writes to stdout, which is for the answer; its errors go to stderr.
Logger.overrideLogger(['error', 'fatal']);

process.on('SIGINT', () => endEarly(130));
process.on('SIGTERM', () => endEarly(143));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the answer has gone, as `head` does
  if (error.code !== 'EPIPE') throw error;
  endEarly(1);
});

main().then(
  (well) => {
    if (!interrupted) process.exitCode = well ? 0 : 1;
  },
  (error: unknown) => {
    // The database was taken away on purpose
    if (interrupted) return;
    const known = SENTENCES.some((kind) => error instanceof kind);
    process.stderr.write(`${known && error instanceof Error ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
