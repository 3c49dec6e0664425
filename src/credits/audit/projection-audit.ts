import { type Pool } from 'pg';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import {
  balanceAfter,
  emptyBalance,
  transactionOf,
  type BalanceRow,
  type TransactionRow,
} from '../account-projection.js';
import { userOfStream } from '../events.js';
import type { AccountAudit, LedgerProblem } from './account-audit.js';

/** Lines of the history read at once, of one account. */
const LINES = 1000;

/** The row of a balance with the version of the last line of the history, read in one statement: they commit together. */
export type ProjectedBalance = BalanceRow & { readonly last_line: number | null };

/** The balances of these users, by user. */
export async function projectedBalances(pool: Pool, users: readonly string[]): Promise<Map<string, ProjectedBalance>> {
  const { rows } = await pool.query<ProjectedBalance>(
    `select b.*, (select max(t.version) from credit_transaction t where t.user_id = b.user_id) as last_line
     from credit_balance b where b.user_id = any($1::text[])`,
    [users],
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

/**
 * The lines of the history of several accounts, one account after the other, each in order and up to the version that its
 * balance tells of: to be merged with their events. Keeps one page.
 */
export class ProjectedLines {
  private page: (TransactionRow & { readonly place: number })[] = [];
  private at = 0;
  private ended = false;

  constructor(
    private readonly pool: Pool,
    private readonly accounts: readonly { readonly userId: string; readonly until: number }[],
  ) {}

  /** The next line of this account; null when it has no more. Lines of accounts in front of it are passed over. */
  async peek(place: number): Promise<TransactionRow | null> {
    for (;;) {
      const line = this.page[this.at];
      if (line && line.place > place) return null;
      if (line?.place === place) return line;
      if (line) this.at += 1;
      else if (this.ended) return null;
      else await this.turn();
    }
  }

  /** Goes on behind the line that `peek` gave. */
  take(): void {
    this.at += 1;
  }

  private async turn(): Promise<void> {
    const last = this.page.at(-1);
    // The inner limit keeps a page to what an index gives; an account with more lines than that comes in several pages
    const { rows } = await this.pool.query<TransactionRow & { place: number }>({
      name: 'audit-lines',
      text: `select lines.*, wanted.place::int as place
        from unnest($1::text[], $2::int[]) with ordinality as wanted (user_id, until, place)
        cross join lateral (
          select * from credit_transaction t
          where t.user_id = wanted.user_id and t.version <= wanted.until
            and t.version > case when wanted.place = $3 then $4::int else -1 end
          order by t.version limit $5
        ) as lines
        where wanted.place >= $3 order by wanted.place, lines.version`,
      values: [
        this.accounts.map(({ userId }) => userId),
        this.accounts.map(({ until }) => until),
        last?.place ?? 0,
        last?.version ?? -1,
        LINES,
      ],
    });
    const end = endOfFullAccount(rows);
    this.page = end === null ? rows : rows.slice(0, end);
    this.at = 0;
    this.ended = end === null;
  }
}

/** Behind the first account that came to the limit, of which there may be more lines, which belong before the next account's. */
function endOfFullAccount(rows: readonly { readonly place: number }[]): number | null {
  let start = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    if (rows[end]?.place === rows[start]?.place) continue;
    if (end - start === LINES) return end;
    start = end;
  }
  return null;
}

/** Compares the projected rows of one account with a fresh fold up to the version that they tell of. */
export class ProjectionAudit {
  private folded: BalanceRow;
  private comparable = true;

  constructor(
    private readonly audit: AccountAudit,
    private readonly balance: ProjectedBalance | undefined,
    private readonly lines: ProjectedLines,
    /** Place of the account among those whose lines these are. */
    private readonly place: number,
    private readonly report: (problem: LedgerProblem) => void,
  ) {
    this.folded = emptyBalance(userOfStream(audit.stream));
  }

  /** The next event; it was given to the account's audit before. Beyond the version of the balance there is nothing to compare. */
  async add(stored: StoredEvent): Promise<void> {
    const { balance } = this;
    if (!balance || stored.version > balance.version) return;
    if (!this.comparable || !this.audit.foldable) {
      this.comparable = false;
      return;
    }
    const line = this.fold(stored);
    if (line === undefined) return;
    if (line) await this.compareLine(line);
    if (stored.version === balance.version) this.compareBalance(balance);
  }

  /**
   * The line that the next event makes, null when it makes none. Undefined when forged content cannot be folded: that is
   * named, and nothing can be compared any more.
   */
  private fold(stored: StoredEvent): ReturnType<typeof transactionOf> | undefined {
    const before = this.folded;
    try {
      this.folded = balanceAfter(before, stored);
      return transactionOf(before, stored, this.folded);
    } catch (error) {
      this.comparable = false;
      const why = error instanceof Error ? error.message : String(error);
      this.problem(stored.version, `The projections cannot be made of this event and those before it: ${why}`);
      return undefined;
    }
  }

  /** @param strayLine of an account without a balance: a line of the history that there is all the same */
  async end(strayLine: number | undefined): Promise<void> {
    const { balance } = this;
    if (balance && balance.version > this.audit.version) {
      this.problem(
        this.audit.version + 1,
        `The projections tell of events up to version ${balance.version}, and the stream ends at ${this.audit.version}: its end is gone.`,
      );
    } else if (balance && (balance.last_line ?? -1) > balance.version) {
      this.problem(balance.last_line, 'credit_transaction has a line that credit_balance does not know.');
    }
    if (strayLine !== undefined) {
      this.problem(strayLine, 'credit_transaction has lines of an account that credit_balance does not have.');
    }
    if (!this.comparable) return;
    for (let line = await this.lines.peek(this.place); line; line = await this.lines.peek(this.place)) {
      // Lines of events that are gone were named with the end of the stream
      if (line.version > this.audit.version) return;
      this.lines.take();
      this.problem(line.version, 'credit_transaction has a line that no event makes.');
    }
  }

  private async compareLine(due: TransactionRow): Promise<void> {
    for (;;) {
      const line = await this.lines.peek(this.place);
      if (line === null || line.version > due.version) {
        this.problem(due.version, 'credit_transaction lacks the line of this event.');
        // The order of lines is lost from here on; the first difference is the one that counts
        this.comparable = false;
        return;
      }
      this.lines.take();
      if (line.version === due.version) {
        this.compareRows('credit_transaction', line, due, due.version);
        return;
      }
      this.problem(line.version, 'credit_transaction has a line that no event makes.');
    }
  }

  private compareBalance(row: ProjectedBalance): void {
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
      if (isSame(found[column], due[column]) || text(found[column]) === text(due[column])) continue;
      this.problem(version, `${table} says ${column} ${text(found[column])}, and the events ${text(due[column])}.`);
    }
  }

  private problem(version: number | null, what: string): void {
    this.report({ stream: this.audit.stream, version, kind: 'projection', what });
  }
}

/** Lines of the history of users who have no balance: the version of one for each. */
export async function strayLines(pool: Pool, users: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ user_id: string; version: number }>(
    `select t.user_id, min(t.version) as version from credit_transaction t
     where t.user_id = any($1::text[]) and not exists (select 1 from credit_balance b where b.user_id = t.user_id)
     group by t.user_id`,
    [users],
  );
  return new Map(rows.map(({ user_id: userId, version }) => [userId, version]));
}

/** Quickly, for what is nearly always the same. */
function isSame(found: unknown, due: unknown): boolean {
  return found === due || (found instanceof Date && due instanceof Date && found.getTime() === due.getTime());
}

function text(value: unknown): string {
  return value instanceof Date ? value.toISOString() : JSON.stringify(value ?? null);
}
