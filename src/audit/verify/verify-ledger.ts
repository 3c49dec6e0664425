import { type KeyObject } from 'node:crypto';
import { accountStream, POLICY_STREAM, readPolicy, userOfStream } from '../../credits/index.js';
import { inPages } from '../../platform/database/in-pages.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { ImportedHistory } from '../imports/imported-history.js';
import { type SealedHeads } from '../seals/seal-file.js';
import { compareNames } from '../seals/signed-file.js';
import { SealComparison } from '../seals/sealed-stream.js';
import { ActCheck } from './act-check.js';
import { verifyActLog } from './act-log.js';
import { ACT_LOG } from './act-rows.js';
import { type LedgerProblem } from './account-audit.js';
import { AccountVerifier, type PlannedAccount, type VerifiedCounts } from './account-verifier.js';
import { claimsBeganAt } from './bonus-claims.js';
import { type RepairedClock } from './event-times.js';
import { type LedgerChecks, ledgerChecks, mergePart, scopeOf } from './ledger-checks.js';
import { addTo, USERS_PER_READ, usersOfTable } from './projection-check.js';
import { EarningsCheck } from './earnings-check.js';
import { type ImageFiles } from './generation-charges.js';
import { LeafCheck } from './leaf-check.js';
import { type KeptCheckpoint, type LogSummary, verifyLog } from './log-audit.js';
import { approvedGrants } from './approved-grants.js';
import { type PolicyAudit } from './policy-audit.js';
import { auditPolicy, PolicyCheck } from './policy-check.js';
import { PayoutActCheck } from './payout-acts.js';
import {
  addProblems,
  type ProblemCounts,
  ProblemReports,
  REPORTED_PER_STREAM,
  type Report,
} from './problem-reports.js';
import { compareRowsWithActs } from './row-check.js';
import { compareSealedRows, type UncoveredRows } from './sealed-rows.js';
import { ACCOUNTS, type EventCounts, STREAM_KINDS, streamsOf } from './stream-kinds.js';
import { StreamVerifier } from './stream-verifier.js';
import { findSumDifferences, sentencesOf } from './sum-check.js';
import { threadsFor, type ThreadSettings, VerifierThread } from './verify-threads.js';
import { type LedgerStores } from './read-account.js';

/**
 * Events of the accounts that are verified together, as counted by the projection. A larger account is verified alone.
 */
const GROUP_EVENTS = 4000;
/** Groups that a thread verifies at the same time: one is read while another is hashed. */
const CONCURRENT_GROUPS = 2;
/** An account with more events than this is verified in the main thread, whose memory has no limit. */
const LARGE_ACCOUNT_EVENTS = 200_000;

/** Sources of a complete verification. */
export interface LedgerSources extends LedgerStores {
  /** Heads of proven seals. Every event that they cover must still exist, unchanged. */
  readonly sealed?: SealedHeads;
  /**
   * Trusted public keys, for the records of imports and the checkpoints of the public log. Without them, no record
   * exempts anything, and the signatures of checkpoints are not checked.
   */
  readonly keys?: readonly KeyObject[];
  /** The stored images. Without them, prompts are compared with their hashes, and images are not. */
  readonly images?: ImageFiles | null;
  /** Checkpoints of the public log that were kept elsewhere. The log must continue them. */
  readonly keptCheckpoints?: readonly KeptCheckpoint[];
  /** Divides the accounts of a large ledger among several threads. Without it, one thread verifies all. */
  readonly threads?: ThreadSettings;
}

export interface VerifyOptions {
  /** Decides which open generations are stuck, and which events must have been projected. */
  readonly now: () => Date;
  readonly onProblem: (problem: LedgerProblem) => void;
  readonly onProgress?: (soFar: LedgerSummary) => void;
  /** Receives each repair of an account's time. It is information, no problem. */
  readonly onRepair?: (repair: RepairedClock) => void;
}

/** Counts of what a complete verification has compared, for its report. */
export interface LedgerSummary extends VerifiedCounts, EventCounts {
  /** Entries of the log of acts. */
  acts: number;
  /** The public log: leaves and checkpoints that were compared. */
  log: LogSummary;
  /** Projected rows compared with those that the events make, by the name of the projection; without sums of rows. */
  rows: Record<string, number>;
  /** Rows that were made before acts had hashes of them. */
  uncovered: UncoveredRows;
  /** Heads of streams compared with those of a seal. */
  sealedStreams: number;
  problems: number;
  /** The same problems by kind. */
  problemsByKind: ProblemCounts;
}

