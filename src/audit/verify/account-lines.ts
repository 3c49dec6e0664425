import { type Pool } from 'pg';
import { compareRow, type OnDifference } from './projection-check.js';

/** Lines of one account read at once. */
const LINES = 1000;
/** Less than every version that a table can hold. */
const BEFORE_ALL = -(2 ** 31) - 1;

/** A row that an event made. `line` is its index when one event can make several rows. */
export interface Line {
  readonly version: number;
  readonly line?: number;
}

/** A table of such rows. Its primary key is `user_id, version` and, if present, `line`. */
export interface LineTable<Row extends Line> {
  readonly name: string;
  readonly severalPerEvent: boolean;
  /** Describes a row, for the end of a sentence; may be empty. */
  describe(row: Row): string;
}

/**
 * Reads the lines of several accounts, one account after the other, in order and up to a version, so that they can be
 * merged with the events. Keeps one page in memory.
 */
export class AccountLines<Row extends Line> {
  private page: (Row & { readonly place: number })[] = [];
  private at = 0;
  private ended = false;
  private readonly query: { readonly name: string; readonly text: string };

  constructor(
    private readonly pool: Pool,
    readonly table: LineTable<Row>,
    private readonly accounts: readonly { readonly userId: string; readonly until: number }[],
  ) {
    this.query = queryOf(table);
  }

  /** The next line of this account; null when it has no more. Skips lines of previous accounts. */
  async peek(place: number): Promise<Row | null> {
    for (;;) {
      const line = this.peekRead(place);
      if (line !== undefined) return line;
      await this.readPage();
    }
  }

  /** Like `peek`, from the lines that were read already; undefined when more must be read. */
  peekRead(place: number): Row | null | undefined {
    for (;;) {
      const line = this.page[this.at];
      if (line && line.place > place) return null;
      if (line?.place === place) return line;
      if (line) this.at += 1;
      else return this.ended ? null : undefined;
    }
  }

  /** Consumes the line that `peek` returned. */
  take(): void {
    this.at += 1;
  }

  private async readPage(): Promise<void> {
    const last = this.page.at(-1);
    const { rows } = await this.pool.query<Row & { place: number }>({
      ...this.query,
      values: [
        this.accounts.map(({ userId }) => userId),
        this.accounts.map(({ until }) => until),
        ...[last?.place ?? 0, last?.version ?? BEFORE_ALL, LINES],
        ...(this.table.severalPerEvent ? [last?.line ?? 0] : []),
      ],
    });
    const end = endOfFullAccount(rows);
    this.page = end === null ? rows : rows.slice(0, end);
    this.at = 0;
    this.ended = end === null;
  }
}

/** The inner limit lets Postgres read each account by the index. An account with more lines needs several pages. */
function queryOf({ name, severalPerEvent }: LineTable<never>): { name: string; text: string } {
  const order = severalPerEvent ? 't.version, t.line' : 't.version';
  const from = `case when wanted.place - 1 = $3 then $4::bigint else ${BEFORE_ALL} end`;
  return {
    name: `audit-lines-${name}`,
    text: `select lines.*, (wanted.place - 1)::int as place
      from unnest($1::text[], $2::int[]) with ordinality as wanted (user_id, until, place)
      cross join lateral (
        select * from ${name} t
        where t.user_id = wanted.user_id and t.version <= wanted.until
          and (${order}) > (${severalPerEvent ? `${from}, $6::int` : from})
        order by ${order} limit $5
      ) as lines
      where wanted.place - 1 >= $3 order by wanted.place, ${order.replaceAll('t.', 'lines.')}`,
  };
}

/** Index after the first account that reached the limit. Its remaining lines must be read before the next account. */
function endOfFullAccount(rows: readonly { readonly place: number }[]): number | null {
  let start = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    if (rows[end]?.place === rows[start]?.place) continue;
    if (end - start === LINES) return end;
    start = end;
  }
  return null;
}

/** Compares the stored lines of one account with the lines that its events make. Both are in order. */
export class LineComparison<Row extends Line> {
  constructor(
    private readonly lines: AccountLines<Row>,
    /** Index of the account in `lines`. */
    private readonly index: number,
    private readonly onDifference: OnDifference,
  ) {}

  /** Compares the next line that an event makes. Returns a promise when lines must be read first, or differ. */
  expect(due: Row): Promise<void> | undefined {
    const found = this.lines.peekRead(this.index);
    if (!found || found.version !== due.version || (found.line ?? 0) !== (due.line ?? 0)) return this.find(due);
    this.lines.take();
    compareRow(this.lines.table.name, found, due, (difference) => this.differs(due, difference));
    return undefined;
  }

  /** Compares the next lines, which an event makes. */
  async expectAll(due: readonly Row[]): Promise<void> {
    for (const line of due) {
      const reading = this.expect(line);
      // Awaiting nothing would cost as much as the comparison.
      if (reading) await reading;
    }
  }

  private async find(due: Row): Promise<void> {
    const { name } = this.lines.table;
    for (;;) {
      const found = await this.lines.peek(this.index);
      const order = found === null ? 1 : found.version - due.version || (found.line ?? 0) - (due.line ?? 0);
      if (found === null || order > 0) {
        this.differs(due, `${name} lacks the line of this event`);
        return;
      }
      this.lines.take();
      if (order === 0) {
        compareRow(name, found, due, (difference) => this.differs(due, difference));
        return;
      }
      this.differs(found, `${name} has a line that no event makes`);
    }
  }

  /** Reports remaining lines up to this version: no event makes them. */
  async end(version: number): Promise<void> {
    for (let found = await this.lines.peek(this.index); found; found = await this.lines.peek(this.index)) {
      if (found.version > version) return;
      this.lines.take();
      this.differs(found, `${this.lines.table.name} has a line that no event makes`);
    }
  }

  private differs(row: Row, difference: string): void {
    const about = this.lines.table.describe(row);
    this.onDifference(row.version, `${difference}${about === '' ? '' : `: ${about}`}.`);
  }
}
