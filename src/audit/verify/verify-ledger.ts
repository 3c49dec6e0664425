import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { ACCOUNT_STREAM_PREFIX, accountStream, POLICY_STREAM, userOfStream } from '../../credits/index.js';
import { type EventStore, StreamDeletedError, type StoredEvent } from '../../platform/event-store/event-store.js';
import { ImportedHistory } from '../imports/imported-history.js';
import { type SealedHeads } from '../seals/seal-file.js';
import { compareNames } from '../seals/signed-file.js';
import { SealComparison, type SealedStream } from '../seals/sealed-stream.js';
import { ActCheck } from './act-check.js';
import { ACT_LOG, verifyActLog } from './act-log.js';
import { ActivityCheck } from './activity-check.js';
import { AccountAudit, type LedgerProblem } from './account-audit.js';
import { claimsBeganAt, needsClaim, usersWithClaim } from './bonus-claims.js';
import { AccountProjectionCheck } from './account-projection-check.js';
import { EventTimes, type RepairedClock } from './event-times.js';
import { purchaseMismatch, purchasePages } from './checkout-purchases.js';
import { chargeMismatch, chargePages } from './generation-charges.js';
import { usersOfTable, type AccountCheck, type ProjectionCheck } from './projection-check.js';
import { bundleDifferences, bundleRows } from './bundle-rows.js';
import { LeafCheck } from './leaf-check.js';
import { hasPolicy } from './ledger-streams.js';
import { type KeptCheckpoint, type LogSummary, verifyLog } from './log-audit.js';
import { auditPolicy, PolicyCheck } from './policy-check.js';
import { payableDifferences } from './payable-sums.js';
import { eventsOf, eventsOfStreams } from './read-account.js';
import { RevenueCheck } from './revenue-check.js';

/**
 * Events of the accounts that are verified together, as counted by the projection. A larger account is verified alone.
 */
const GROUP_EVENTS = 2000;
/** Groups verified at the same time: one is read while another is hashed. */
const CONCURRENT_GROUPS = 2;
/** Problems reported for each stream: after one change, every later event can look wrong. */
const REPORTED_PER_STREAM = 20;

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
  /** Checkpoints of the public log that were kept elsewhere. The log must continue them. */
  readonly keptCheckpoints?: readonly KeptCheckpoint[];
}

export interface VerifyOptions {
  /** Decides which open generations are stuck, and which events must have been projected. */
  readonly now: () => Date;
  readonly onProblem: (problem: LedgerProblem) => void;
  readonly onProgress?: (soFar: LedgerSummary) => void;
  /** Receives each repair of an account's time. It is information, no problem. */
  readonly onRepair?: (repair: RepairedClock) => void;
}

export interface LedgerSummary {
  accounts: number;
  events: number;
  /** Events of the stream `policy`. */
  policyEvents: number;
  /** Entries of the log of acts. */
  acts: number;
  /** The public log: leaves and checkpoints that were compared. */
  log: LogSummary;
  /** Generations compared with their deductions. */
  generations: number;
  /** Those of them that have not ended yet. */
  openGenerations: number;
  /** Checkout sessions compared with their purchases. */
  purchases: number;
  /** Projected rows compared with those that the events make, by the name of the projection. */
  rows: Record<string, number>;
  /** Heads of streams compared with those of a seal. */
  sealedStreams: number;
  /** Events that the newest of these seals does not cover; 0 without seals. */
  unsealedEvents: number;
  /** Repairs of an account's time by admins. */
  repairs: number;
  problems: number;
}

/**
 * Verifies every account: the hash chain and gapless versions, the rules of the ledger by a separate fold
 * (`AccountAudit`), the projections against a fresh fold, each generation against its deduction, each checkout session
 * against its purchase, and the streams against seals. It may run while the app writes: concurrent writes are no
 * problem. Streams and rows are merged page by page. Memory is bounded by the deductions and purchases of the largest
 * account, not by the number of accounts or events.
 */
