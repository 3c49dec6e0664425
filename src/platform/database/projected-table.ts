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
export function selectOf<Row extends object>(table: ProjectedTable<Row>, rows: readonly Row[]): RawBuilder<unknown> {
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

/** Inserts rows of sums, or adds them to those with the same key. */
export async function addToRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  trx: QueryExecutorProvider,
): Promise<void> {
  await changeRows(table, rows, (name) => sql`stored.${sql.ref(name)} + excluded.${sql.ref(name)}`, trx);
}

async function changeRows<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  changed: (name: string) => RawBuilder<unknown>,
  trx: QueryExecutorProvider,
): Promise<void> {
  if (rows.length === 0) return;
  const others = Object.keys(table.columns).filter((name) => !table.key.some((part) => part === name));
  const changes = sql.join(others.map((name) => sql`${sql.ref(name)} = ${changed(name)}`));
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  await insertOf(table, rows, sql`on conflict (${key}) do update set ${changes}`).execute(trx);
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
export function columnNames({ columns }: { readonly columns: object }): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)));
}

/** The type of each column in Postgres. */
export function typesOf<Row extends object>({ columns }: ProjectedTable<Row>): Record<keyof Row & string, string> {
  const types = Object.entries<Column<unknown>>(columns).map(([name, { type }]) => [name, type]);
  return Object.fromEntries(types) as Record<keyof Row & string, string>;
}
