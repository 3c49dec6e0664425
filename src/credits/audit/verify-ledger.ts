import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { createDatabase } from '../../platform/database/pool.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { listStreams, missingStreams } from '../../platform/event-store/list-streams.js';
import {
  accountProjection,
  balanceAfter,
  emptyBalance,
  transactionOf,
  type BalanceRow,
  type TransactionRow,
} from '../account-projection.js';
import { ACCOUNT_STREAM_PREFIX, accountStream, userOfStream } from '../events.js';
import type { CreditTables } from '../tables.js';
import { AccountAudit, type Fate, type LedgerProblem, type ProblemKind } from './account-audit.js';
import { eventsOf } from './read-account.js';

/** Accounts whose balances are read at once. */
const PAGE = 200;
/** Lines of the history read at once. */
const LINES = 1000;
/** Accounts verified at the same time: reading one overlaps with hashing another. */
const AT_ONCE = 4;
/** Problems named per stream: one change far back makes everything after it look wrong. */
const NAMED_PER_STREAM = 20;

/** What a generation says of its credits; the ledger must say the same. */
export interface Charge {
  /** The generation's id. */
  readonly deductionId: string;
  readonly creatorId: string;
  readonly amount: number;
  /**
   * `delivered`: must be settled. `returned`: must be refunded. `nothing`: it failed before credits were taken, so the id must be
   * void. `open`: not at its end yet. `stuck`: the same, for longer than it may be.
   */
  readonly state: 'delivered' | 'returned' | 'nothing' | 'open' | 'stuck';
}

/** The other side of the books, which this context does not know: what deductions were made for. */
export interface Charges {
  /** All charges of a user, a page at a time. */
  ofUser(userId: string): AsyncIterable<readonly Charge[]>;
  /** All users with charges, a page at a time. */
  users(): AsyncIterable<readonly string[]>;
}

export interface LedgerSources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
  readonly charges: Charges;
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
  problems: number;
}

/**
 * Verifies every account: hash chain and gapless versions, the rules of the ledger by a fold of its own (`AccountAudit`), both
 * projections against a fresh fold, and each generation against its deduction. May run beside the app: what is written
 * meanwhile is no problem. Memory is bounded by the largest account, not by their number.
 */
export async function verifyLedger(sources: LedgerSources, options: VerifyOptions): Promise<LedgerSummary> {
  return new Verification(sources, options).run();
}

type Checkpoint = { readonly version: number; readonly position: string | null };
interface AuditTables extends CreditTables {
  projection_checkpoint: { name: string; version: number; position: string | null };
}
/** The row of a balance with the version of the last line of the history, read in one statement: they commit together. */
type ProjectedBalance = BalanceRow & { readonly last_line: number | null };

class Verification {
  private readonly db: Kysely<AuditTables>;
  private readonly summary: LedgerSummary = { accounts: 0, events: 0, generations: 0, openGenerations: 0, problems: 0 };

  constructor(
    private readonly sources: LedgerSources,
    private readonly options: VerifyOptions,
  ) {
    this.db = createDatabase(sources.pool);
  }

  async run(): Promise<LedgerSummary> {
    const before = await this.checkpoint();
    const report = this.reporterFor('*');
    if (before && before.version !== accountProjection.version) {
      const what = `The projection is of version ${before.version}; this program compares version ${accountProjection.version}.`;
      report({ stream: '*', version: null, kind: 'projection', what });
    }
    for await (const streams of this.streams()) await this.verifyPage(streams, before);
    for await (const users of this.usersElsewhere()) {
      await this.verifyPage(await missingStreams(this.sources.pool, users.map(accountStream)), before);
    }
    if (isBefore(await this.checkpoint(), before, this.sources.eventStore)) {
      const what = 'The projection was made anew while it was compared; verify again.';
      report({ stream: '*', version: null, kind: 'projection', what });
    }
    return this.summary;
  }

