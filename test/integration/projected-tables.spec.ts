import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as credits from '../../src/credits/tables.js';
import * as finance from '../../src/finance/tables.js';
import { accountProjection } from '../../src/credits/index.js';
import { booksProjection, payoutsProjection, processorProjection } from '../../src/finance/index.js';
import { type ProjectedTable } from '../../src/platform/database/projected-table.js';
import { ACTIVITY_PROJECTION, REVENUE_PROJECTION } from '../../src/revenue/index.js';
import * as revenue from '../../src/revenue/tables.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';

type Table = ProjectedTable<Record<string, unknown>>;

const DEFINED = [credits, finance, revenue].flatMap((tables) =>
  Object.values(tables).map((table) => table as unknown as Table),
);
const PROJECTIONS = [
  ...[accountProjection, REVENUE_PROJECTION, ACTIVITY_PROJECTION],
  ...[booksProjection, payoutsProjection, processorProjection],
];
/** Tables that workers and people fill. */
const WRITTEN_BY_WORKERS = [
  ...['earning_position', 'earning_head', 'month_close', 'log_reach'],
  ...['reconciliation_gap', 'reconciliation_session', 'reconciliation_run'],
];

let database: TestDatabase<unknown>;

beforeAll(async () => {
  database = await withTestDatabase();
});
afterAll(() => database.close());

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly in_key: boolean;
}

describe('the definition of a projected table', () => {
  it('exists for each table of a projection, and for those that workers of finance fill', () => {
    const named = PROJECTIONS.flatMap(({ tables }) => [...tables]);
    expect(DEFINED.map(({ name }) => name).sort()).toEqual([...named, ...WRITTEN_BY_WORKERS].sort());
  });

  it.each(DEFINED.map((table) => [table.name, table] as const))(
    'has the columns and the key that %s has in a migrated database',
    async (name, { columns, key }) => {
      const { rows } = await asOwner(database).query<StoredColumn>(
        `select c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as nullable,
           exists (
             select from information_schema.table_constraints t
             join information_schema.key_column_usage k using (constraint_schema, constraint_name, table_name)
             where t.table_schema = c.table_schema and t.table_name = c.table_name and t.constraint_type = 'PRIMARY KEY'
               and k.column_name = c.column_name
           ) as in_key
         from information_schema.columns c
         where c.table_schema = current_schema() and c.table_name = $1 and c.is_generated = 'NEVER' order by 1`,
        [name],
      );
      const defined = Object.entries(columns).map(([column, { type, isNullable }]) => ({
        name: column,
        type: type === 'timestamptz' ? 'timestamp with time zone' : type,
        nullable: isNullable,
        in_key: key.includes(column),
      }));
      expect(defined.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(rows);
    },
  );
});
