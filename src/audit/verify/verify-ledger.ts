import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { ACCOUNT_STREAM_PREFIX, accountStream, POLICY_STREAM, userOfStream } from '../../credits/index.js';
import {
  EARNINGS_STREAM_PREFIX,
  PAYOUT_STREAM_PREFIX,
  payoutsProjection,
  PROCESSOR_STREAM,
  processorProjection,
} from '../../finance/index.js';
import { type EventStore, type StoredEvent, StreamDeletedError } from '../../platform/event-store/event-store.js';
import { ImportedHistory } from '../imports/imported-history.js';
import { type SealedHeads } from '../seals/seal-file.js';
import { compareNames } from '../seals/signed-file.js';
import { SealComparison, type SealedStream } from '../seals/sealed-stream.js';
import { ActCheck } from './act-check.js';
import { ACT_LOG, verifyActLog } from './act-log.js';
import { ActivityCheck } from './activity-check.js';
import { type LedgerProblem } from './account-audit.js';
import { AccountVerifier, checkPosition, type PlannedAccount, type VerifiedCounts } from './account-verifier.js';
import { claimsBeganAt } from './bonus-claims.js';
import { AccountProjectionCheck } from './account-projection-check.js';
import { EventTimes, type RepairedClock } from './event-times.js';
import { type LedgerChecks, mergePart, projectionsIn, scopeOf } from './ledger-checks.js';
import { addTo, USERS, usersOfTable } from './projection-check.js';
import { bookSumDifferences } from './book-sums.js';
import { BooksCheck } from './books-check.js';
import { EarningAudit } from './earning-audit.js';
import { EarningsCheck } from './earnings-check.js';
import { bundleDifferences, bundleRows } from './bundle-rows.js';
import { type ImageFiles } from './generation-charges.js';
import { LeafCheck } from './leaf-check.js';
import { closedMonthDifferences } from './closed-months.js';
import { hasPolicy, hasProcessor } from './ledger-streams.js';
import { type KeptCheckpoint, type LogSummary, verifyLog } from './log-audit.js';
import { approvedGrants } from './approved-grants.js';
import { auditPolicy, PolicyCheck } from './policy-check.js';
import { PayoutActCheck } from './payout-acts.js';
import { PayoutAudit } from './payout-audit.js';
import { PayoutCheck, payoutStreamsWithoutEvents } from './payout-check.js';
import { ProcessorAudit } from './processor-audit.js';
import { ProcessorCheck } from './processor-check.js';
import {
  addProblems,
  type ProblemCounts,
  ProblemReports,
  REPORTED_PER_STREAM,
  type Report,
} from './problem-reports.js';
import { eventsOf, eventsOfStreams } from './read-account.js';
import { RevenueCheck } from './revenue-check.js';
import { compareRowsWithActs } from './row-check.js';
import { compareSealedRows, type UncoveredRows } from './sealed-rows.js';
import { threadsFor, type ThreadSettings, VerifierThread } from './verify-threads.js';

/**
 * Events of the accounts that are verified together, as counted by the projection. A larger account is verified alone.
 */
const GROUP_EVENTS = 4000;
/** Groups that a thread verifies at the same time: one is read while another is hashed. */
const CONCURRENT_GROUPS = 2;
/** An account with more events than this is verified in the main thread, whose memory has no limit. */
const LARGE_ACCOUNT_EVENTS = 200_000;

export interface LedgerSources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
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

