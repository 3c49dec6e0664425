import {
  balanceAt,
  copySeal,
  exportLedger,
  fingerprintOf,
  makeSeal,
  parseInstant,
  proveSeal,
  PUBLIC_KEY_FILE,
  publicPem,
  publishSeal,
  readPublicKey,
  SEAL_FOLDER,
  SEAL_LOCK,
  sealChainProblems,
  SealedHeads,
  SealError,
  sealFilesAt,
  signingKey,
  statementOf,
  verifyExport,
  verifyLedger,
  verifySealChain,
  type KindTotals,
  type LedgerProblem,
  type ProvenSeal,
  type StatementPart,
  chargesOf,
  purchasesOf,
  RevenueCheck,
} from '../audit/index.js';
import { type KeyObject } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  atEnd,
  count,
  note,
  openSources,
  progress,
  resolveFile,
  say,
  UsageError,
  verb,
  type Verb,
} from './command-line.js';
import { accountStream } from '../credits/index.js';
import { type GenerationTables } from '../generation/tables.js';
import { type PaymentTables } from '../payments/tables.js';
import { type Config } from '../platform/config/config.js';
import { createDatabase } from '../platform/database/pool.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { Locks } from '../platform/locks.js';
import { compareWithFresh } from '../platform/projections/compare-with-fresh.js';
import { projections } from '../projections.js';

/** What the app makes when it is started once. */
const TABLES = [
  ...['event', 'credit_balance', 'creator_earning', 'generation', 'checkout'],
  ...['projection_checkpoint', 'projection_rebuild', 'ledger_seal'],
];

const json = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

/** The verbs of `npm run ledger` that are the ledger's own. */
export const ledgerVerbs: Readonly<Record<string, Verb>> = {
  verify: verb({
    usage: `verify [--against <seal file or folder>]... [--key <public key>]... [--json]
    every account: hash chain, rules, balances, creators' revenue, generations, checkouts; with seals, that all they cover is there`,
    options: { json, against: texts, key: texts },
    run: (values, _, config) => verify(values, config),
  }),
  replay: verb({
    usage: `replay [<projection>] [--json]
    makes the projections anew beside the live ones, and names each row that differs`,
    options: { json },
    operand: '[a projection]',
    run: (values, name, config) => replay(name, values.json, config),
  }),
  balance: verb({
    usage: `balance <user> [--at <instant>] [--json]
    what a user could spend at an instant, from the stream alone`,
    options: { json, at: text },
    operand: 'a user',
    run: async (values, user, config) => {
      const at = values.at === undefined ? new Date() : instant('--at', values.at);
      const { eventStore } = await openSources(config, { tables: TABLES });
      return balance(eventStore, user, at, values.json);
    },
  }),
  statement: verb({
    usage: `statement <user> [--from <instant>] [--to <instant>] [--json]
    opening balance, every change, closing balance; --from is included, --to is not`,
    options: { json, from: text, to: text },
    operand: 'a user',
    run: async (values, user, config) => {
      const period = {
        from: values.from === undefined ? new Date(0) : instant('--from', values.from),
        to: values.to === undefined ? new Date() : instant('--to', values.to),
      };
      if (period.from >= period.to) {
        throw new UsageError(
          `--from must be before --to${values.to === undefined ? ', which is now without it' : ''}.`,
        );
      }
      const { eventStore } = await openSources(config, { tables: TABLES });
      return statement(eventStore, user, period, values.json);
    },
  }),
  export: verb({
    usage: `export --out <file> [--json]
    all events, with a signed manifest`,
    options: { json, out: text },
    run: async (values, _, config) => {
      if (values.out === undefined) throw new UsageError('Where to? Name a file with --out.');
      return exportTo(resolveFile(values.out), config, values.json);
    },
  }),
  'verify-export': verb({
    usage: `verify-export <file> [--against <seal file or folder>]... [--key <public key>]... [--json]
    offline: that the file is whole, untampered and by the rules; with --json all balances`,
    options: { json, against: texts, key: texts },
    operand: 'the file of an export',
    run: (values, file, config) => verifyExported(resolveFile(file), values, config),
  }),
  seal: verb({
    usage: `seal [--out <file>] [--json]
    signs the heads of all streams now, as the app does daily, and brings the seal to LEDGER_SEAL_DIR and LEDGER_SEAL_URL`,
    options: { json, out: text },
    run: (values, _, config) => seal(values.out, values.json, config),
  }),
  'verify-seal': verb({
    usage: `verify-seal <file or folder> [--key <public key>]... [--json]
    offline: that seals are whole, signed, and name one another`,
    options: { json, key: texts },
    operand: 'the file of a seal, or a folder of seals',
    run: (values, path, config) => verifySeals(path, values, config),
  }),
  'public-key': verb({
    usage: `public-key [--json]
    the key that exports and seals are proven with, and its fingerprint`,
    options: { json },
    run: (values, _, config) => showKey(values.json, config),
  }),
};

