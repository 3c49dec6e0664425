import { type Pool } from 'pg';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { ACCOUNT_STREAM_PREFIX, accountStream, userOfStream } from '../../credits/account/events.js';
import { AccountAudit, type LedgerProblem } from './account-audit.js';
import { chargeMismatch, purchaseMismatch, type Charges, type OtherSide, type Purchases } from './charges.js';
import { AccountProjectionCheck } from './projection-audit.js';
import { usersOfTable, type AccountCheck, type ProjectionCheck } from './projection-check.js';
import { eventsOf, eventsOfStreams } from './read-account.js';
import {
  compareSealed,
  compareSealedEnd,
  SealComparison,
  type SealedHead,
  type SealedHeads,
} from '../seals/seal-file.js';

/** Events of the accounts that are verified together, as far as the projections tell; a larger account goes alone. */
const GROUP_EVENTS = 2000;
/** Groups verified at the same time: reading one overlaps with hashing another. */
const AT_ONCE = 2;
/** Problems named per stream: one change far back makes everything after it look wrong. */
const NAMED_PER_STREAM = 20;

export interface LedgerSources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
  readonly charges: Charges;
  /** Checkout sessions, where payments are kept: without it, purchases are compared with nothing outside the ledger. */
  readonly purchases?: Purchases;
  /** Projections that other contexts make of the events of accounts, compared with them as the account's own is. */
  readonly projections?: readonly ProjectionCheck[];
  /** Heads of a seal that was proven before. Every event that it covers must still be there, unchanged. */
  readonly sealed?: SealedHeads;
}

export interface VerifyOptions {
  readonly onProblem: (problem: LedgerProblem) => void;
  readonly onProgress?: (soFar: LedgerSummary) => void;
}

export interface LedgerSummary {
  accounts: number;
  events: number;
  /** Charges compared with their deductions. */
  generations: number;
  /** Of these, not at their end yet. */
  openGenerations: number;
  /** Checkout sessions compared with their purchases. */
  purchases: number;
  /** Rows compared with those that the events make, by the name of their projection. */
  rows: Record<string, number>;
  /** Heads of streams compared with those of a seal. */
  sealedStreams: number;
  problems: number;
}

/**
 * Verifies every account: hash chain and gapless versions, the rules of the ledger by a fold of its own (`AccountAudit`), the
 * projections against a fresh fold, each generation against its deduction, each checkout session against its purchase, and the
 * streams against a seal. May run beside the app: what is written meanwhile is no problem. Streams and rows are merged page by
 * page; memory is bounded by the deductions and purchases of the largest account, not by the number of accounts or events.
 */
export async function verifyLedger(sources: LedgerSources, options: VerifyOptions): Promise<LedgerSummary> {
  return new Verification(sources, options).run();
}

type Checkpoint = { readonly version: number; readonly position: string | null };
type Report = (problem: LedgerProblem) => void;

/** An account to verify, with what was read of it before its events. */
interface Wanted {
  readonly stream: string;
  /** True when the projections know the account. */
  readonly known: boolean;
  readonly sealed: readonly SealedHead[];
}

/** An account under way. */
interface Audited {
  readonly audit: AccountAudit;
  readonly report: Report;
  readonly known: boolean;
}

class Verification {
  private readonly summary: LedgerSummary = {
    ...{ accounts: 0, events: 0, generations: 0, openGenerations: 0, purchases: 0, sealedStreams: 0, problems: 0 },
    rows: {},
  };
  private readonly seals: SealComparison;
  private readonly checks: readonly ProjectionCheck[];

  constructor(
    private readonly sources: LedgerSources,
    private readonly options: VerifyOptions,
  ) {
    this.checks = [new AccountProjectionCheck(sources.pool, sources.eventStore), ...(sources.projections ?? [])];
    this.seals = new SealComparison(sources.sealed, (problem) => this.reporterFor(problem.stream)(problem));
  }

  async run(): Promise<LedgerSummary> {
    const { eventStore } = this.sources;
    const before = await this.checkpoints();
    const report = this.reporterFor('*');
    const differs = (what: string): void => report({ stream: '*', version: null, kind: 'projection', what });
    for (const { projection } of this.checks) {
      const found = before.get(projection.name);
      if (!found || found.version === projection.version) continue;
      differs(
        `The projection ${projection.name} is of version ${found.version}; this program compares version ${projection.version}.`,
      );
    }
    await inParallel(this.groups(), (group) => this.verifyGroup(group));
    const named = new Set<string>();
    for await (const users of this.usersElsewhere()) {
      const gone = (await eventStore.missingStreams(users.map(accountStream))).filter((stream) => !named.has(stream));
      for (const stream of gone) named.add(stream);
      for await (const group of this.grouped(gone.map((stream) => ({ stream, sealed: [] })))) {
        await this.verifyGroup(group);
      }
    }
    for (const check of this.checks) {
      check.end(differs);
      this.summary.rows[check.projection.name] = check.compared;
    }
    const after = await this.checkpoints();
    for (const { projection } of this.checks) {
      if (!isBefore(after.get(projection.name), before.get(projection.name), eventStore)) continue;
      differs(`The projection ${projection.name} was made anew while it was compared; verify again.`);
    }
    this.summary.sealedStreams = this.seals.compared;
    return this.summary;
  }