export async function verifyLedger(sources: LedgerSources, options: VerifyOptions): Promise<LedgerSummary> {
  const { pool, eventStore } = sources;
  const { now } = options;
  const leafCheck = await LeafCheck.open(pool, eventStore);
  const checks = [...(await openChecks(pool, eventStore, now)), leafCheck];
  return new Verification(sources, options, checks, await claimsBeganAt(pool)).run(leafCheck);
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
  const { pool, eventStore } = sources;
  const { now } = options;
  const checks = await openChecks(pool, eventStore, now);
  return new Verification(sources, options, checks, await claimsBeganAt(pool)).runFor(users);
}

async function openChecks(pool: Pool, eventStore: EventStore, now: () => Date): Promise<ProjectionCheck[]> {
  return [
    await AccountProjectionCheck.open(pool, eventStore, now),
    await RevenueCheck.open(pool, eventStore, now),
    await ActivityCheck.open(pool, eventStore, now),
  ];
}

type Checkpoint = { readonly version: number; readonly position: string | null };
type Report = (problem: LedgerProblem) => void;

/** An account to verify, with the data that is read before its events. */
interface PlannedAccount {
  readonly stream: string;
  /** True when the event store lists the stream: it has events, or they were deleted. */
  readonly listed: boolean;
  /** True when the projections know the account. */
  readonly known: boolean;
  /** Null for an account without a stream: seals report it already. */
  readonly sealed: SealedStream | null;
}

/** An account whose events were read. */
interface AuditedAccount {
  readonly audit: AccountAudit;
  readonly report: Report;
  readonly listed: boolean;
  readonly known: boolean;
}

type ListedAccount = Omit<PlannedAccount, 'known'>;

class Verification {
  private readonly summary: LedgerSummary = {
    accounts: 0,
    events: 0,
    policyEvents: 0,
    acts: 0,
    log: { leaves: 0, checkpoints: 0 },
    generations: 0,
    openGenerations: 0,
    purchases: 0,
    rows: {},
    sealedStreams: 0,
    unsealedEvents: 0,
    repairs: 0,
    problems: 0,
  };
  private readonly seals: SealComparison;
  private policy: PolicyCheck;
  private imports = new ImportedHistory();
  private acts: ActCheck | null = null;
  /** Streams without events that were verified. */
  private readonly withoutEvents = new Set<string>();

  constructor(
    private readonly sources: LedgerSources,
    private readonly options: VerifyOptions,
    private readonly checks: readonly ProjectionCheck[],
    private readonly claimsBegan: Date | null,
  ) {
    this.seals = new SealComparison(sources.sealed, (problem) => this.reporterFor(problem.stream)(problem));
    this.policy = new PolicyCheck(this.reporterFor(POLICY_STREAM));
  }