  /** Counts problems and passes on the first ones of a stream. */
  private reporterFor(stream: string): (problem: LedgerProblem) => void {
    let found = 0;
    return (problem) => {
      found += 1;
      this.summary.problems += 1;
      if (found <= NAMED_PER_STREAM) this.options.onProblem(problem);
      if (found === NAMED_PER_STREAM + 1) {
        const what = 'There are further problems, which are counted and not named.';
        this.options.onProblem({ stream, version: null, kind: problem.kind, what });
      }
    };
  }

  private async checkpoint(): Promise<Checkpoint | null> {
    const row = await this.db
      .selectFrom('projection_checkpoint')
      .select(['version', 'position'])
      .where('name', '=', accountProjection.name)
      .executeTakeFirst();
    return row ?? null;
  }

  private async *streams(): AsyncGenerator<string[]> {
    let last: string | null = null;
    for (;;) {
      const page: string[] = await listStreams(this.sources.pool, ACCOUNT_STREAM_PREFIX, last, PAGE);
      if (page.length > 0) yield page;
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  /** Users that others than the event store know of, each once: a stream that is gone leaves its traces there. */
  private async *usersElsewhere(): AsyncGenerator<readonly string[]> {
    yield* this.usersOf('credit_balance');
    for await (const users of this.usersOf('credit_transaction')) yield this.without('credit_balance', users);
    for await (const users of this.sources.charges.users()) {
      yield this.without('credit_transaction', await this.without('credit_balance', users));
    }
  }

  private async *usersOf(table: 'credit_balance' | 'credit_transaction'): AsyncGenerator<string[]> {
    let last = '';
    for (;;) {
      const rows = await this.db
        .selectFrom(table)
        .select('user_id')
        .distinct()
        .where('user_id', '>', last)
        .orderBy('user_id')
        .limit(PAGE)
        .execute();
      if (rows.length > 0) yield rows.map(({ user_id: userId }) => userId);
      last = rows.at(-1)?.user_id ?? '';
      if (rows.length < PAGE) return;
    }
  }

  /** Those of these users of whom the table has no row. */
  private async without(
    table: 'credit_balance' | 'credit_transaction',
    users: readonly string[],
  ): Promise<readonly string[]> {
    if (users.length === 0) return users;
    const rows = await this.db.selectFrom(table).select('user_id').distinct().where('user_id', 'in', users).execute();
    const known = new Set(rows.map(({ user_id: userId }) => userId));
    return users.filter((user) => !known.has(user));
  }

  /** Projected rows are read before the events, so that an app that goes on writing can only make the stream longer. */
  private async verifyPage(streams: readonly string[], checkpoint: Checkpoint | null): Promise<void> {
    if (streams.length === 0) return;
    const rows = await this.db
      .selectFrom('credit_balance as b')
      .selectAll('b')
      .select((row) =>
        row
          .selectFrom('credit_transaction as t')
          .select(({ fn }) => fn.max('t.version').as('last'))
          .whereRef('t.user_id', '=', 'b.user_id')
          .as('last_line'),
      )
      .where('b.user_id', 'in', streams.map(userOfStream))
      .execute();
    const balances = new Map(rows.map((row) => [row.user_id, row]));
    const waiting = [...streams];
    const work = async (): Promise<void> => {
      for (let stream = waiting.shift(); stream !== undefined; stream = waiting.shift()) {
        await this.verifyAccount(stream, balances.get(userOfStream(stream)), checkpoint);
        this.options.onProgress?.(this.summary);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async verifyAccount(
    stream: string,
    balance: ProjectedBalance | undefined,
    checkpoint: Checkpoint | null,
  ): Promise<void> {
    const report = this.reporterFor(stream);
    const audit = new AccountAudit(stream, report);
    const projected = new ProjectionAudit(this.db, audit, balance, report);
    let unprojected: number | null = null;
    for await (const stored of eventsOf(this.sources.eventStore, stream)) {
      audit.add(stored);
      if (stored.version <= (balance?.version ?? -1)) await projected.add(stored);
      else if (unprojected === null && isReached(stored, checkpoint, this.sources.eventStore))
        unprojected = stored.version;
    }
    if (unprojected !== null) {
      const what = 'The projections have passed this event, and do not tell of it.';
      report({ stream, version: unprojected, kind: 'projection', what });
    }
    await projected.end();
    const charged = await this.verifyCharges(audit, report);
    // A user whose first generation begins at this moment has no account yet
    if (audit.events === 0 && (balance || charged)) {
      const what = 'The stream is gone: others know the account, and it has no event.';
      report({ stream, version: null, kind: 'version', what });
    }
    this.summary.accounts += 1;
    this.summary.events += audit.events;
  }

  /**
   * Charges are read after the events; what looks wrong is judged again with the events written since.
   * @returns whether there is a charge that the ledger must know
   */
  private async verifyCharges(audit: AccountAudit, report: (problem: LedgerProblem) => void): Promise<boolean> {
    let charged = false;
    const unclaimed = new Set(audit.fates.keys());
    for await (const page of this.sources.charges.ofUser(userOfStream(audit.stream))) {
      if (audit.foldable && page.some((charge) => mismatch(charge, audit.fates.get(charge.deductionId)) !== null)) {
        for await (const stored of eventsOf(this.sources.eventStore, audit.stream, audit.version + 1))
          audit.add(stored);
      }
      for (const charge of page) {
        unclaimed.delete(charge.deductionId);
        this.summary.generations += 1;
        if (charge.state === 'open' || charge.state === 'stuck') this.summary.openGenerations += 1;
        charged ||= charge.state !== 'open';
        const what = mismatch(charge, audit.fates.get(charge.deductionId));
        if (what !== null) report({ stream: audit.stream, version: null, kind: 'generation', what });
      }
    }
    for (const deductionId of unclaimed) {
      if (audit.fates.get(deductionId)?.outcome === 'voided') continue;
      const what = `Credits were taken for ${deductionId}, which is no generation of this user.`;
      report({ stream: audit.stream, version: null, kind: 'generation', what });
    }
    return charged;
  }
}

/** Compares the projected rows of one account with a fresh fold up to the version that they tell of. */
class ProjectionAudit {
  private folded: BalanceRow;
  private readonly lines: AsyncGenerator<TransactionRow>;
  private comparable = true;

  constructor(
    private readonly db: Kysely<AuditTables>,
    private readonly audit: AccountAudit,
    private readonly balance: ProjectedBalance | undefined,
    private readonly report: (problem: LedgerProblem) => void,
  ) {
    const userId = userOfStream(audit.stream);
    this.folded = emptyBalance(userId);
    this.lines = this.linesOf(userId, balance?.version ?? -1);
  }

  /** The next event; it was given to the account's audit before. */
  async add(stored: StoredEvent): Promise<void> {
    if (!this.comparable || !this.audit.foldable) {
      this.comparable = false;
      return;
    }
    const before = this.folded;
    this.folded = balanceAfter(before, stored);
    const due = transactionOf(before, stored, this.folded);
    if (due) await this.compareLine(due);
    const { balance } = this;
    if (balance && stored.version === balance.version) this.compareBalance(balance);
  }

  async end(): Promise<void> {
    const { balance } = this;
    if (balance && balance.version > this.audit.version) {
      this.problem(
        this.audit.version + 1,
        `The projections tell of events up to version ${balance.version}, and the stream ends at ${this.audit.version}: its end is gone.`,
      );
    } else if (balance && (balance.last_line ?? -1) > balance.version) {
      this.problem(balance.last_line, 'credit_transaction has a line that credit_balance does not know.');
    }
    if (!balance) {
      const userId = userOfStream(this.audit.stream);
      const line = await this.db
        .selectFrom('credit_transaction as t')
        .select('t.version')
        .where('t.user_id', '=', userId)
        .where((eb) => {
          const known = eb
            .selectFrom('credit_balance as b')
            .select('b.version')
            .whereRef('b.user_id', '=', 't.user_id');
          return eb.not(eb.exists(known));
        })
        .limit(1)
        .executeTakeFirst();
      if (line)
        this.problem(line.version, 'credit_transaction has lines of an account that credit_balance does not have.');
    }
    if (!this.comparable) return;
    for await (const line of this.lines) {
      // Lines of events that are gone were named with the end of the stream
      if (line.version > this.audit.version) return;
      this.problem(line.version, 'credit_transaction has a line that no event makes.');
    }
  }

  private async compareLine(due: TransactionRow): Promise<void> {
    for (;;) {
      const next = await this.lines.next();
      const line = next.done === true ? null : next.value;
      if (line === null || line.version > due.version) {
        this.problem(due.version, 'credit_transaction lacks the line of this event.');
        // The order of lines is lost from here on; the first difference is the one that counts
        this.comparable = false;
        return;
      }
      if (line.version === due.version) {
        this.compareRows('credit_transaction', line, due, due.version);
        return;
      }
      this.problem(line.version, 'credit_transaction has a line that no event makes.');
    }
  }

  private compareBalance({ last_line: _lastLine, ...row }: ProjectedBalance): void {
    this.compareRows('credit_balance', row, this.folded, row.version);
    const held = this.audit.recorded();
    for (const kind of ['daily', 'bonus', 'paid'] as const) {
      if (held[kind] === this.folded[kind]) continue;
      this.problem(
        row.version,
        `The lots hold ${held[kind]} ${kind} credits, and the fold of balances ${this.folded[kind]}.`,
      );
    }
  }

  private compareRows<Row extends object>(table: string, found: Row, due: Row, version: number): void {
    for (const column of Object.keys(due) as (keyof Row & string)[]) {
      if (text(found[column]) === text(due[column])) continue;
      this.problem(version, `${table} says ${column} ${text(found[column])}, and the events ${text(due[column])}.`);
    }
  }

  private problem(version: number | null, what: string): void {
    this.report({ stream: this.audit.stream, version, kind: 'projection' satisfies ProblemKind, what });
  }

  private async *linesOf(userId: string, until: number): AsyncGenerator<TransactionRow> {
    let last = -1;
    for (;;) {
      const page: TransactionRow[] = await this.db
        .selectFrom('credit_transaction')
        .selectAll()
        .where('user_id', '=', userId)
        .where('version', '>', last)
        .where('version', '<=', until)
        .orderBy('version')
        .limit(LINES)
        .execute();
      yield* page;
      last = page.at(-1)?.version ?? last;
      if (page.length < LINES) return;
    }
  }
}

/** What does not fit between a generation and its deduction; null when they agree. */
function mismatch({ deductionId, creatorId, amount, state }: Charge, fate: Fate | undefined): string | null {
  const outcome = fate?.outcome ?? 'never taken';
  const words = `Generation ${deductionId} `;
  switch (state) {
    case 'open':
      return null;
    case 'stuck':
      return `${words}is not at its end, long after it should be; its credits are ${outcome}.`;
    case 'nothing':
      return outcome === 'voided' ? null : `${words}failed before anything was taken, and its credits are ${outcome}.`;
    case 'delivered':
    case 'returned': {
      const due = state === 'delivered' ? 'settled' : 'refunded';
      if (outcome !== due)
        return `${words}was ${state === 'delivered' ? state : 'refunded'}, and its credits are ${outcome}.`;
      if (fate?.amount === amount && fate.creatorId === creatorId) return null;
      return `${words}is about ${amount} credits of ${creatorId}, and its deduction about ${fate?.amount} of ${fate?.creatorId}.`;
    }
  }
}

function isReached(stored: StoredEvent, checkpoint: Checkpoint | null, eventStore: EventStore): boolean {
  if (!checkpoint || checkpoint.position === null) return false;
  return eventStore.comparePositions(stored.position, checkpoint.position) <= 0;
}

function isBefore(a: Checkpoint | null, b: Checkpoint | null, eventStore: EventStore): boolean {
  if (!b || b.position === null) return false;
  return !a || a.position === null || eventStore.comparePositions(a.position, b.position) < 0;
}

function text(value: unknown): string {
  return value instanceof Date ? value.toISOString() : JSON.stringify(value ?? null);
}
