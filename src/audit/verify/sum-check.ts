import { type Pool } from 'pg';
import { accountProjection } from '../../credits/index.js';
import { CREDITS_HELD } from '../../credits/tables.js';
import { booksProjection, payoutsProjection, processorProjection } from '../../finance/index.js';
import {
  BOOK_CREATOR_SUM,
  BOOK_DEFERRED_MONTH,
  BOOK_SUM,
  PAYOUT_SUM,
  PROCESSOR_KIND_SUM,
  PROCESSOR_SUM,
} from '../../finance/tables.js';
import { ACTIVITY_PROJECTION, REVENUE_PROJECTION } from '../../revenue/index.js';
import {
  CREATOR_ACTIVITY_MONTH,
  CREATOR_ACTIVITY_TOTAL,
  CREATOR_REVENUE_MONTH,
  CREATOR_REVENUE_TOTAL,
  PLATFORM_ACTIVITY_MONTH,
  PLATFORM_REVENUE_MONTH,
} from '../../revenue/tables.js';
import { REPORTED_PER_CHECK } from './problem-reports.js';
import { compareRow } from './projection-check.js';

type SumRow = Readonly<Record<string, number | string | null>>;

/** A table of sums that a projection maintains. */
interface SumTable {
  /** Its key names a row, and its other columns are amounts. */
  readonly table: { readonly name: string; readonly key: readonly string[]; readonly columns: object };
  /** The amounts in the order of a sentence, with the words for them; by default those of the table, by their names. */
  readonly amounts?: Readonly<Record<string, string>>;
  /** SQL of the key: names a row. */
  readonly about: string;
  /** SQL: the keys and amounts that the rows of the projection give. */
  readonly expected: string;
  /** SQL: the stored rows to compare; all by default. */
  readonly where?: string;
  /** Adds to the name of a row that is missing, or that there should not be. */
  readonly detail?: (row: SumRow) => string;
}

/** Tables of sums that are compared by one statement, all as of one moment. */
interface SumTables {
  readonly projection: string;
  /** SQL: common table expressions. */
  readonly shared?: string;
  /** The subject and the verb of a sentence about the rows: 'the journal gives'. Missing: see {@link sentencesOf}. */
  readonly source?: string;
  readonly tables: readonly SumTable[];
}

/** A sum that differs. Null: no row. */
interface SumDifference {
  readonly about: string;
  readonly found: SumRow | null;
  readonly expected: SumRow | null;
}

/** A sum that differs, with its tables. */
interface FoundDifference extends SumDifference {
  readonly projection: string;
  readonly sums: SumTable;
  readonly source: string | undefined;
}

/**
 * Compares every sum of the projections with the rows that it sums up. The rows are compared with the events. A
 * statement compares its tables as of one moment, so concurrent writes make no difference, and memory does not depend
 * on the number of rows.
 */
export async function findSumDifferences(pool: Pool): Promise<FoundDifference[]> {
  const found: FoundDifference[] = [];
  for (const { projection, shared, source, tables } of SUMS) {
    const text = `${shared === undefined ? '' : `with ${shared}`} ${tables.map(comparisonOf).join(' union all ')}`;
    const { rows } = await pool.query<SumDifference & { readonly index: number }>(text, [REPORTED_PER_CHECK]);
    for (const { index, ...row } of rows) {
      const sums = tables[index];
      if (sums) found.push({ ...row, projection, sums, source });
    }
  }
  return found;
}

/**
 * The sentences about a sum that differs.
 * @param areRowsRight whether the rows are those of the events: then so is their sum
 */
export function sentencesOf(
  { sums, about, found, expected, source }: FoundDifference,
  areRowsRight: boolean,
): string[] {
  const { detail = () => '' } = sums;
  const table = sums.table.name;
  const amounts = amountsOf(sums);
  if (source !== undefined || !areRowsRight) {
    const text = (row: SumRow | null): string =>
      row === null
        ? 'no row'
        : Object.entries(amounts)
            .map(([column, word]) => `${row[column]} ${word}`)
            .join(' and ');
    return [`${table} has ${text(found)} for ${about}, but ${source ?? 'its rows give'} ${text(expected)}.`];
  }
  if (!found) return [`${table} lacks a row: ${about}${expected ? detail(expected) : ''}.`];
  if (!expected) return [`${table} has a row that no event makes: ${about}${detail(found)}.`];
  const sentences: string[] = [];
  compareRow(table, found, expected, (sentence) => sentences.push(`${sentence}: ${about}.`));
  return sentences;
}

