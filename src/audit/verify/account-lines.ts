import { type Pool } from 'pg';
import { type Line, type LineAccount, type LineCursor, type LineTable, type LineTexts } from './line-texts.js';
import { compareRow, type OnDifference } from './projection-check.js';

/** Lines read at once. */
const LINES_PER_READ = 1000;

/** Reads the lines of one account as rows, in order and up to a version. Keeps one page in memory. */
class AccountLines<Row extends Line> {
  private page: readonly Row[] = [];
  private at = 0;
  private ended = false;

  /** @param after the lines behind this place are read */
  constructor(
    private readonly pool: Pool,
    private readonly table: LineTable<Row>,
    private readonly account: LineAccount,
    private after: LineCursor,
  ) {}

  /** The next line; null when there are no more. */
  async peek(): Promise<Row | null> {
    if (this.at === this.page.length && !this.ended) await this.readPage();
    return this.page[this.at] ?? null;
  }

  /** Consumes the line that `peek` returned. */
  take(): void {
    this.at += 1;
  }

  private async readPage(): Promise<void> {
    const { name, severalPerEvent } = this.table;
    const order = severalPerEvent ? 'version, line' : 'version';
    const { userId, until } = this.account;
    const { version, line } = this.after;
    const { rows } = await this.pool.query<Row>(
      `select * from ${name} where user_id = $1 and version <= $2 and (${order}) > ($3::bigint${severalPerEvent ? ', $5::int' : ''})
       order by ${order} limit $4`,
      [userId, until, version, LINES_PER_READ, ...(severalPerEvent ? [line] : [])],
    );
    const last = rows.at(-1);
    if (last) this.after = { version: last.version, line: last.line ?? 0 };
    this.page = rows;
    this.at = 0;
    this.ended = rows.length < LINES_PER_READ;
  }
}

/**
 * Compares the stored lines of one account with the lines that its events make. Both are in order. Lines are compared
 * as texts; from the first line that differs, the account is read row by row, to name each difference.
 */
export class LineComparison<Row extends Line> {
  /** Null as long as the texts are equal. */
  private rows: AccountLines<Row> | null = null;

  constructor(
    private readonly texts: LineTexts<Row>,
    /** Index of the account in `texts`. */
    private readonly index: number,
    private readonly onDifference: OnDifference,
  ) {}

  /** Compares the next line that an event makes. Returns a promise when lines must be read first, or differ. */
  expect(expected: Row): Promise<void> | undefined {
    if (this.rows) return this.find(expected, this.rows);
    const equal = this.texts.take(this.index, expected);
    if (equal) return undefined;
    if (equal === undefined) return this.texts.read(this.index).then(() => this.expect(expected));
    return this.find(expected, this.startRows());
  }

  /** Compares the next lines, which an event makes. */
  expectAll(expected: readonly Row[], from = 0): Promise<void> | undefined {
    for (let index = from; index < expected.length; index += 1) {
      const reading = this.expect(expected[index] as Row);
      // Awaiting nothing would cost as much as the comparison.
      if (reading) return reading.then(() => this.expectAll(expected, index + 1));
    }
    return undefined;
  }

  /** Reports remaining lines up to this version: no event makes them. */
  async end(version: number): Promise<void> {
    if (!this.rows) {
      while (this.texts.hasMore(this.index) === undefined) await this.texts.read(this.index);
      if (!this.texts.hasMore(this.index)) return;
    }
    const rows = this.rows ?? this.startRows();
    for (let found = await rows.peek(); found && found.version <= version; found = await rows.peek()) {
      rows.take();
      this.differs(found, `${this.texts.table.name} has a line that no event makes`);
    }
  }

  private async find(expected: Row, rows: AccountLines<Row>): Promise<void> {
    const { name } = this.texts.table;
    for (;;) {
      const found = await rows.peek();
      const order = found === null ? 1 : found.version - expected.version || (found.line ?? 0) - (expected.line ?? 0);
      if (found === null || order > 0) {
        this.differs(expected, `${name} lacks the line of this event`);
        return;
      }
      rows.take();
      if (order === 0) {
        compareRow(name, found, expected, (difference) => this.differs(expected, difference));
        return;
      }
      this.differs(found, `${name} has a line that no event makes`);
    }
  }

  private startRows(): AccountLines<Row> {
    const { pool, table, accounts } = this.texts;
    const account = accounts[this.index];
    if (!account) throw new RangeError(`There is no account ${this.index}.`);
    this.rows = new AccountLines(pool, table, account, this.texts.cursorOf(this.index));
    return this.rows;
  }

  private differs(row: Row, difference: string): void {
    const about = this.texts.table.describe(row);
    this.onDifference(row.version, `${difference}${about === '' ? '' : `: ${about}`}.`);
  }
}