/**
 * Verifies every account: the hash chain and gapless versions, the rules of the ledger by a separate fold
 * (`AccountAudit`), the projections against a fresh fold, each generation against its deduction, each checkout session
 * against its purchase, and the streams against seals. It may run while the app writes: concurrent writes are no
 * problem. Streams and rows are merged page by page. Memory is bounded by the deductions and purchases of the largest
 * account, not by the number of accounts or events.
 */
export async function verifyLedger(sources: LedgerSources, options: VerifyOptions): Promise<LedgerSummary> {
  const reports = new ProblemReports(options.onProblem);
  const leaves = await LeafCheck.open(sources.pool, sources.eventStore);
  const parts = { leaves, users: null, onImport: reports.for(POLICY_STREAM) };
  return (await Verification.open(sources, options, reports, parts)).run(leaves);
}

/**
 * Verifies some accounts completely, like `verifyLedger`, but without seals, without the months of creators and without
 * what concerns no single account.
 */
export async function verifyAccounts(
  sources: Pick<LedgerSources, 'pool' | 'eventStore' | 'keys'>,
  options: VerifyOptions,
  users: readonly string[],
): Promise<LedgerSummary> {
  const reports = new ProblemReports(options.onProblem);
  // Problems of the policy itself concern no single account.
  const policy = await auditPolicy(sources.eventStore, () => undefined);
  return (await Verification.open(sources, options, reports, { users, policy })).runFor(users);
}

/**
 * Verifies some streams completely, like `verifyLedger`, but without seals and without what concerns no single stream.
 * Streams of accounts are left out.
 */
export async function verifyStreams(
  sources: Pick<LedgerSources, 'pool' | 'eventStore' | 'keys'>,
  options: VerifyOptions,
  streams: readonly string[],
): Promise<LedgerSummary> {
  const reports = new ProblemReports(options.onProblem);
  return (await Verification.open(sources, options, reports, { users: [] })).runStreams(streams);
}

/** The parts of the ledger that a verification compares. */
interface VerifiedParts {
  /** The users whose acts are compared; null for all. */
  readonly users: readonly string[] | null;
  /** Missing: leaves of the public log are not compared. */
  readonly leaves?: LeafCheck;
  /** The policy, if it is read before the accounts. */
  readonly policy?: PolicyAudit;
  /** Receives problems of the records of imports. A record that exempts nothing concerns no single stream. */
  readonly onImport?: Report;
}

async function openChecks(
  { pool, eventStore, sealed, keys = [] }: LedgerSources,
  now: () => Date,
  reports: ProblemReports,
  { users, leaves, policy, onImport = () => undefined }: VerifiedParts,
): Promise<LedgerChecks> {
  const imports = await ImportedHistory.read({ pool, eventStore }, keys, onImport);
  const { cumulativeFrom } = (await readPolicy(eventStore)).revenueRule;
  return ledgerChecks({ pool, eventStore }, now, {
    cumulativeFrom,
    earnings: EarningsCheck.open(now),
    leaves: leaves ?? null,
    policy: new PolicyCheck(reports.for(POLICY_STREAM), approvedGrants(pool), policy),
    acts: await ActCheck.read(pool, users),
    imports,
    sealTimes: sealed?.times ?? [],
    claimsBegan: await claimsBeganAt(pool),
  });
}

type Checkpoint = { readonly version: number; readonly position: string | null };
type ListedAccount = Omit<PlannedAccount, 'projected'>;

class Verification {
  private readonly seals: SealComparison;
  /** Verifies in the main thread. */
  private readonly verifier: AccountVerifier;
  private threads: readonly VerifierThread[] = [];
  private readonly streams: StreamVerifier;

  static async open(
    sources: LedgerSources,
    options: VerifyOptions,
    reports: ProblemReports,
    parts: VerifiedParts,
  ): Promise<Verification> {
    const checks = await openChecks(sources, options.now, reports, parts);
    const payoutActs = await PayoutActCheck.read(sources.pool, (stream) => reports.for(stream));
    return new Verification(sources, options, reports, checks, payoutActs);
  }