function amountsOf({ table, amounts }: SumTable): Readonly<Record<string, string>> {
  return amounts ?? asNamed(...amountColumns(table));
}

function amountColumns({ key, columns }: SumTable['table']): string[] {
  return Object.keys(columns).filter((column) => !key.includes(column));
}

function comparisonOf(sums: SumTable, index: number): string {
  const { about, expected, where = 'true', table } = sums;
  const keys = table.key.join(', ');
  const amounts = Object.keys(amountsOf(sums));
  const columns = `${keys}, ${amounts.join(', ')}`;
  const values = (row: string): string => amounts.map((column) => `${row}.${column}`).join(', ');
  return `(
    select ${index} as index, ${about} as about, to_json(found) as found, to_json(expected) as expected
    from (select ${columns} from (${expected}) as summed) as expected
    full join (select ${columns} from ${table.name} where ${where}) as found using (${keys})
    where (${values('found')}) is distinct from (${values('expected')})
    order by ${keys} limit $1)`;
}

/** Names a block of time. */
const BLOCK = `concat('the ', unit, ' of ', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'))`;
const OF_CREATOR = `concat('creator ', creator_id)`;
const IN_MONTH = `concat('creator ', creator_id, ' in ', month)`;

/** Columns whose words are their names. */
function asNamed<Name extends string>(...names: Name[]): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((name): [string, string] => [name, name])) as Record<Name, string>;
}

/** Sums of a column of numbers. @param condition limits the rows */
function sumOf(column: string, condition = 'true'): string {
  return `coalesce(sum(${column}) filter (where ${condition}), 0)::bigint`;
}

/** SQL: sums of lines by account and block. @param lines SQL with account, at and cents */
function blocksOf(lines: string, amounts: readonly string[]): string {
  return `
    select account, unit, date_trunc(unit, hour, 'UTC') as starts_at, ${amounts.map((each) => `sum(${each})::bigint as ${each}`).join(', ')}
    from (
      select account::int as account, date_trunc('hour', at, 'UTC') as hour, ${amounts.map((each) => `sum(${each}) as ${each}`).join(', ')}
      from (${lines}) as line group by 1, 2
    ) as hours cross join unnest(array['hour', 'day', 'month']) as unit group by 1, 2, 3`;
}

/** Sums by account and block of time. */
function blockSums(table: SumTable['table'], lines: string): SumTable {
  const expected = blocksOf(lines, amountColumns(table));
  return { table, about: `concat('account ', account, ' in ', ${BLOCK})`, expected };
}

/** Sums of the shared lines by the only key of a table. */
function totals(table: SumTable['table'], about: string): SumTable {
  const sums = amountColumns(table).map((each) => `${sumOf(each)} as ${each}`);
  return { table, about, expected: `select ${table.key.join()}, ${sums.join(', ')} from line group by 1` };
}

