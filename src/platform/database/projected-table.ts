import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { rowsAs } from './bulk-rows.js';

/** A column: its type in Postgres, and that of its values here. */
export interface Column<Value> {
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Never set: it carries the type. */
  readonly value?: Value;
}

type ColumnType = 'text' | 'uuid' | 'boolean' | 'smallint' | 'integer' | 'bigint' | 'timestamptz' | 'jsonb';

/** A table that a projection fills, written down once: its rows, its inserts and what the audit compares follow. */
export interface ProjectedTable<Row extends object> {
  readonly name: string;
  /** In any order: inserts name their columns. */
  readonly columns: Readonly<{ [Name in keyof Row & string]: Column<Row[Name]> }>;
  /** The primary key. */
  readonly key: readonly (keyof Row & string)[];
}

type Values<Columns> = { -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never };

/** The rows of a table. */
export type RowOf<Table> = Table extends ProjectedTable<infer Row> ? Row : never;

export function projectedTable<const Columns extends Readonly<Record<string, Column<unknown>>>>(
  name: string,
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): ProjectedTable<Values<Columns>> {
  return { name, key, columns: columns as unknown as ProjectedTable<Values<Columns>>['columns'] };
}

const columnOf =
  <Default>(type: ColumnType) =>
  <Value extends Default = Default>(): Column<Value> => ({ type, isNullable: false });

export const text = columnOf<string>('text');
export const uuid = columnOf<string>('uuid');
export const boolean = columnOf<boolean>('boolean');
export const smallint = columnOf<number>('smallint');
export const integer = columnOf<number>('integer');
export const bigint = columnOf<number>('bigint');
export const timestamptz = columnOf<Date>('timestamptz');
export const jsonb = columnOf<unknown>('jsonb');

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { type: column.type, isNullable: true };
}

/** A select of rows with the columns of the table. */
function selectOf<Row extends object>(table: ProjectedTable<Row>, rows: readonly Row[]): RawBuilder<unknown> {
  return rowsAs(rows, typesOf(table));
}

/** Inserts new rows. */
export async function insertRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  trx: QueryExecutorProvider,
): Promise<void> {
  if (rows.length > 0) await insertOf(table, rows, sql``).execute(trx);
}

/** Inserts new rows. A row with the same key stays as it is. */
export async function insertMissingRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  trx: QueryExecutorProvider,
): Promise<void> {
  if (rows.length > 0) await insertOf(table, rows, sql`on conflict do nothing`).execute(trx);
}

/** Inserts rows, or replaces those with the same key. */
export async function replaceRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  trx: QueryExecutorProvider,
): Promise<void> {
  await changeRows(table, rows, (name) => sql`excluded.${sql.ref(name)}`, trx);
}

/** Adds the figures of rows to the sums with their keys; a key without a sum gets one. */
export async function addToRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: Iterable<NoInfer<Row>>,
  trx: QueryExecutorProvider,
): Promise<void> {
  const sums = summedRows(table, rows);
  await changeRows(table, sums, (name) => sql`stored.${sql.ref(name)} + excluded.${sql.ref(name)}`, trx);
}

/** One row for each key: the sums of the rows with it. Every other column of the table is a figure. */
export function summedRows<Row extends object>(table: ProjectedTable<Row>, rows: Iterable<NoInfer<Row>>): Row[] {
  const figures = otherColumns(table);
  const sums = new Map<string, Record<string, number>>();
  for (const row of rows as Iterable<Record<string, number>>) {
    let key = '';
    for (const name of table.key) key += `${keyText(row[name])}\0`;
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...row });
    else for (const figure of figures) sum[figure] = (sum[figure] ?? 0) + (row[figure] ?? 0);
  }
  return [...sums.values()] as Row[];
}

function keyText(value: unknown): string {
  return String(value instanceof Date ? value.getTime() : value);
}

async function changeRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  changed: (name: string) => RawBuilder<unknown>,
  trx: QueryExecutorProvider,
): Promise<void> {
  if (rows.length === 0) return;
  const changes = sql.join(otherColumns(table).map((name) => sql`${sql.ref(name)} = ${changed(name)}`));
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  await insertOf(table, rows, sql`on conflict (${key}) do update set ${changes}`).execute(trx);
}

/** The columns that are not of the key. */
function otherColumns<Row extends object>({ key, columns }: ProjectedTable<Row>): string[] {
  return Object.keys(columns).filter((name) => !key.some((part) => part === name));
}

function insertOf<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  conflict: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table.name)} as stored (${columnNames(table)}) ${selectOf(table, rows)} ${conflict}`;
}

/** The columns of the table, in the order of {@link selectOf}. */
function columnNames({ columns }: { readonly columns: object }): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)));
}

/** The type of each column in Postgres. */
export function typesOf<Row extends object>({ columns }: ProjectedTable<Row>): Record<keyof Row & string, string> {
  const types = Object.entries<Column<unknown>>(columns).map(([name, { type }]) => [name, type]);
  return Object.fromEntries(types) as Record<keyof Row & string, string>;
}
