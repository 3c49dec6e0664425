import { type RawBuilder, sql, type Transaction } from 'kysely';
import { columnNames, type ProjectedTable, selectOf } from '../../platform/database/projected-table.js';
import {
  CREATOR_ACTIVITY_MONTH,
  CREATOR_REVENUE_MONTH,
  type ActivityMonthTable,
  type RevenueMonthTable,
  type RevenueTables,
} from '../tables.js';

type RevenueFigure = Exclude<keyof RevenueMonthTable, 'creator_id' | 'month'>;
type ActivityFigure = Exclude<keyof ActivityMonthTable, 'creator_id' | 'month'>;

/** Adds months of creators to the sums by creator and by month. */
export async function addToRevenueTotals(
  months: readonly RevenueMonthTable[],
  trx: Transaction<RevenueTables>,
): Promise<void> {
  const ofCreator = ['creator_cents', 'correction_cents', 'restoration_cents'] as const satisfies RevenueFigure[];
  const ofMonth = ['paid_generations', 'platform_cents', ...ofCreator] as const satisfies RevenueFigure[];
  await sql`
    ${made(CREATOR_REVENUE_MONTH, months)},
    of_creators as (${added('creator_revenue_total', 'creator_id', ofCreator)})
    ${added('platform_revenue_month', 'month', ofMonth)}`.execute(trx);
}

/** Adds months of creators to the sums by creator and by month. */
export async function addToActivityTotals(
  months: readonly ActivityMonthTable[],
  trx: Transaction<RevenueTables>,
): Promise<void> {
  const figures = ['paid_generations', 'free_generations'] as const satisfies ActivityFigure[];
  await sql`
    ${made(CREATOR_ACTIVITY_MONTH, months)},
    of_creators as (${added('creator_activity_total', 'creator_id', figures)})
    ${added('platform_activity_month', 'month', figures)}`.execute(trx);
}

/** The rows as `made`. */
function made<Row extends object>(table: ProjectedTable<Row>, rows: readonly Row[]): RawBuilder<unknown> {
  return sql`with made (${columnNames(table)}) as materialized (${selectOf(table, rows)})`;
}

/** An insert that adds the figures of `made` to the row with the same key. */
function added(
  table: keyof RevenueTables,
  key: 'creator_id' | 'month',
  figures: readonly string[],
): RawBuilder<unknown> {
  const columns = sql.join(figures.map((figure) => sql.ref(figure)));
  const sums = sql.join(figures.map((figure) => sql`sum(${sql.ref(figure)})`));
  const changes = sql.join(
    figures.map(
      (figure) => sql`${sql.ref(figure)} = ${sql.ref(`${table}.${figure}`)} + ${sql.ref(`excluded.${figure}`)}`,
    ),
  );
  return sql`
    insert into ${sql.table(table)} (${sql.ref(key)}, ${columns})
    select ${sql.ref(key)}, ${sums} from made group by ${sql.ref(key)}
    on conflict (${sql.ref(key)}) do update set ${changes}`;
}