const SUMS: readonly SumTables[] = [
  {
    projection: accountProjection.name,
    tables: [
      {
        table: CREDITS_HELD,
        about: `concat(kind, case when isfinite(expires_at)
          then to_char(expires_at at time zone 'UTC', '" until "YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end)`,
        expected: `
          select kind, expires_at, sum(credits)::bigint as credits
          from credit_balance cross join lateral (values ('daily', coalesce(daily_expires_at, 'infinity'), daily),
            ('bonus', 'infinity', bonus), ('paid', 'infinity', paid)) as held (kind, expires_at, credits)
          group by 1, 2 having sum(credits) <> 0`,
      },
    ],
  },
  {
    projection: REVENUE_PROJECTION.name,
    shared: `line as materialized (
        select creator_id, month, ${sumOf('1', `kind = 'earning' and line = 0 and not own_generation`)} as paid_generations,
          ${sumOf('credits')} as paid_credits, ${sumOf('creator_cents')} as creator_cents,
          ${sumOf('platform_cents')} as platform_cents, ${sumOf('creator_cents', `kind = 'correction'`)} as correction_cents,
          ${sumOf('creator_cents', `kind = 'restoration'`)} as restoration_cents,
          ${sumOf('1', `kind <> 'earning' and not own_generation`)} as changes
        from creator_earning group by 1, 2)`,
    tables: [
      {
        table: CREATOR_REVENUE_MONTH,
        about: IN_MONTH,
        expected: 'select * from line',
        detail: ({ creator_cents: cents }) => `, ${cents} cents`,
      },
      totals(CREATOR_REVENUE_TOTAL, OF_CREATOR),
      totals(PLATFORM_REVENUE_MONTH, 'month'),
    ],
  },
  {
    projection: ACTIVITY_PROJECTION.name,
    shared: `image as (
        select creator_id, date_trunc('month', occurred_at, 'UTC') as starts_at, paid,
          version = min(version) over (partition by creator_id, user_id) as is_first
        from creator_activity_image
      ), line as materialized (
        select creator_id, to_char(starts_at at time zone 'UTC', 'YYYY-MM') as month,
          ${sumOf('1', 'paid')} as paid_generations, ${sumOf('1', 'not paid')} as free_generations,
          ${sumOf('1', 'is_first')} as new_fans
        from image group by creator_id, starts_at)`,
    tables: [
      {
        table: CREATOR_ACTIVITY_MONTH,
        about: IN_MONTH,
        expected: 'select * from line',
      },
      totals(CREATOR_ACTIVITY_TOTAL, OF_CREATOR),
      totals(PLATFORM_ACTIVITY_MONTH, 'month'),
    ],
  },
  {
    projection: booksProjection.name,
    source: 'the journal gives',
    tables: [
      blockSums(
        BOOK_SUM,
        `select account, occurred_at as at, cents, credits from book_entry
         union all select 2120, payable_at, cents, 0 from book_entry where account = 2100`,
      ),
      {
        table: BOOK_CREATOR_SUM,
        about: `concat('creator ', creator_id, ' on account ', account, ' in ', ${BLOCK})`,
        expected: `
          select creator_id, account, unit, date_trunc(unit, day, 'UTC') as starts_at, sum(cents)::bigint as cents
          from (
            select creator_id, account, date_trunc('day', at, 'UTC') as day, sum(cents) as cents from (
              select creator_id, 2100 as account, occurred_at as at, cents from book_entry where account = 2100
              union all select creator_id, 2120, payable_at, cents from book_entry where account = 2100
            ) as line group by 1, 2, 3
          ) as days cross join unnest(array['day', 'month']) as unit group by 1, 2, 3, 4`,
      },
      {
        table: BOOK_DEFERRED_MONTH,
        about: `concat('purchases of ', bought_month, ' in ', month)`,
        expected: `
          select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, bought_month,
            sum(cents)::bigint as cents, sum(credits)::bigint as credits
          from book_entry where account = 2000 group by 1, 2`,
      },
    ],
  },
  {
    projection: payoutsProjection.name,
    source: 'the journal gives',
    tables: [blockSums(PAYOUT_SUM, 'select account, occurred_at as at, cents from payout_entry')],
  },
  {
    projection: processorProjection.name,
    source: 'the journal gives',
    tables: [blockSums(PROCESSOR_SUM, 'select account, occurred_at as at, cents from processor_entry')],
  },
  {
    projection: processorProjection.name,
    source: 'the transactions give',
    tables: [
      {
        table: PROCESSOR_KIND_SUM,
        amounts: { gross_cents: 'cents', fee_cents: 'fees', ...asNamed('transactions', 'matched', 'matched_cents') },
        about: `concat('transactions of the kind ', kind, ' in ', ${BLOCK})`,
        expected: `
          select case when disowned_version is null then kind else 'otherShop' end as kind, unit,
            date_trunc(unit, created_at, 'UTC') as starts_at, count(*) as transactions,
            sum(gross_cents)::bigint as gross_cents, sum(fee_cents)::bigint as fee_cents, count(session_id) as matched,
            sum(matched_cents)::bigint as matched_cents
          from processor_transaction cross join unnest(array['day', 'month']) as unit group by 1, 2, 3`,
        // All of its transactions may be of another shop.
        where: '(transactions, gross_cents, fee_cents, matched, matched_cents) is distinct from (0, 0, 0, 0, 0)',
      },
    ],
  },
];