export interface LedgerSummary extends VerifiedCounts {
  /** Events of the stream `policy`. */
  policyEvents: number;
  /** Events of payouts. */
  payoutEvents: number;
  /** Events of the earnings of creators. */
  earningEvents: number;
  /** Events of the processor. */
  processorEvents: number;
  /** Entries of the log of acts. */
  acts: number;
  /** The public log: leaves and checkpoints that were compared. */
  log: LogSummary;
  /** Projected rows compared with those that the events make, by the name of the projection. */
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
  const imports = await ImportedHistory.read(sources, sources.keys ?? [], reports.for(POLICY_STREAM));
  const policy = new PolicyCheck(reports.for(POLICY_STREAM), approvedGrants(sources.pool));
  const leaves = await LeafCheck.open(sources.pool, sources.eventStore);
  const checks = await openChecks(sources, options.now, { imports, policy, leaves, users: null });
  return new Verification(sources, options, reports, checks).run(leaves);
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
  // A record that exempts nothing concerns no single account; the events in it do.
  const imports = await ImportedHistory.read(sources, sources.keys ?? [], () => undefined);
  // Problems of the policy itself concern no single account.
  const audit = await auditPolicy(sources.eventStore, () => undefined);
  const policy = new PolicyCheck(reports.for(POLICY_STREAM), approvedGrants(sources.pool), audit);
  const checks = await openChecks(sources, options.now, { imports, policy, leaves: null, users });
  return new Verification(sources, options, reports, checks).runFor(users);
}

/**
 * Verifies some streams of payouts, or that of the processor, completely, like `verifyLedger`, but without seals and
 * without what concerns no single stream.
 */
export async function verifyStreams(
  sources: Pick<LedgerSources, 'pool' | 'eventStore' | 'keys'>,
  options: VerifyOptions,
  streams: readonly string[],
): Promise<LedgerSummary> {
  const reports = new ProblemReports(options.onProblem);
  const imports = await ImportedHistory.read(sources, sources.keys ?? [], () => undefined);
  const policy = new PolicyCheck(reports.for(POLICY_STREAM), approvedGrants(sources.pool));
  const checks = await openChecks(sources, options.now, { imports, policy, leaves: null, users: [] });
  return new Verification(sources, options, reports, checks).runStreams(streams);
}

/** @param given.users the users whose acts are compared; null for all */
async function openChecks(
  { pool, eventStore, sealed }: LedgerSources,
  now: () => Date,
  given: {
    readonly imports: ImportedHistory;
    readonly policy: PolicyCheck;
    readonly leaves: LeafCheck | null;
    readonly users: readonly string[] | null;
  },
): Promise<LedgerChecks> {
  const earnings = EarningsCheck.open(now);
  return {
    balances: await AccountProjectionCheck.open(pool, eventStore, now),
    revenue: await RevenueCheck.open(pool, eventStore, now),
    activity: await ActivityCheck.open(pool, eventStore, now),
    books: await BooksCheck.open(pool, eventStore, now, earnings),
    earnings,
    leaves: given.leaves,
    policy: given.policy,
    acts: await ActCheck.read(pool, given.users),
    imports: given.imports,
    sealTimes: sealed?.times ?? [],
    claimsBegan: await claimsBeganAt(pool),
    withoutEvents: new Set(),
  };
}

type Checkpoint = { readonly version: number; readonly position: string | null };
type ListedAccount = Omit<PlannedAccount, 'projected'>;

/** A stream of earnings that is being verified. */
interface VerifiedEarnings {
  readonly audit: EarningAudit;
  readonly times: EventTimes;
  readonly sealed: SealedStream;
  readonly report: Report;
  /** Position of the last event. */
  position: string | null;
}

class Verification {
  private readonly seals: SealComparison;
  /** Verifies in the main thread. */
  private readonly verifier: AccountVerifier;
  private threads: readonly VerifierThread[] = [];
  private policyEvents = 0;
  private payoutEvents = 0;
  private earningEvents = 0;
  /** Compared rows of payouts. */
  private payoutRows = 0;
  private payoutActs: PayoutActCheck | null = null;
  private processorEvents = 0;
  /** Compared rows of the processor. */
  private processorRows = 0;