  private constructor(
    private readonly sources: LedgerSources,
    private readonly options: VerifyOptions,
    private readonly reports: ProblemReports,
    private readonly checks: LedgerChecks,
    private readonly payoutActs: PayoutActCheck,
  ) {
    this.seals = new SealComparison(sources.sealed, (problem) => reports.for(problem.stream)(problem));
    this.verifier = new AccountVerifier(sources, checks, reports, options);
    const context = { ...sources, now: options.now, ...checks, payoutActs };
    this.streams = new StreamVerifier(context, this.seals, reports);
  }

  async run(leaves: LeafCheck): Promise<LedgerSummary> {
    const { pool, eventStore, sealed, keys, keptCheckpoints: kept = [] } = this.sources;
    const { policy, acts, imports, earnings } = this.checks;
    const checks = this.checks.projections;
    const ofStreams = STREAM_KINDS.flatMap(({ checked }) => checked?.projection ?? []);
    const projections = [...checks.map(({ projection }) => projection), ...ofStreams];
    const before = await this.checkpoints();
    const report = this.reports.for('*');
    const onDifference = (sentence: string): void =>
      report({ stream: '*', version: null, kind: 'projection', what: sentence });
    for (const projection of projections) {
      const found = before.get(projection.name);
      if (!found || found.version === projection.version) continue;
      onDifference(
        `The projection ${projection.name} is of version ${found.version}; this program compares version ${projection.version}.`,
      );
    }
    await this.findMisplaced();
    const [log, elsewhere, sums] = await this.verifyListed(async () => {
      return Promise.all([
        verifyLog({ pool, eventStore, keys, kept }, leaves, (stream) => this.reports.for(stream)),
        this.streamsElsewhere(),
        findSumDifferences(pool),
      ]);
    });
    await this.verifyElsewhere(elsewhere);
    imports.endAll(this.reports.for('*'));
    await earnings.end({ pool, eventStore }, (stream) => this.reports.for(stream));
    await policy.end();
    const onAct = this.reports.for(ACT_LOG);
    await acts.end(this.options.now().getTime(), onAct);
    await this.payoutActs.endAll(this.options.now().getTime());
    await compareRowsWithActs(pool, onAct);
    const uncovered = await compareSealedRows(pool, onAct);
    const entries = await verifyActLog(pool, sealed?.acts ?? [], onAct);
    for (const { unsummable } of checks) if (typeof unsummable === 'string') onDifference(unsummable);
    for (const difference of sums) {
      const check = checks.find(({ projection }) => projection.name === difference.projection);
      if (typeof check?.unsummable === 'string') continue;
      for (const sentence of sentencesOf(difference, check?.differs === false)) onDifference(sentence);
    }
    const after = await this.checkpoints();
    for (const projection of projections) {
      if (!isBefore(after.get(projection.name), before.get(projection.name), eventStore)) continue;
      onDifference(`The projection ${projection.name} was rebuilt during the comparison; verify again.`);
    }
    return { ...this.summary(), acts: entries, log, uncovered };
  }

  async runFor(users: readonly string[]): Promise<LedgerSummary> {
    const streams = users.map(accountStream);
    const missing = new Set(await this.sources.eventStore.missingStreams(streams));
    const page = streams.map((stream) => ({ stream, listed: !missing.has(stream), heads: null }));
    for await (const group of this.grouped([page.sort((a, b) => compareNames(a.stream, b.stream))])) {
      await this.verifier.verify(group);
    }
    await this.checks.policy.compare();
    await this.checks.acts.end(this.options.now().getTime(), this.reports.for(ACT_LOG));
    return this.summary();
  }

  async runStreams(streams: readonly string[]): Promise<LedgerSummary> {
    await this.streams.verify(streams);
    await this.payoutActs.end();
    return this.summary();
  }

  /**
   * Verifies the accounts that the event store lists, and the policy. Divides a large ledger among threads.
   * @param meanwhile further work of the main thread. When it fails, the threads end too.
   * @returns the result of `meanwhile`
   */
  private async verifyListed<Result>(meanwhile: () => Promise<Result>): Promise<Result> {
    this.threads = await this.startThreads();
    try {
      const onVerified = (): void => this.options.onProgress?.(this.summary());
      const { mainVerifies = true } = this.sources.threads ?? {};
      const withMain = mainVerifies || this.threads.length === 0;
      const verifiers = [...(withMain ? [this.verifier] : []), ...this.threads];
      const [result] = await Promise.all([
        meanwhile(),
        verifyInThreads(this.groups(), this.verifier, verifiers, onVerified),
      ]);
      for (const thread of this.threads) mergePart(this.checks, await thread.end());
      return result;
    } finally {
      await Promise.all(this.threads.map((thread) => thread.stop()));
    }
  }