  async run(leafCheck: LeafCheck): Promise<LedgerSummary> {
    const { pool, eventStore, keys, keptCheckpoints: kept = [] } = this.sources;
    const before = await this.checkpoints();
    this.acts = await ActCheck.read(this.sources.pool, null);
    this.imports = await ImportedHistory.read(this.sources, this.sources.keys ?? [], this.reporterFor(POLICY_STREAM));
    const report = this.reporterFor('*');
    const onDifference = (sentence: string): void =>
      report({ stream: '*', version: null, kind: 'projection', what: sentence });
    for (const { projection } of this.checks) {
      const found = before.get(projection.name);
      if (!found || found.version === projection.version) continue;
      onDifference(
        `The projection ${projection.name} is of version ${found.version}; this program compares version ${projection.version}.`,
      );
    }
    await this.findMisplaced();
    await inParallel(this.groups(), (group) => this.verifyGroup(group));
    for await (const users of this.usersElsewhere()) {
      const missing = await eventStore.missingStreams(users.map(accountStream));
      const gone = new Set(missing.filter((stream) => !this.withoutEvents.has(stream)));
      const page = Array.from(gone, (stream) => ({ stream, listed: false, sealed: null }));
      for await (const group of this.grouped([page])) {
        await this.verifyGroup(group);
      }
    }
    this.imports.endAll(this.reporterFor('*'));
    this.policy.end();
    const onAct = this.reporterFor(ACT_LOG);
    await this.acts.end(this.options.now().getTime(), onAct);
    this.summary.acts = await verifyActLog(this.sources.pool, this.sources.sealed?.acts ?? [], onAct);
    for (const check of this.checks) {
      check.end(onDifference);
      this.summary.rows[check.projection.name] = check.compared;
    }
    await payableDifferences(this.sources.pool, onDifference);
    const reporterFor = (stream: string): Report => this.reporterFor(stream);
    this.summary.log = await verifyLog({ pool, eventStore, keys, kept }, leafCheck, reporterFor);
    const after = await this.checkpoints();
    for (const { projection } of this.checks) {
      if (!isBefore(after.get(projection.name), before.get(projection.name), eventStore)) continue;
      onDifference(`The projection ${projection.name} was rebuilt during the comparison; verify again.`);
    }
    this.summary.sealedStreams = this.seals.compared;
    this.summary.unsealedEvents = this.seals.beyondNewest;
    return this.summary;
  }

  async runFor(users: readonly string[]): Promise<LedgerSummary> {
    // A record that exempts nothing concerns no single account; the events in it do.
    this.imports = await ImportedHistory.read(this.sources, this.sources.keys ?? [], () => undefined);
    const { eventStore } = this.sources;
    // Problems of the policy itself concern no single account.
    this.policy = new PolicyCheck(this.reporterFor(POLICY_STREAM), await auditPolicy(eventStore, () => undefined));
    this.acts = await ActCheck.read(this.sources.pool, users);
    const streams = users.map(accountStream);
    const missing = new Set(await eventStore.missingStreams(streams));
    const page = streams.map((stream) => ({ stream, listed: !missing.has(stream), sealed: null }));
    for await (const group of this.grouped([page.sort((a, b) => compareNames(a.stream, b.stream))])) {
      await this.verifyGroup(group);
    }
    this.policy.compare();
    await this.acts.end(this.options.now().getTime(), this.reporterFor(ACT_LOG));
    return this.summary;
  }

  /**
   * Counts all problems of a stream and reports the first ones. Differences from seals are all reported: they are few.
   */
  private reporterFor(stream: string): Report {
    let found = 0;
    return (problem) => {
      this.summary.problems += 1;
      if (problem.kind === 'seal') {
        this.options.onProblem(problem);
        return;
      }
      found += 1;
      if (found <= REPORTED_PER_STREAM) this.options.onProblem(problem);
      if (found === REPORTED_PER_STREAM + 1) {
        const sentence = 'Further problems are counted but not listed.';
        this.options.onProblem({ stream, version: null, kind: problem.kind, what: sentence });
      }
    };
  }

  /** Reports events with a position beyond the end of the store: no projection ever reads them. */
  private async findMisplaced(): Promise<void> {
    const limit = REPORTED_PER_STREAM + 1;
    const found = await this.sources.eventStore.misplacedEvents({ streamPrefix: ACCOUNT_STREAM_PREFIX, limit });
    for (const { stream, version } of found.slice(0, REPORTED_PER_STREAM)) {
      const sentence = 'The position of this event lies beyond the end of the store: no projection reads the event.';
      this.reporterFor(stream)({ stream, version, kind: 'position', what: sentence });
    }
    if (found.length < limit) return;
    const sentence =
      'Further positions lie beyond the end of the store. After a restored dump, run npm run projections -- reposition.';
    this.reporterFor('*')({ stream: '*', version: null, kind: 'position', what: sentence });
  }

