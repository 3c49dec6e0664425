import { type Column, type ProjectedTable } from '../../platform/database/projected-table.js';

/** The values of a row as the audit computes them: times are epoch milliseconds. */
type Audited<Value> = Value extends Date
  ? number
  : Value extends number
    ? number
    : Value extends string
      ? string
      : Value;

/** The columns of a table that the audit computes from the events. */
interface AuditedRows<Row> {
  /** SQL: a row as JSON. */
  readonly json: string;
  /** Never set: it carries the type. */
  readonly row?: Row;
}

/** A row as the audit computes it. */
export type AuditedRowIn<Rows> = Rows extends AuditedRows<infer Row> ? Row : never;

/** The rows of a table, as the audit compares them. @param without columns that no event states, or that name no row */
export function auditedRows<Row extends object, Left extends keyof Row & string>(
  { columns }: ProjectedTable<Row>,
  without: readonly Left[],
): AuditedRows<{ readonly [Name in Exclude<keyof Row, Left>]: Audited<Row[Name]> }> {
  const leftOut: readonly string[] = without;
  const values = Object.entries<Column<unknown>>(columns)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, { type }]) =>
      type === 'timestamptz' ? `'${name}', (extract(epoch from ${name}) * 1000)::float8` : `'${name}', ${name}`,
    );
  return { json: `json_build_object(${values.join(', ')})` };
}
