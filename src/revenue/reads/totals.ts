import { type RawBuilder, sql, type Transaction } from 'kysely';
import { columnNames, type ProjectedTable, selectOf } from '../../platform/database/projected-table.js';
import {
  CREATOR_ACTIVITY_MONTH,
  CREATOR_ACTIVITY_TOTAL,
  CREATOR_REVENUE_MONTH,
  CREATOR_REVENUE_TOTAL,
  PLATFORM_ACTIVITY_MONTH,
  PLATFORM_REVENUE_MONTH,
  type ActivityMonthTable,
  type RevenueMonthTable,
  type RevenueTables,
} from '../tables.js';

/** Adds months of creators to the sums by creator and by month. */
export function addToRevenueTotals(
  months: readonly RevenueMonthTable[],
  trx: Transaction<RevenueTables>,
): Promise<void> {
  return addToTotals(CREATOR_REVENUE_MONTH, months, [CREATOR_REVENUE_TOTAL, PLATFORM_REVENUE_MONTH], trx);
}

/** Adds months of creators to the sums by creator and by month. */
export function addToActivityTotals(
  months: readonly ActivityMonthTable[],
  trx: Transaction<RevenueTables>,
): Promise<void> {
  return addToTotals(CREATOR_ACTIVITY_MONTH, months, [CREATOR_ACTIVITY_TOTAL, PLATFORM_ACTIVITY_MONTH], trx);
}

/** A table of sums, by a column of the months. */
type Totals = Pick<ProjectedTable<object>, 'name' | 'columns'> & { readonly key: readonly string[] };

/** In one statement. */
async function addToTotals<Row extends object>(
  table: ProjectedTable<Row>,
  rows: readonly Row[],
  [ofCreators, ofMonths]: readonly [Totals, Totals],
  trx: Transaction<RevenueTables>,
): Promise<void> {
  await sql`
    with made (${columnNames(table)}) as materialized (${selectOf(table, rows)}),
    of_creators as (${added(ofCreators)})
    ${added(ofMonths)}`.execute(trx);
}

/** An insert that adds the figures of `made` to the row with the same key. */
function added({ name: table, key, columns }: Totals): RawBuilder<unknown> {
  const by = sql.join(key.map((name) => sql.ref(name)));
  const figures = Object.keys(columns).filter((name) => !key.includes(name));
  const sums = sql.join(figures.map((figure) => sql`sum(${sql.ref(figure)})`));
  const changes = figures.map(
    (figure) => sql`${sql.ref(figure)} = ${sql.ref(`${table}.${figure}`)} + ${sql.ref(`excluded.${figure}`)}`,
  );
  return sql`
    insert into ${sql.table(table)} (${by}, ${sql.join(figures.map((figure) => sql.ref(figure)))})
    select ${by}, ${sums} from made group by ${by}
    on conflict (${by}) do update set ${sql.join(changes)}`;
}