  private async checkpoints(): Promise<ReadonlyMap<string, Checkpoint>> {
    const { rows } = await this.sources.pool.query<Checkpoint & { name: string }>(
      'select name, version, position from projection_checkpoint',
    );
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** All streams in groups, with their sealed heads. Reports sealed streams that the event store does not have. */
  private async *groups(): AsyncGenerator<PlannedAccount[]> {
    yield* this.grouped(this.listed());
    await this.verifyPolicy();
    await this.seals.begin(null);
  }

  /** The accounts that the event store lists, a page at a time, in the order of their streams. */
  private async *listed(): AsyncGenerator<ListedAccount[]> {
    for await (const streams of this.sources.eventStore.streams(ACCOUNT_STREAM_PREFIX)) {
      const page: ListedAccount[] = [];
      for (const stream of streams) page.push({ stream, listed: true, sealed: await this.seals.begin(stream) });
      yield page;
    }
  }

  /** Verifies the stream `policy`, if there is one. Its content is compared with the accounts at the end. */
  private async verifyPolicy(): Promise<void> {
    const { pool, eventStore } = this.sources;
    const { audit } = this.policy;
    const report = this.reporterFor(POLICY_STREAM);
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
        this.checkPosition(stored, position, report);
        ({ position } = stored);
        times.add(stored);
        sealed.add(stored, audit.head, report);
      }
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      addProblem('version', 'The stream was deleted in the event store: all its events are missing.');
    }
    times.end();
    this.summary.policyEvents = audit.events;
    sealed.end(POLICY_STREAM, audit.version, report);
    if (audit.events === 0 || !audit.readable) return;
    const differences = bundleDifferences(bundles, audit, this.options.now().getTime());
    for (const sentence of differences) addProblem('projection', sentence);
  }

  /** Groups the accounts of all pages by the number of their events, as counted by the projection. */
  private async *grouped(
    pages: AsyncIterable<readonly ListedAccount[]> | Iterable<readonly ListedAccount[]>,
  ): AsyncGenerator<PlannedAccount[]> {
    let group: PlannedAccount[] = [];
    let events = 0;
    for await (const page of pages) {
      const versions = await this.projectedVersions(page);
      for (const account of page) {
        const version = versions.get(account.stream);
        const expected = (version ?? 0) + 1;
        if (group.length > 0 && events + expected > GROUP_EVENTS) {
          yield group;
          group = [];
          events = 0;
        }
        group.push({ ...account, known: version !== undefined });
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
    yield* usersOfTable(pool, 'credit_balance');
    for (const check of this.checks) for await (const users of check.users()) yield this.withoutBalance(users);
    for await (const users of usersOfTable(pool, 'generation')) yield this.withoutBalance(users);
    for await (const users of usersOfTable(pool, 'checkout', 'session_id is not null')) {
      yield this.withoutBalance(users);
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

  /** Merges the events of a group of accounts with the projected rows, then compares generations and checkouts. */
  private async verifyGroup(group: readonly PlannedAccount[]): Promise<void> {
    const streams = group.map(({ stream }) => stream);
    // Rows are read before events: concurrent writes can then only make the streams longer.
    const checks = await Promise.all(this.checks.map((check) => check.begin(streams.map(userOfStream))));
    const accounts = new Map<string, AuditedAccount>();
    const events = new StreamReader(eventsOfStreams(this.sources.eventStore, streams));
    for (const [index, planned] of group.entries()) {
      const { stream, listed, known } = planned;
      const report = this.reporterFor(stream);
      const audit = new AccountAudit(stream, report);
      const projected = checks.map((check, place) => {
        const kind = this.checks[place]?.kind ?? 'projection';
        return check.account(index, audit, (version, sentence) => report({ stream, version, kind, what: sentence }));
      });
      await this.readAccount(planned, events, { audit, report, projected });
      accounts.set(userOfStream(stream), { audit, report, listed, known });
    }
    await this.verifyOtherRecords(accounts);
    this.options.onProgress?.(this.summary);
  }

  private async readAccount(
    { stream, sealed }: PlannedAccount,
    events: StreamReader,
    { audit, projected, report }: { audit: AccountAudit; projected: readonly AccountCheck[]; report: Report },
  ): Promise<void> {
    let position: string | null = null;
    const isImported = (version: number): boolean => this.imports.has(stream, version);
    const times = new EventTimes(stream, this.options.now, report, isImported);
    for (let page = await events.next(stream); page.length > 0; page = await events.next(stream)) {
      for (const stored of page) {
        audit.add(stored);
        this.checkPosition(stored, position, report);
        ({ position } = stored);
        times.add(stored);
        this.imports.check(stored, audit.head, report);
        this.policy.add(stored);
        this.acts?.add(stored, isImported);
        if (stored.type === 'ClockRepaired') this.addRepair(audit, stored.version, times);
        for (const check of projected) {
          const reading = check.add(stored);
          if (reading) await reading;
        }
        sealed?.add(stored, audit.head, report);
      }
    }
    audit.end();
    times.end();
    this.imports.end(stream, audit.version, report);
    if (audit.events === 0) this.withoutEvents.add(stream);
    this.summary.accounts += 1;
    this.summary.events += audit.events;
    sealed?.end(stream, audit.version, report);
    for (const check of projected) await check.end();
  }

  /** An unreadable repair repairs nothing: the audit has not folded it. */
  private addRepair(audit: AccountAudit, version: number, times: EventTimes): void {
    const repair = audit.repairs.at(-1);
    if (repair?.version !== version) return;
    this.summary.repairs += 1;
    this.options.onRepair?.(times.repair(repair));
  }

  /** Checks the position of an event. @param before position of the event before it in the stream */
  private checkPosition({ stream, version, position }: StoredEvent, before: string | null, report: Report): void {
    if (before === null || this.sources.eventStore.comparePositions(before, position) < 0) return;
    const sentence = 'The position of this event does not lie behind that of the event before it.';
    report({ stream, version, kind: 'position', what: sentence });
  }

  /**
   * Compares generations and checkouts. They are read after the events; a mismatch is checked again with newer events.
   */
  private async verifyOtherRecords(accounts: ReadonlyMap<string, AuditedAccount>): Promise<void> {
    const users = [...accounts.keys()];
    /** Users with a record that must be in the ledger. */
    const expected = new Set<string>();
    const unmatchedDeductions = new Map(
      [...accounts].map(([user, { audit }]) => [user, new Set(audit.deductions.keys())]),
    );
    for await (const page of chargePages(this.sources.pool, users, this.options.now)) {
      for (const charge of page) {
        unmatchedDeductions.get(charge.userId)?.delete(charge.deductionId);
        this.summary.generations += 1;
        if (charge.state === 'open' || charge.state === 'stuck') this.summary.openGenerations += 1;
        // A user whose first generation starts at this moment has no account yet. Tests need none.
        if (charge.state !== 'open' && !charge.isTest) expected.add(charge.userId);
        await this.compare(accounts, charge.userId, 'generation', (audit) =>
          chargeMismatch(charge, audit.deductions.get(charge.deductionId), audit.repairs),
        );
      }
    }
    const unmatchedPurchases = new Map(
      [...accounts].map(([user, { audit }]) => [user, new Set(audit.purchases.keys())]),
    );
    for await (const page of purchasePages(this.sources.pool, users)) {
      for (const purchase of page) {
        unmatchedPurchases.get(purchase.userId)?.delete(purchase.sessionId);
        this.summary.purchases += 1;
        if (purchase.state === 'fulfilled') expected.add(purchase.userId);
        await this.compare(accounts, purchase.userId, 'payment', (audit) => purchaseMismatch(purchase, audit));
      }
    }
    await this.findUnclaimed(accounts);
    for (const [user, { audit, report, listed, known }] of accounts) {
      const addProblem = (kind: LedgerProblem['kind'], sentence: string): void =>
        report({ stream: audit.stream, version: null, kind, what: sentence });
      for (const deductionId of unmatchedDeductions.get(user) ?? []) {
        if (audit.deductions.get(deductionId)?.outcome === 'voided') continue;
        addProblem('generation', `Credits were taken for ${deductionId}, which is no generation of this user.`);
      }
      for (const sessionId of unmatchedPurchases.get(user) ?? []) {
        addProblem('payment', `Credits were bought in ${sessionId}, which is no checkout session of this user.`);
      }
      if (audit.events === 0 && listed) {
        addProblem('version', 'The stream was deleted in the event store: all its events are missing.');
      } else if (audit.events === 0 && (known || expected.has(user))) {
        addProblem('version', 'The stream is missing: other records refer to the account, but it has no events.');
      }
    }
  }

  /** Reports sign-up bonuses without a claim. The app stores the claim before the event. */
  private async findUnclaimed(accounts: ReadonlyMap<string, AuditedAccount>): Promise<void> {
    const granted = [...accounts].filter(([, { audit }]) => needsClaim(audit, this.claimsBegan));
    const claimed = await usersWithClaim(
      this.sources.pool,
      granted.map(([user]) => user),
    );
    for (const [user, { audit, report }] of granted) {
      if (claimed.has(user)) continue;
      const sentence = 'The sign-up bonus was granted without a claim.';
      report({ stream: audit.stream, version: null, kind: 'lot', what: sentence });
    }
  }

  /** Reports the mismatch of a record if it remains after newer events have been read. */
  private async compare(
    accounts: ReadonlyMap<string, AuditedAccount>,
    userId: string,
    kind: LedgerProblem['kind'],
    mismatch: (audit: AccountAudit) => string | null,
  ): Promise<void> {
    const account = accounts.get(userId);
    if (!account) throw new Error(`A record of ${userId} was read without a request.`);
    const { audit, report } = account;
    if (mismatch(audit) === null) return;
    if (audit.foldable) {
      try {
        const newer = eventsOf(this.sources.eventStore, audit.stream, audit.version + 1);
        for await (const stored of newer) audit.add(stored);
      } catch (error) {
        // The missing events of a deleted stream are a problem of their own.
        if (!(error instanceof StreamDeletedError)) throw error;
      }
    }
    const sentence = mismatch(audit);
    if (sentence !== null) report({ stream: audit.stream, version: null, kind, what: sentence });
  }
}

/** Reads events of several streams in order and returns them stream by stream. */
class StreamReader {
  private page: readonly StoredEvent[] = [];
  private index = 0;

  constructor(private readonly pages: AsyncIterator<readonly StoredEvent[]>) {}

  /** The next events of this stream: at most those of one page. Empty when it has no more. */
  async next(stream: string): Promise<readonly StoredEvent[]> {
    if (this.index === this.page.length) {
      const next = await this.pages.next();
      if (next.done === true) return [];
      this.page = next.value;
      this.index = 0;
    }
    const from = this.index;
    while (this.page[this.index]?.stream === stream) this.index += 1;
    return this.page.slice(from, this.index);
  }
}

/** Processes `CONCURRENT_GROUPS` items at a time; takes the next item when one is done. */
async function inParallel<T>(items: AsyncGenerator<T>, work: (item: T) => Promise<void>): Promise<void> {
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let next = await items.next(); next.done !== true && !failed; next = await items.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_GROUPS }, worker));
}

function isBefore(a: Checkpoint | undefined, b: Checkpoint | undefined, eventStore: EventStore): boolean {
  if (!b || b.position === null) return false;
  return !a || a.position === null || eventStore.comparePositions(a.position, b.position) < 0;
}