  private async startThreads(): Promise<VerifierThread[]> {
    const { pool, threads } = this.sources;
    if (!threads) return [];
    const { now, onProblem, onRepair } = this.options;
    const start = {
      address: threads.address,
      scope: scopeOf(this.checks),
      clockOffsetMs: now().getTime() - Date.now(),
    };
    const listener = { onProblem, onRepair: (repair: RepairedClock) => onRepair?.(repair) };
    const length = await threadsFor(pool, threads);
    return Array.from({ length }, () => new VerifierThread(start, listener, threads));
  }

  /** The counts of all threads so far. */
  private summary(): LedgerSummary {
    const counts = { ...this.verifier.counts };
    const problemsByKind = { ...this.reports.counts };
    for (const { answer } of this.threads) {
      if (!answer) continue;
      addTo(counts, answer.counts);
      addProblems(problemsByKind, answer.problems);
    }
    counts.unsealedEvents += this.streams.unsealedEvents;
    const ofAccounts = this.checks.projections.map(({ projection, compared }) => [projection.name, compared]);
    const rows = { ...Object.fromEntries(ofAccounts), ...this.streams.rows } as Record<string, number>;
    const events = this.streams.counts;
    const log = { leaves: 0, checkpoints: 0 };
    const uncovered = { rows: {}, before: null };
    const problems = Object.values(problemsByKind).reduce((sum, count) => sum + count, 0);
    const sealedStreams = this.seals.compared;
    return { ...counts, ...events, acts: 0, log, uncovered, rows, sealedStreams, problems, problemsByKind };
  }