interface SealOptions {
  readonly json: boolean;
  readonly against?: string[] | undefined;
  readonly key?: string[] | undefined;
}

async function verify(options: SealOptions, config: Config): Promise<boolean> {
  if (options.key && !options.against) throw new UsageError('--key goes with --against.');
  const problems = new Problems(options.json ? 'json' : 'stdout');
  const keys = options.against ? publicKeys(options.key, config) : [];
  const seals = await provenSeals(options.against, keys, problems);
  const { pool, eventStore } = await openSources(config, { tables: TABLES });
  if (options.against) await verifySealChain(pool, keys, seals, problems.add);
  const ofSeals = problems.count;
  const summary = await verifyLedger(
    {
      pool,
      eventStore,
      charges: chargesOf(createDatabase<GenerationTables>(pool)),
      purchases: purchasesOf(createDatabase<PaymentTables>(pool)),
      projections: [await RevenueCheck.open(pool, eventStore)],
      ...(seals.length > 0 ? { sealed: await SealedHeads.open(seals) } : {}),
    },
    { onProblem: problems.add, onProgress: progress(pace('Verified')) },
  );
  // Not all that it counts are named
  const found = summary.problems + ofSeals;
  if (options.json) say(JSON.stringify({ summary: { ...summary, problems: found } }));
  else {
    say(
      `${count(summary.accounts)} accounts, ${count(summary.events)} events, ${count(summary.generations)} generations (${count(summary.openGenerations)} not at their end), ${count(summary.purchases)} checkouts.`,
    );
    say(`Rows compared: ${rowsOf(summary.rows)}.`);
    for (const { manifest } of seals) say(`Seal ${manifest.number} of ${manifest.startedAt}: ${coverage(manifest)}.`);
    say(found === 0 ? 'No problems found.' : problemsFound(found));
  }
  return found === 0;
}

async function replay(name: string, asJson: boolean, config: Config): Promise<boolean> {
  const chosen = projections.filter((projection) => name === '' || projection.name === name);
  if (chosen.length === 0) {
    const names = projections.map((projection) => projection.name).join(', ');
    throw new UsageError(`There is no projection '${name}'; there are ${names}.`);
  }
  const sources = await openSources(config, { tables: TABLES, patient: true });
  const abort = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  atEnd(async () => {
    // Interrupted: the fresh tables must be dropped before the database is given up
    abort.abort();
    await running.catch(() => undefined);
  });
  let well = true;
  for (const projection of chosen) {
    const words = ({ events, total }: { events: number; total: number }): string =>
      `${projection.name}: ${count(events)} of ${count(total)} events applied.`;
    const comparison = compareWithFresh(sources, projection, {
      signal: abort.signal,
      onProgress: progress(words),
      onDifference: (difference) =>
        say(
          asJson
            ? JSON.stringify({ projection: projection.name, difference })
            : `${projection.name}: ${difference.table}: only in the ${difference.only} table: ${difference.row}`,
        ),
    });
    running = comparison;
    const found = await comparison;
    const comparable = found.liveVersion === projection.version;
    well &&= comparable && found.differences === 0;
    if (asJson) say(JSON.stringify({ projection: projection.name, version: projection.version, ...found }));
    else if (!comparable) {
      const live = found.liveVersion === null ? 'was never built' : `is of version ${found.liveVersion}`;
      say(
        `${projection.name} ${live}; this program makes version ${projection.version}. Start the app, and wait until it has.`,
      );
    } else {
      const differences = found.differences === 0 ? 'no difference' : `${count(found.differences)} differences`;
      say(`${projection.name}: ${count(found.events)} events, ${count(found.rows)} rows, ${differences}.`);
    }
  }
  return well;
}

