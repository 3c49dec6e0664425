import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

/** Most rows of one answer. */
const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 100;
/** Asks for one row as an object; what the query client's `single()` sends. */
const OBJECT = 'application/vnd.pgrst.object+json';

/** What a table lets its readers ask for. */
export interface ReadableTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that may be compared with a value. */
  readonly filters: readonly string[];
  /** The one column that lists may be ordered by. */
  readonly order: string;
}

export interface TableRead {
  readonly columns: readonly string[];
  /** Values by column. */
  readonly equals: ReadonlyMap<string, string>;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads the query of `GET /rest/v1/<table>`: `select`, `<column>=eq.<value>`, `order`, `limit` and `offset`, as the generic
 * query client of the spec writes them (section 7).
 * @throws ApiError 400 for everything else, so that a filter is never ignored
 */
export function readTableQuery(request: FastifyRequest, table: ReadableTable): TableRead {
  const equals = new Map<string, string>();
  const read = { columns: table.columns, direction: 'desc' as 'asc' | 'desc', limit: DEFAULT_ROWS, offset: 0 };
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw unsupported(table, name);
    if (name === 'select') read.columns = selected(value, table);
    else if (name === 'order') read.direction = directionOf(value, table);
    else if (name === 'limit') read.limit = Math.min(count(name, value), MAX_ROWS);
    else if (name === 'offset') read.offset = count(name, value);
    else if (table.filters.includes(name) && value.startsWith('eq.')) equals.set(name, value.slice('eq.'.length));
    else throw unsupported(table, name);
  }
  return { ...read, equals };
}

/**
 * Sends the rows as a list, or as one object when the caller asked for one.
 * @throws ApiError 406 when one was asked for and there is none, or more than one
 */
export function sendRows(
  request: FastifyRequest,
  reply: FastifyReply,
  { columns }: TableRead,
  rows: readonly object[],
): void {
  const picked = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, (row as Readonly<Record<string, unknown>>)[column] ?? null])),
  );
  if (!request.headers.accept?.includes(OBJECT)) {
    void reply.send(picked);
    return;
  }
  if (picked.length !== 1) {
    throw new ApiError(406, 'JSON object requested, multiple (or no) rows returned', {
      code: 'PGRST116',
      details: `The result contains ${picked.length} rows`,
    });
  }
  void reply.type(`${OBJECT}; charset=utf-8`).send(picked[0]);
}

function selected(value: string, table: ReadableTable): readonly string[] {
  if (value === '*') return table.columns;
  const columns = value.split(',').map((column) => column.trim());
  const unknown = columns.find((column) => !table.columns.includes(column));
  if (unknown !== undefined) {
    throw new ApiError(400, `column ${table.name}.${unknown.slice(0, 60)} does not exist`, { code: '42703' });
  }
  return columns;
}

function directionOf(value: string, table: ReadableTable): 'asc' | 'desc' {
  const [column, direction = 'asc', ...rest] = value.split('.');
  if (column !== table.order || (direction !== 'asc' && direction !== 'desc') || rest.length > 0) {
    throw unsupported(table, 'order');
  }
  return direction;
}

function count(name: string, value: string): number {
  if (!/^\d{1,7}$/.test(value)) throw new ApiError(400, `${name} must be a whole number.`, { code: '22023' });
  return Number(value);
}

function unsupported(table: ReadableTable, name: string): ApiError {
  return new ApiError(400, `The table ${table.name} cannot be asked for "${name.slice(0, 60)}" this way.`, {
    code: 'PGRST100',
    hint: `Filters: ${table.filters.join(', ')} with eq; order by ${table.order}; select, limit, offset.`,
  });
}