  constructor(
    private readonly sources: LedgerSources,
    private readonly options: VerifyOptions,
    private readonly reports: ProblemReports,
    private readonly checks: LedgerChecks,
  ) {
    this.seals = new SealComparison(sources.sealed, (problem) => reports.for(problem.stream)(problem));
    this.verifier = new AccountVerifier(sources, checks, reports, options);
  }

  async run(leaves: LeafCheck): Promise<LedgerSummary> {
    const { pool, eventStore, sealed, keys, keptCheckpoints: kept = [] } = this.sources;
    const { policy, acts, imports, earnings } = this.checks;
    const checks = projectionsIn(this.checks);
    const projections = [...checks.map(({ projection }) => projection), payoutsProjection, processorProjection];
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
    this.payoutActs = await PayoutActCheck.read(pool, (stream) => this.reports.for(stream));
    const sums: string[] = [];
    const [log, elsewhere] = await this.verifyListed(async () => {
      const [found, missing] = await Promise.all([
        verifyLog({ pool, eventStore, keys, kept }, leaves, (stream) => this.reports.for(stream)),
        this.streamsElsewhere(),
        bookSumDifferences(pool, (sentence) => sums.push(sentence)),
      ]);
      return [found, missing] as const;
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
    for (const check of checks) check.end(onDifference);
    for (const sentence of sums) onDifference(sentence);
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
    this.payoutActs = await PayoutActCheck.read(this.sources.pool, (stream) => this.reports.for(stream));
    await this.verifyEarningsOf(streams.filter((stream) => stream.startsWith(EARNINGS_STREAM_PREFIX)));
    for (const stream of streams) {
      if (stream === PROCESSOR_STREAM) await this.verifyProcessor();
      if (stream.startsWith(PAYOUT_STREAM_PREFIX)) await this.verifyPayoutsOf(stream);
    }
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
    const rows = Object.fromEntries(
      projectionsIn(this.checks).map(({ projection, compared }) => [projection.name, compared]),
    );
    rows[payoutsProjection.name] = this.payoutRows;
    rows[processorProjection.name] = this.processorRows;
    const { policyEvents, payoutEvents, earningEvents, processorEvents } = this;
    const events = { policyEvents, payoutEvents, earningEvents, processorEvents };
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
    const { eventStore } = this.sources;
    const found = [
      ...(await eventStore.misplacedEvents({ streamPrefix: ACCOUNT_STREAM_PREFIX, limit })),
      ...(await eventStore.misplacedEvents({ streamPrefix: EARNINGS_STREAM_PREFIX, limit })),
      ...(await eventStore.misplacedEvents({ streamPrefix: PAYOUT_STREAM_PREFIX, limit })),
      ...(await eventStore.misplacedEvents({ streamPrefix: PROCESSOR_STREAM, limit })),
    ];
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
    await this.verifyEarnings();
    await this.verifyPayouts();
    yield* this.grouped(this.listed());
    await this.verifyPolicy();
    await this.verifyProcessor();
    await this.seals.heads(null);
  }

  /** The accounts that the event store lists, a page at a time, in the order of their streams. */
  private async *listed(): AsyncGenerator<ListedAccount[]> {
    for await (const streams of this.sources.eventStore.streams(ACCOUNT_STREAM_PREFIX)) {
      const page: ListedAccount[] = [];
      for (const stream of streams) page.push({ stream, listed: true, heads: await this.seals.heads(stream) });
      yield page;
    }
  }

  /** Verifies the streams of earnings, whose names sort before those of payouts. */
  private async verifyEarnings(): Promise<void> {
    for await (const streams of this.sources.eventStore.streams(EARNINGS_STREAM_PREFIX)) {
      await this.verifyEarningsOf(streams);
    }
  }

  /** @param streams in byte order */
  private async verifyEarningsOf(streams: readonly string[]): Promise<void> {
    const missing = new Set(streams);
    let verified: VerifiedEarnings | null = null;
    for await (const page of eventsOfStreams(this.sources.eventStore, streams)) {
      for (const stored of page) {
        if (verified?.audit.stream !== stored.stream) {
          this.endEarnings(verified);
          verified = await this.beginEarnings(stored.stream);
          missing.delete(stored.stream);
        }
        this.addEarning(verified, stored);
      }
    }
    this.endEarnings(verified);
    for (const stream of missing) {
      const sentence = 'The stream was deleted in the event store: all its events are missing.';
      this.reports.for(stream)({ stream, version: null, kind: 'version', what: sentence });
    }
  }

  private async beginEarnings(stream: string): Promise<VerifiedEarnings> {
    const report = this.reports.for(stream);
    const { imports } = this.checks;
    const times = new EventTimes(stream, this.options.now, report, (version) => imports.has(stream, version));
    const sealed = await this.seals.begin(stream);
    return { audit: new EarningAudit(stream, report), times, sealed, report, position: null };
  }

  private addEarning(verified: VerifiedEarnings, stored: StoredEvent): void {
    const { audit, times, sealed, report, position } = verified;
    const share = audit.add(stored);
    if (share) this.checks.earnings.addRecord(audit.creatorId, share);
    this.checks.imports.check(stored, audit.head, report);
    checkPosition(this.sources.eventStore, stored, position, report);
    verified.position = stored.position;
    times.add(stored);
    sealed.add(stored, audit.head, report);
  }

  private endEarnings(verified: VerifiedEarnings | null): void {
    if (!verified) return;
    const { audit, times, sealed, report } = verified;
    times.end();
    this.checks.imports.end(audit.stream, audit.version, report);
    this.earningEvents += audit.events;
    this.verifier.counts.unsealedEvents += sealed.beyondNewest;
    sealed.end(audit.stream, audit.version, report);
  }

  /** Verifies the streams of payouts, whose names sort before those of accounts. */
  private async verifyPayouts(): Promise<void> {
    for await (const streams of this.sources.eventStore.streams(PAYOUT_STREAM_PREFIX)) {
      for (const stream of streams) await this.verifyPayoutsOf(stream);
    }
    for (const stream of await payoutStreamsWithoutEvents(this.sources)) {
      const sentence = 'The stream is missing: payouts have rows of it, but it has no events.';
      this.reports.for(stream)({ stream, version: null, kind: 'version', what: sentence });
    }
  }

  private async verifyPayoutsOf(stream: string): Promise<void> {
    const { eventStore } = this.sources;
    const report = this.reports.for(stream);
    const audit = new PayoutAudit(stream, report);
    const sealed = await this.seals.begin(stream);
    const check = await PayoutCheck.begin(this.sources, audit, this.options.now().getTime(), report);
    const { imports } = this.checks;
    const times = new EventTimes(stream, this.options.now, report, (version) => imports.has(stream, version));
    try {
      let position: string | null = null;
      for await (const stored of eventsOf(eventStore, stream)) {
        check.add(stored);
        audit.add(stored);
        await this.payoutActs?.add(stored, imports.has(stream, stored.version));
        imports.check(stored, audit.head, report);
        checkPosition(eventStore, stored, position, report);
        ({ position } = stored);
        times.add(stored);
        sealed.add(stored, audit.head, report);
      }
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      const sentence = 'The stream was deleted in the event store: all its events are missing.';
      report({ stream, version: null, kind: 'version', what: sentence });
    }
    this.payoutActs?.endStream();
    times.end();
    imports.end(stream, audit.version, report);
    this.payoutRows += await check.end();
    this.payoutEvents += audit.events;
    this.verifier.counts.unsealedEvents += sealed.beyondNewest;
    sealed.end(stream, audit.version, report);
  }

  /** Verifies the stream `policy`, if there is one. Its content is compared with the accounts at the end. */
  private async verifyPolicy(): Promise<void> {
    const { pool, eventStore } = this.sources;
    const { audit } = this.checks.policy;
    const report = this.reports.for(POLICY_STREAM);
    const addProblem = (kind: LedgerProblem['kind'], sentence: string): void =>
      report({ stream: POLICY_STREAM, version: null, kind, what: sentence });
    const bundles = await bundleRows(pool);
    if (!(await hasPolicy(eventStore))) {
      const sentence = 'The stream is missing: prices of bundles refer to it, but it has no events.';
      if (bundles.length > 0) addProblem('version', sentence);
      return;
    }
    const sealed = await this.seals.begin(POLICY_STREAM);
    const times = new EventTimes(POLICY_STREAM, this.options.now, report);
    try {
      let position: string | null = null;
      for await (const stored of eventsOf(eventStore, POLICY_STREAM)) {
        audit.add(stored);
        checkPosition(eventStore, stored, position, report);
        ({ position } = stored);
        times.add(stored);
        sealed.add(stored, audit.head, report);
      }
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      addProblem('version', 'The stream was deleted in the event store: all its events are missing.');
    }
    times.end();
    this.policyEvents = audit.events;
    this.verifier.counts.unsealedEvents += sealed.beyondNewest;
    sealed.end(POLICY_STREAM, audit.version, report);
    if (audit.events === 0 || !audit.readable) return;
    const differences = bundleDifferences(bundles, audit, this.options.now().getTime());
    for (const sentence of differences) addProblem('projection', sentence);
  }

  /** Verifies the stream of the processor, if there is one. Its name sorts behind all others. */
  private async verifyProcessor(): Promise<void> {
    const { pool, eventStore } = this.sources;
    const report = this.reports.for(PROCESSOR_STREAM);
    const addProblem = (sentence: string): void =>
      report({ stream: PROCESSOR_STREAM, version: null, kind: 'version', what: sentence });
    const audit = new ProcessorAudit(report);
    const check = await ProcessorCheck.begin(this.sources, audit, this.options.now().getTime(), report);
    if (!(await hasProcessor(eventStore))) {
      const { rows } = await pool.query('select from processor_entry union all select from book_closed_month limit 1');
      if (rows.length > 0) addProblem('The stream is missing: the books have lines of it, but it has no events.');
      return;
    }
    const sealed = await this.seals.begin(PROCESSOR_STREAM);
    const times = new EventTimes(PROCESSOR_STREAM, this.options.now, report);
    try {
      let position: string | null = null;
      for await (const stored of eventsOf(eventStore, PROCESSOR_STREAM)) {
        await check.add(stored);
        audit.add(stored);
        checkPosition(eventStore, stored, position, report);
        ({ position } = stored);
        times.add(stored);
        sealed.add(stored, audit.head, report);
      }
      this.processorRows = await check.end();
      const read = { version: audit.version, appliedUntil: check.appliedUntil };
      await closedMonthDifferences(pool, audit.closes, read, (version, kind, sentence) =>
        report({ stream: PROCESSOR_STREAM, version, kind, what: sentence }),
      );
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      addProblem('The stream was deleted in the event store: all its events are missing.');
    }
    times.end();
    this.processorEvents = audit.events;
    this.verifier.counts.unsealedEvents += sealed.beyondNewest;
    sealed.end(PROCESSOR_STREAM, audit.version, report);
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
    for (const check of projectionsIn(this.checks))
      for await (const users of check.users()) yield this.withoutBalance(users);
    yield* usersOfTable(pool, 'generation');
    yield* usersOfTable(pool, 'checkout', 'session_id is not null');
  }

  private async *usersWithBalance(): AsyncGenerator<readonly string[]> {
    for (let last: string | undefined = ''; last !== undefined;) {
      const { rows }: { rows: { user_id: string }[] } = await this.sources.pool.query<{ user_id: string }>(
        'select user_id from credit_balance where user_id > $1 order by user_id limit $2',
        [last, USERS],
      );
      yield rows.map(({ user_id: userId }) => userId);
      last = rows.length < USERS ? undefined : rows.at(-1)?.user_id;
    }
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