async function balance(eventStore: EventStore, userId: string, at: Date, asJson: boolean): Promise<boolean> {
  await requireAccount(eventStore, userId);
  const problems = new Problems('stderr');
  const found = await balanceAt(eventStore, userId, at, problems.add);
  if (asJson) say(JSON.stringify({ ...found, problems: problems.count }));
  else if (found.version < 0) say(`${userId} had no account at ${found.at}.`);
  else {
    say(`${userId} at ${found.at}: ${totals(found.balance)}; ${found.open} in open deductions, ${found.owed} owed.`);
    say(`Event ${found.version}, hash ${found.head ?? 'missing'}.`);
  }
  return problems.count === 0;
}

async function statement(
  eventStore: EventStore,
  userId: string,
  period: { from: Date; to: Date },
  asJson: boolean,
): Promise<boolean> {
  await requireAccount(eventStore, userId);
  const problems = new Problems('stderr');
  for await (const part of statementOf(eventStore, userId, period, problems.add)) {
    say(asJson ? JSON.stringify(part) : lineOf(part));
  }
  return problems.count === 0;
}

async function exportTo(file: string, config: Config, asJson: boolean): Promise<boolean> {
  const { eventStore } = await openSources(config, { tables: TABLES });
  const problems = new Problems('stderr');
  const key = signingKey(config.ledger.signingKey, config.dataDir);
  const manifest = await exportLedger({ eventStore }, file, {
    ...{ key, now: () => new Date(), onProblem: problems.add, onProgress: progress(pace('Exported')) },
  });
  if (asJson) say(JSON.stringify({ ...manifest, problems: problems.count }));
  else {
    say(`${file}: ${count(manifest.streams)} accounts, ${count(manifest.events)} events.`);
    say(`Merkle root ${manifest.merkleRoot}, signed with the key ${manifest.keyFingerprint}.`);
    if (problems.count > 0) say(`${problemsFound(problems.count)} They are in the file as they are in the ledger.`);
  }
  return problems.count === 0;
}

async function verifyExported(file: string, options: SealOptions, config: Config): Promise<boolean> {
  const problems = new Problems(options.json ? 'json' : 'stdout');
  const keys = publicKeys(options.key, config);
  const seals = await provenSeals(options.against, keys, problems);
  const sums = { daily: 0, bonus: 0, paid: 0, total: 0 };
  const soFar = { accounts: 0, events: 0 };
  const tell = progress(pace('Verified'));
  const found = await verifyExport(
    file,
    keys,
    problems.add,
    (account) => {
      for (const kind of ['daily', 'bonus', 'paid', 'total'] as const) sums[kind] += account.balance[kind];
      if (options.json) say(JSON.stringify({ account }));
      soFar.accounts += 1;
      soFar.events += account.version + 1;
      tell(soFar);
    },
    seals.length > 0 ? await SealedHeads.open(seals) : undefined,
  );
  if (options.json) say(JSON.stringify({ summary: { ...found, problems: problems.count, balance: sums } }));
  else {
    const as = found.manifest?.startedAt ?? 'the end';
    say(`${count(found.accounts)} accounts, ${count(found.events)} events, ${totals(sums)} as of ${as}.`);
    for (const { manifest } of seals) say(`Seal ${manifest.number} of ${manifest.startedAt}: ${coverage(manifest)}.`);
    say(problems.count === 0 ? `Whole and untampered, by the key ${fingerprints(keys)}.` : problems.words());
  }
  return problems.count === 0;
}

async function seal(out: string | undefined, asJson: boolean, config: Config): Promise<boolean> {
  const { pool, eventStore } = await openSources(config, { tables: TABLES });
  const now = (): Date => new Date();
  const key = signingKey(config.ledger.signingKey, config.dataDir);
  const context = { pool, eventStore, key, now, folder: join(config.dataDir, SEAL_FOLDER) };
  const made = await new Locks(pool).withLock(SEAL_LOCK, async () => {
    const { manifest, file } = await makeSeal(context, progress(pace('Sealed')));
    const { sealDir: dir, sealUrl: url, sealToken: token } = config.ledger;
    if (out !== undefined) await copySeal(file, resolveFile(out), dirname(resolveFile(out)));
    await publishSeal(context, manifest.number, file, { dir, url, token });
    return { manifest, file };
  });
  if (!made) throw new SealError('The ledger is being sealed by another process; try again when it is done.');
  const { manifest, file } = made;
  if (asJson) say(JSON.stringify({ ...manifest, file }));
  else {
    say(`Seal ${manifest.number} of ${manifest.startedAt}: ${coverage(manifest)}.`);
    say(`Merkle root ${manifest.merkleRoot}, signed with the key ${manifest.keyFingerprint}.`);
    say(
      [file, out === undefined ? null : resolveFile(out), config.ledger.sealDir, config.ledger.sealUrl]
        .filter(Boolean)
        .join('\n'),
    );
  }
  return true;
}

