import { type Pool } from 'pg';
import { type Column, type ProjectedTable } from '../../platform/database/projected-table.js';

/** Lines of one account that are read at once. */
const LINES_PER_READ = 2000;
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
  /** Every column but `user_id`, and whether it is a time. */
  readonly columns: Readonly<Record<Exclude<keyof Row, 'user_id'> & string, 'time' | 'other'>>;
  /** Describes a row, for the end of a sentence; may be empty. */
  describe(row: Row): string;
}

/** The table of lines with all of its columns. */
export function linesOf<Row extends Line>(
  { name, key, columns }: ProjectedTable<Row>,
  describe: LineTable<Row>['describe'],
): LineTable<Row> {
  const kinds = Object.entries<Column<unknown>>(columns)
    .filter(([column]) => column !== 'user_id')
    .map(([column, { type }]) => [column, type === 'timestamptz' ? 'time' : 'other']);
  const severalPerEvent = key.some((column) => column === 'line');
  return { name, severalPerEvent, describe, columns: Object.fromEntries(kinds) as LineTable<Row>['columns'] };
}

/** An account and the version up to which its lines are read. */
export interface LineAccount {
  readonly userId: string;
  readonly until: number;
}

/** The position behind a line of an account. */
export interface LineCursor {
  readonly version: number;
  readonly line: number;
}

const FIRST_CURSOR: LineCursor = { version: BEFORE_ALL, line: 0 };

/** Lines of one account in order, each as Postgres writes a row: `(3,0,"2026-03-10 09:00:00",,lot)`. */
interface Chunk {
  /** Index of the account. */
  readonly index: number;
  readonly lines: number;
  readonly text: string;
}

/**
 * Reads the lines of several accounts as texts, one account after the other, and compares each line with the row that
 * is due. This costs a third of reading rows. Postgres quotes what could be mistaken, so only equal rows have equal
 * texts. Keeps one page in memory.
 */
export class LineTexts<Row extends Line> {
  private page: readonly Chunk[] = [];
  private at = 0;
  /** Where the next line begins in the text of the chunk. */
  private offset = 0;
  private ended = false;
  private last: { readonly index: number; readonly line: LineCursor } | null = null;
  private readonly query: { readonly name: string; readonly text: string };
  private readonly columns: readonly (keyof Row)[];

  constructor(
    readonly pool: Pool,
    readonly table: LineTable<Row>,
    readonly accounts: readonly LineAccount[],
  ) {
    this.columns = Object.keys(table.columns) as (keyof Row)[];
    this.query = queryOf(table);
  }

  /**
   * Consumes the next line of an account if it equals this row. Skips lines of previous accounts.
   * @returns whether it was equal; undefined when more must be read first
   */
  take(index: number, row: Row): boolean | undefined {
    const chunk = this.chunkOf(index);
    if (!chunk) return chunk === null ? false : undefined;
    const end = endOfRow(row, this.columns, chunk.text, this.offset);
    if (end === null) return false;
    this.offset = end;
    this.last = { index, line: { version: row.version, line: row.line ?? 0 } };
    return true;
  }

  /** Whether an account has more lines; undefined when more must be read first. */
  hasMore(index: number): boolean | undefined {
    const chunk = this.chunkOf(index);
    return chunk === undefined ? undefined : chunk !== null;
  }

  /** The position behind the lines of an account that `take` consumed. */
  cursorOf(index: number): LineCursor {
    return this.last?.index === index ? this.last.line : FIRST_CURSOR;
  }

  /** Reads more lines, those of this account first. */
  async read(index: number): Promise<void> {
    const { version, line } = this.cursorOf(index);
    const { rows } = await this.pool.query<Chunk>({
      ...this.query,
      values: [
        this.accounts.map(({ userId }) => userId),
        this.accounts.map(({ until }) => until),
        ...[index, version, LINES_PER_READ],
        ...(this.table.severalPerEvent ? [line] : []),
      ],
    });
    // The remaining lines of an account with more lines must be read before the next account.
    const full = rows.findIndex(({ lines }) => lines === LINES_PER_READ);
    this.page = full === -1 ? rows : rows.slice(0, full + 1);
    this.ended = full === -1;
    this.at = 0;
    this.offset = 0;
  }

  private chunkOf(index: number): Chunk | null | undefined {
    for (;;) {
      const chunk = this.page[this.at];
      if (!chunk) return this.ended ? null : undefined;
      if (chunk.index > index) return null;
      if (chunk.index === index && this.offset < chunk.text.length) return chunk;
      this.at += 1;
      this.offset = 0;
    }
  }
}

/** The inner limit lets Postgres read each account by the index. */
function queryOf<Row extends Line>({ name, severalPerEvent, columns }: LineTable<Row>): { name: string; text: string } {
  const order = severalPerEvent ? 't.version, t.line' : 't.version';
  const from = `case when wanted.ordinal - 1 = $3 then $4::bigint else ${BEFORE_ALL} end`;
  const values = Object.entries(columns).map(([column, kind]) =>
    kind === 'time' ? `t.${column} at time zone 'UTC'` : `t.${column}`,
  );
  return {
    name: `audit-texts-${name}`,
    text: `select (wanted.ordinal - 1)::int as index, chunk.* 
      from unnest($1::text[], $2::int[]) with ordinality as wanted (user_id, until, ordinal)
      cross join lateral (
        select count(*)::int as lines, string_agg(line.text, '') as text from (
          select row(${values.join(', ')})::text as text from ${name} t
          where t.user_id = wanted.user_id and t.version <= wanted.until
            and (${order}) > (${severalPerEvent ? `${from}, $6::int` : from})
          order by ${order} limit $5
        ) as line
      ) as chunk
      where wanted.ordinal - 1 >= $3 and chunk.lines > 0 order by wanted.ordinal`,
  };
}

const OPEN_BYTE = 0x28;
const COMMA_BYTE = 0x2c;
const CLOSE_BYTE = 0x29;

/** A text that Postgres does not quote in a row. */
const PLAIN = /^[^ \t\n\v\f\r"(),\\]+$/;

/**
 * Compares a row, as Postgres writes it, with the text at this offset. Compares one value after the other: the text of
 * the row that is due is never put together.
 * @returns the offset behind the row; null when the text differs
 */
function endOfRow<Row>(row: Row, columns: readonly (keyof Row)[], text: string, start: number): number | null {
  let at = start;
  for (const column of columns) {
    if (text.charCodeAt(at) !== (at === start ? OPEN_BYTE : COMMA_BYTE)) return null;
    const value = textOf(row[column]);
    if (!text.startsWith(value, at + 1)) return null;
    at += 1 + value.length;
  }
  return text.charCodeAt(at) === CLOSE_BYTE ? at + 1 : null;
}

/** A value of a row as Postgres writes it. Null is empty. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return PLAIN.test(value) ? value : quoted(value);
  if (value instanceof Date) return timeText(value.getTime());
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return '';
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '$&$&')}"`;
}

/** The times of an event are written several times, so the last texts are kept. */
const times: { at: number; text: string }[] = [
  { at: NaN, text: '' },
  { at: NaN, text: '' },
];
let oldest = 0;

function timeText(at: number): string {
  for (const time of times) if (time.at === at) return time.text;
  // Postgres leaves out zeros at the end of the seconds.
  const text = `"${new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')}"`;
  times[oldest] = { at, text };
  oldest = 1 - oldest;
  return text;
}
