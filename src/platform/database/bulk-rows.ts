import { sql, type RawBuilder } from 'kysely';

/** Another object is written as JSON. */
type Value = string | number | boolean | object | null;

/** The row of a statement that always answers one. */
export function onlyRow<Row>({ rows: [row] }: { readonly rows: readonly Row[] }): Row {
  if (row === undefined) throw new Error('A statement that always answers a row has answered none.');
  return row;
}

/** Names of a table's columns, in the order of `rowsAs`. */
export function columnsOf<Row extends object>(
  types: Readonly<Record<keyof Row & string, string>>,
): (keyof Row & string)[] {
  return Object.keys(types) as (keyof Row & string)[];
}

/**
 * Rows for one `insert … select`, in any number: one array per column. Parameters per value would be slower, and a
 * statement accepts only 65,535 of them.
 * @param types the Postgres type of each column, in the order of the columns
 */
export function rowsAs<Row extends object>(
  rows: readonly Row[],
  types: Readonly<Record<keyof Row & string, string>>,
): RawBuilder<unknown> {
  const arrays = columnsOf<Row>(types).map(
    (column) => sql`${arrayLiteral(rows.map((row) => row[column] as Value))}::${sql.raw(types[column])}[]`,
  );
  return sql`select * from unnest(${sql.join(arrays)})`;
}

/** Formats the array here: the driver takes several times as long. */
function arrayLiteral(values: readonly Value[]): string {
  let literal = '';
  for (const value of values) literal += `,${element(value)}`;
  return `{${literal.slice(1)}}`;
}

function element(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  return value instanceof Date ? `"${value.toISOString()}"` : quoted(JSON.stringify(value));
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