async function verifySeals(path: string, options: SealOptions, config: Config): Promise<boolean> {
  const problems = new Problems(options.json ? 'json' : 'stdout');
  const keys = publicKeys(options.key, config);
  const seals = await provenSeals([path], keys, problems);
  sealChainProblems(seals, problems.addSeal);
  for (const { manifest, file, hash } of seals) {
    if (options.json) say(JSON.stringify({ seal: { ...manifest, file, hash } }));
    else
      say(
        `Seal ${manifest.number} of ${manifest.startedAt}: ${coverage(manifest)}; after ${manifest.previous ?? 'none'}.`,
      );
  }
  if (!options.json)
    say(problems.count === 0 ? `Whole and untampered, by the key ${fingerprints(keys)}.` : problems.words());
  return problems.count === 0;
}

function showKey(asJson: boolean, config: Config): Promise<boolean> {
  const key = signingKey(config.ledger.signingKey, config.dataDir);
  if (asJson) say(JSON.stringify({ publicKey: publicPem(key), keyFingerprint: fingerprintOf(key) }));
  else {
    say(publicPem(key).trimEnd());
    note(`SHA-256 ${fingerprintOf(key)}`);
  }
  return Promise.resolve(true);
}

/** Seals that are sound, of those that were named. What is wrong with the others is a problem. */
async function provenSeals(
  paths: readonly string[] | undefined,
  keys: readonly KeyObject[],
  problems: Problems,
): Promise<ProvenSeal[]> {
  const seals: ProvenSeal[] = [];
  for (const path of paths ?? []) {
    for (const file of await sealFilesAt(resolveFile(path))) {
      const proven = await proveSeal(file, keys, problems.addSeal);
      if (proven) seals.push(proven);
    }
  }
  return seals;
}

function publicKeys(files: readonly string[] | undefined, config: Config): KeyObject[] {
  return (files?.map(resolveFile) ?? [join(config.dataDir, PUBLIC_KEY_FILE)]).map(readPublicKey);
}

function fingerprints(keys: readonly KeyObject[]): string {
  return keys.map(fingerprintOf).join(', ');
}

async function requireAccount(eventStore: EventStore, userId: string): Promise<void> {
  const missing = await eventStore.missingStreams([accountStream(userId)]);
  if (missing.length > 0) throw new NoAccountError(`There is no account of ${userId}.`);
}

/** The user is not known to the ledger. */
export class NoAccountError extends Error {}

function instant(name: string, value: string): Date {
  const found = parseInstant(value);
  if (found) return found;
  throw new UsageError(`${name} must be an instant such as 2026-03-10 or 2026-03-10T09:00:00Z; it is '${value}'.`);
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

function coverage({ streams, events }: { readonly streams: number; readonly events: number }): string {
  return `${count(streams)} accounts, ${count(events)} events`;
}

function rowsOf(rows: Readonly<Record<string, number>>): string {
  return Object.entries(rows)
    .map(([projection, compared]) => `${count(compared)} of ${projection}`)
    .join(', ');
}

function pace(word: string): (soFar: { accounts: number; events: number }, seconds: number) => string {
  return ({ accounts, events }, seconds) =>
    `${word} ${count(accounts)} accounts, ${count(events)} events (${count(Math.round(events / seconds))} events a second).`;
}

function wordsOf({ stream, version, kind, what }: LedgerProblem): string {
  return `${stream}${version === null ? '' : ` @ ${version}`}: ${kind}: ${what}`;
}

function problemsFound(number: number): string {
  return number === 1 ? '1 problem found.' : `${count(number)} problems found.`;
}

/** Names problems as they come, and counts them. */
class Problems {
  count = 0;

  /** @param where `stderr`: for verbs whose stdout is something else */
  constructor(private readonly where: 'stdout' | 'stderr' | 'json') {}

  readonly add = (problem: LedgerProblem): void => {
    this.count += 1;
    if (this.where === 'json') say(JSON.stringify({ problem }));
    else (this.where === 'stdout' ? say : note)(wordsOf(problem));
  };

  readonly addSeal = (what: string): void => this.add({ stream: '*', version: null, kind: 'seal', what });

  words(): string {
    return problemsFound(this.count);
  }
}