  /** Counts problems and passes on the first ones of a stream, and each difference from a seal: of those there are as many as seals. */
  private reporterFor(stream: string): Report {
    let found = 0;
    return (problem) => {
      this.summary.problems += 1;
      if (problem.kind === 'seal') {
        this.options.onProblem(problem);
        return;
      }
      found += 1;
      if (found <= NAMED_PER_STREAM) this.options.onProblem(problem);
      if (found === NAMED_PER_STREAM + 1) {
        const what = 'There are further problems, which are counted and not named.';
        this.options.onProblem({ stream, version: null, kind: problem.kind, what });
      }
    };
  }

  private async checkpoints(): Promise<ReadonlyMap<string, Checkpoint>> {
    const { rows } = await this.sources.pool.query<Checkpoint & { name: string }>(
      'select name, version, position from projection_checkpoint',
    );
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** All streams, each with the heads that a seal has of it; streams that a seal knows and the event store does not are named. */
  private async *groups(): AsyncGenerator<Wanted[]> {
    for await (const streams of this.sources.eventStore.streams(ACCOUNT_STREAM_PREFIX)) {
      const page: Pick<Wanted, 'stream' | 'sealed'>[] = [];
      for (const stream of streams) page.push({ stream, sealed: await this.seals.begin(stream) });
      yield* this.grouped(page);
    }
    await this.seals.begin(null);
  }

  /** Accounts to verify together, by the number of their events as far as the projections tell. */
  private async *grouped(page: readonly Pick<Wanted, 'stream' | 'sealed'>[]): AsyncGenerator<Wanted[]> {
    const { rows } = await this.sources.pool.query<{ user_id: string; version: number }>(
      'select user_id, version from credit_balance where user_id = any($1::text[])',
      [page.map(({ stream }) => userOfStream(stream))],
    );
    const versions = new Map(rows.map(({ user_id: userId, version }) => [userId, version]));
    let group: Wanted[] = [];
    let events = 0;
    for (const { stream, sealed } of page) {
      const version = versions.get(userOfStream(stream));
      const expected = (version ?? 0) + 1;
      if (group.length > 0 && events + expected > GROUP_EVENTS) {
        yield group;
        group = [];
        events = 0;
      }
      group.push({ stream, known: version !== undefined, sealed });
      events += expected;
    }
    if (group.length > 0) yield group;
  }

  /** Users that others than the event store know of, some of them twice: a stream that is gone leaves its traces there. */
  private async *usersElsewhere(): AsyncGenerator<readonly string[]> {
    yield* usersOfTable(this.sources.pool, 'credit_balance');
    for (const other of [...this.checks, this.sources.charges, this.sources.purchases]) {
      if (!other) continue;
      for await (const users of other.users()) yield this.withoutBalance(users);
    }
  }

  /** Those who were not looked up before. */
  private async withoutBalance(users: readonly string[]): Promise<string[]> {
    const { rows } = await this.sources.pool.query<{ user_id: string }>(
      `select user_id from unnest($1::text[]) as wanted (user_id)
       where not exists (select 1 from credit_balance b where b.user_id = wanted.user_id)`,
      [users],
    );
    return rows.map(({ user_id: userId }) => userId);
  }

  /** Merges the events of these accounts with the rows of the projections, then looks at the other side of the books. */
  private async verifyGroup(group: readonly Wanted[]): Promise<void> {
    const streams = group.map(({ stream }) => stream);
    // The rows before any event, so that an app that goes on writing can only make the streams longer
    const checks = await Promise.all(this.checks.map((check) => check.begin(streams.map(userOfStream))));
    const accounts = new Map<string, Audited>();
    const events = new Lookahead(eventsOfStreams(this.sources.eventStore, streams));
    for (const [place, wanted] of group.entries()) {
      const { stream, known } = wanted;
      const report = this.reporterFor(stream);
      const audit = new AccountAudit(stream, report);
      const differs = (version: number | null, what: string): void =>
        report({ stream, version, kind: 'projection', what });
      await this.readAccount(wanted, events, {
        ...{ audit, report, projected: checks.map((check) => check.account(place, audit, differs)) },
      });
      accounts.set(userOfStream(stream), { audit, report, known });
    }
    await this.verifyOtherSide(accounts);
    this.options.onProgress?.(this.summary);
  }

  private async readAccount(
    { stream, sealed }: Wanted,
    events: Lookahead,
    { audit, projected, report }: { audit: AccountAudit; projected: readonly AccountCheck[]; report: Report },
  ): Promise<void> {
    for (let stored = await events.of(stream); stored; stored = await events.of(stream)) {
      audit.add(stored);
      for (const each of projected) await each.add(stored);
      if (sealed.length > 0) compareSealed(sealed, stored, audit.head, report);
    }
    audit.end();
    this.summary.accounts += 1;
    this.summary.events += audit.events;
    compareSealedEnd(sealed, stream, audit.version, report);
    for (const each of projected) await each.end();
  }

  /** Generations and checkout sessions are read after the events; what looks wrong is judged again with the events written since. */
  private async verifyOtherSide(accounts: ReadonlyMap<string, Audited>): Promise<void> {
    const users = [...accounts.keys()];
    /** Users of whom there is something that the ledger must know. */
    const owed = new Set<string>();
    const unclaimed = new Map([...accounts].map(([user, { audit }]) => [user, new Set(audit.fates.keys())]));
    await this.compare(this.sources.charges, accounts, 'generation', {
      mismatch: (charge, audit) => chargeMismatch(charge, audit.fates.get(charge.deductionId)),
      compared: (charge) => {
        unclaimed.get(charge.userId)?.delete(charge.deductionId);
        this.summary.generations += 1;
        if (charge.state === 'open' || charge.state === 'stuck') this.summary.openGenerations += 1;
        // A user whose first generation begins at this moment has no account yet
        if (charge.state !== 'open') owed.add(charge.userId);
      },
    });
    const unpaid = new Map([...accounts].map(([user, { audit }]) => [user, new Set(audit.purchases.keys())]));
    await this.compare(this.sources.purchases, accounts, 'payment', {
      mismatch: purchaseMismatch,
      compared: (purchase) => {
        unpaid.get(purchase.userId)?.delete(purchase.sessionId);
        this.summary.purchases += 1;
        if (purchase.state === 'fulfilled') owed.add(purchase.userId);
      },
    });
    for (const user of users) {
      const { audit, report, known } = accounts.get(user) as Audited;
      const problem = (kind: LedgerProblem['kind'], what: string): void =>
        report({ stream: audit.stream, version: null, kind, what });
      for (const deductionId of unclaimed.get(user) ?? []) {
        if (audit.fates.get(deductionId)?.outcome === 'voided') continue;
        problem('generation', `Credits were taken for ${deductionId}, which is no generation of this user.`);
      }
      if (this.sources.purchases) {
        for (const sessionId of unpaid.get(user) ?? []) {
          problem('payment', `Credits were bought in ${sessionId}, which is no checkout session of this user.`);
        }
      }
      if (audit.events === 0 && (known || owed.has(user))) {
        problem('version', 'The stream is gone: others know the account, and it has no event.');
      }
    }
  }

  private async compare<Entry extends { readonly userId: string }>(
    other: OtherSide<Entry> | undefined,
    accounts: ReadonlyMap<string, Audited>,
    kind: LedgerProblem['kind'],
    rules: { mismatch: (entry: Entry, audit: AccountAudit) => string | null; compared: (entry: Entry) => void },
  ): Promise<void> {
    if (!other) return;
    for await (const page of other.ofUsers([...accounts.keys()])) {
      for (const entry of page) {
        const account = accounts.get(entry.userId);
        if (!account) throw new Error(`An entry of ${entry.userId} came, who was not asked for.`);
        const { audit, report } = account;
        rules.compared(entry);
        if (rules.mismatch(entry, audit) === null) continue;
        if (audit.foldable) {
          for await (const later of eventsOf(this.sources.eventStore, audit.stream, audit.version + 1))
            audit.add(later);
        }
        const what = rules.mismatch(entry, audit);
        if (what !== null) report({ stream: audit.stream, version: null, kind, what });
      }
    }
  }
}

/** Events of streams in order, given out stream by stream. */
class Lookahead {
  private next: StoredEvent | undefined;

  constructor(private readonly events: AsyncIterator<readonly StoredEvent[]>) {}

  private page: readonly StoredEvent[] = [];
  private at = 0;

  /** The next event if it is of this stream; undefined once there is none. */
  async of(stream: string): Promise<StoredEvent | undefined> {
    if (!this.next) {
      if (this.at === this.page.length) {
        const next = await this.events.next();
        if (next.done === true) return undefined;
        this.page = next.value;
        this.at = 0;
      }
      this.next = this.page[this.at];
      this.at += 1;
    }
    if (this.next?.stream !== stream) return undefined;
    const found = this.next;
    this.next = undefined;
    return found;
  }
}

/** Works on so many items at once, each taken when there is room for it. */
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
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function isBefore(a: Checkpoint | undefined, b: Checkpoint | undefined, eventStore: EventStore): boolean {
  if (!b || b.position === null) return false;
  return !a || a.position === null || eventStore.comparePositions(a.position, b.position) < 0;
}