  /** The streams of accounts that only tables have: the event store has no event of them. */
  private async streamsElsewhere(): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    for await (const users of this.usersElsewhere()) {
      if (users.length === 0) continue;
      for (const stream of await this.sources.eventStore.missingStreams(users.map(accountStream))) missing.add(stream);
    }
    return missing;
  }

  /** Verifies accounts that only tables have. A stream that the event store lists was verified with the others. */
  private async verifyElsewhere(streams: ReadonlySet<string>): Promise<void> {
    const page = [...streams]
      .filter((stream) => !this.checks.withoutEvents.has(stream))
      .map((stream) => ({ stream, listed: false, heads: null }));
    for await (const group of this.grouped([page])) await this.verifier.verify(group);
  }

  /** Reports events with a position beyond the end of the store: no projection ever reads them. */
  private async findMisplaced(): Promise<void> {
    const limit = REPORTED_PER_STREAM + 1;
    const found = await this.sources.eventStore.misplacedEvents({ limit });
    for (const { stream, version } of found.slice(0, REPORTED_PER_STREAM)) {
      const sentence = 'The position of this event lies beyond the end of the store: no projection reads the event.';
      this.reports.for(stream)({ stream, version, kind: 'position', what: sentence });
    }
    if (found.length < limit) return;
    const sentence =
      'Further positions lie beyond the end of the store. After a restored dump, run npm run projections -- reposition.';
    this.reports.for('*')({ stream: '*', version: null, kind: 'position', what: sentence });
  }

  private async checkpoints(): Promise<ReadonlyMap<string, Checkpoint>> {
    const { rows } = await this.sources.pool.query<Checkpoint & { name: string }>(
      'select name, version, position from projection_checkpoint',
    );
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** All streams in groups, with their sealed heads. Reports sealed streams that the event store does not have. */
  private async *groups(): AsyncGenerator<PlannedAccount[]> {
    for (const kind of STREAM_KINDS) {
      if (kind === ACCOUNTS) yield* this.grouped(this.listed());
      else await this.streams.verifyKind(kind);
    }
    await this.seals.heads(null);
  }

  /** The accounts that the event store lists, a page at a time, in the order of their streams. */
  private async *listed(): AsyncGenerator<ListedAccount[]> {
    for await (const streams of streamsOf(this.sources.eventStore, ACCOUNTS)) {
      const page: ListedAccount[] = [];
      for (const stream of streams) page.push({ stream, listed: true, heads: await this.seals.heads(stream) });
      yield page;
    }
  }

  /** Groups the accounts of all pages by the number of their events, as counted by the projection. */
  private async *grouped(
    pages: AsyncIterable<readonly ListedAccount[]> | Iterable<readonly ListedAccount[]>,
  ): AsyncGenerator<PlannedAccount[]> {
    const { groupEvents = GROUP_EVENTS } = this.sources.threads ?? {};
    let group: PlannedAccount[] = [];
    let events = 0;
    for await (const page of pages) {
      const versions = await this.projectedVersions(page);
      for (const account of page) {
        const version = versions.get(account.stream);
        const expected = (version ?? 0) + 1;
        if (group.length > 0 && events + expected > groupEvents) {
          yield group;
          group = [];
          events = 0;
        }
        group.push({ ...account, projected: version ?? null });
        events += expected;
      }
    }
    if (group.length > 0) yield group;
  }

  /** Versions of the accounts that the projection knows, by stream. */
  private async projectedVersions(page: readonly ListedAccount[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.sources.pool.query<{ user_id: string; version: number }>(
      'select user_id, version from credit_balance where user_id = any($1::text[])',
      [page.map(({ stream }) => userOfStream(stream))],
    );
    return new Map(rows.map(({ user_id: userId, version }) => [accountStream(userId), version]));
  }

  /** Users found in any table, in pages; some come twice. A deleted stream leaves rows there. */
  private async *usersElsewhere(): AsyncGenerator<readonly string[]> {
    const { pool } = this.sources;
    yield* this.usersWithBalance();
    for (const check of this.checks.projections)
      for await (const users of check.users()) yield this.withoutBalance(users);
    yield* usersOfTable(pool, 'generation');
    yield* usersOfTable(pool, 'checkout', 'session_id is not null');
  }

  private async *usersWithBalance(): AsyncGenerator<readonly string[]> {
    const pages = inPages<{ readonly user_id: string }>(USERS_PER_READ, async (last, limit) => {
      const { rows } = await this.sources.pool.query<{ user_id: string }>(
        'select user_id from credit_balance where user_id > $1 order by user_id limit $2',
        [last?.user_id ?? '', limit],
      );
      return rows;
    });
    for await (const rows of pages) yield rows.map(({ user_id: userId }) => userId);
  }

  /** Filters out users with a balance: they were looked up before. */
  private async withoutBalance(users: readonly string[]): Promise<string[]> {
    const { rows } = await this.sources.pool.query<{ user_id: string }>(
      `select user_id from unnest($1::text[]) as wanted (user_id)
       where not exists (select 1 from credit_balance b where b.user_id = wanted.user_id)`,
      [users],
    );
    return rows.map(({ user_id: userId }) => userId);
  }
}

/**
 * Verifies groups in several threads. Each takes the next group when it has verified one.
 * @param main the verifier of this thread, which takes the large accounts
 */
async function verifyInThreads(
  groups: AsyncGenerator<PlannedAccount[]>,
  main: AccountVerifier,
  verifiers: readonly (AccountVerifier | VerifierThread)[],
  onVerified: () => void,
): Promise<void> {
  let failed = false;
  const follow = async (verifier: AccountVerifier | VerifierThread): Promise<void> => {
    try {
      if (verifier instanceof VerifierThread) await verifier.ready;
      for (let next = await groups.next(); next.done !== true && !failed; next = await groups.next()) {
        await (needsMainThread(next.value) ? main : verifier).verify(next.value);
        onVerified();
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  await Promise.all(verifiers.flatMap((verifier) => Array.from({ length: CONCURRENT_GROUPS }, () => follow(verifier))));
}

/** The memory of other threads is limited. */
function needsMainThread(group: readonly PlannedAccount[]): boolean {
  return group.some(({ projected }) => (projected ?? 0) > LARGE_ACCOUNT_EVENTS);
}

function isBefore(a: Checkpoint | undefined, b: Checkpoint | undefined, eventStore: EventStore): boolean {
  if (!b || b.position === null) return false;
  return !a || a.position === null || eventStore.comparePositions(a.position, b.position) < 0;
}
