import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type TableName, type Tables } from '../../contract/routes.js';
import { type TablePage } from '../table-page.js';
import { ApiError } from './api-error.js';

/** Maximum number of rows in one answer. */
const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 100;
/** Media type that requests one row as an object; the query client's `single()` sends it. */
const OBJECT = 'application/vnd.pgrst.object+json';

/** The queries that a table allows. */
export interface TableShape {
  readonly name: TableName;
  readonly columns: readonly string[];
  /** Columns that may be filtered by a value. */
  readonly filters: readonly string[];
  /** The only column that lists may be sorted by. */
  readonly order: string;
}

/** A table shape with the columns of the contract. */
export interface ReadableTable<Name extends TableName> extends TableShape {
  readonly name: Name;
  readonly columns: readonly (keyof Tables[Name] & string)[];
}

export interface TableRead<Name extends TableName> extends TablePage {
  readonly columns: ReadableTable<Name>['columns'];
  /** Values by column. */
  readonly equals: ReadonlyMap<string, string>;
}

/**
 * Reads the query of `GET /rest/v1/<table>`: `select`, `<column>=eq.<value>`, `order`, `limit` and `offset`, as the
 * generic query client of the spec writes them (section 7).
 * @throws ApiError 400 for everything else, so that a filter is never ignored
 */
export function readTableQuery<Name extends TableName>(
  request: FastifyRequest,
  table: ReadableTable<Name>,
): TableRead<Name> {
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
 * @throws ApiError 406 when the caller asked for one row, and there is none or more than one
 */
export function sendRows<Name extends TableName>(
  request: FastifyRequest,
  reply: FastifyReply,
  { columns }: TableRead<Name>,
  rows: readonly Tables[Name][],
): void {
  const picked = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
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

function selected<Name extends TableName>(value: string, table: ReadableTable<Name>): TableRead<Name>['columns'] {
  if (value === '*') return table.columns;
  return value.split(',').map((text) => {
    const column = table.columns.find((name) => name === text.trim());
    if (column !== undefined) return column;
    throw new ApiError(400, `column ${table.name}.${text.trim().slice(0, 60)} does not exist`, { code: '42703' });
  });
}

function directionOf(value: string, table: TableShape): 'asc' | 'desc' {
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

function unsupported(table: TableShape, name: string): ApiError {
  return new ApiError(
    400,
    `The table ${table.name} does not support the query parameter "${name.slice(0, 60)}" or its value.`,
    {
      code: 'PGRST100',
      hint: `Filters: ${table.filters.join(', ')} with eq; order by ${table.order}; select, limit, offset.`,
    },
  );
}
