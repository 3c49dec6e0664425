import { type Pool } from 'pg';
import { REPORTED_PER_CHECK } from './problem-reports.js';

interface Difference {
  readonly about: string;
  readonly found: string;
  readonly due: string;
}

/**
 * Compares the sums of the books with the lines of the journal, and the sums by kind with the rows of transactions.
 * Lines and rows are compared with the events. A statement compares one table, all rows as of one moment.
 */
export async function bookSumDifferences(pool: Pool, onDifference: (sentence: string) => void): Promise<void> {
  for (const [table, text] of COMPARISONS) {
    const { rows } = await pool.query<Difference>(text, [REPORTED_PER_CHECK]);
    for (const { about, found, due } of rows) {
      onDifference(
        `${table} has ${found} for ${about}, but ${table === 'processor_kind_sum' ? 'the transactions give' : 'the journal gives'} ${due}.`,
      );
    }
  }
}

/** Columns of a difference. @param columns the amounts that are compared */
function differenceOf(about: string, columns: readonly string[]): string {
  const text = (from: string): string =>
    `case when ${from}.cents is null then 'no row'
       else concat_ws(' and ', ${columns.map((name) => `${from}.${name} || ' ${name}'`).join(', ')}) end`;
  return `${about} as about, ${text('found')} as found, ${text('due')} as due`;
}

/** Names a block of time. */
const BLOCK = `concat('the ', unit, ' of ', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'))`;

const COMPARISONS: readonly (readonly [string, string])[] = [
  [
    'book_sum',
    `with line as (
       select account::int, occurred_at as at, cents, credits from book_entry
       union all
       select 2120, payable_at, cents, 0 from book_entry where account = 2100
     ), hour as (
       select account, date_trunc('hour', at, 'UTC') as hour, sum(cents) as cents, sum(credits) as credits
       from line group by 1, 2
     ), due as (
       select account, unit, date_trunc(unit, hour, 'UTC') as starts_at,
         sum(cents)::bigint as cents, sum(credits)::bigint as credits
       from hour cross join unnest(array['hour', 'day', 'month']) as unit group by 1, 2, 3
     )
     select ${differenceOf(`concat('account ', account, ' in ', ${BLOCK})`, ['cents', 'credits'])}
     from due
     full join (select account::int, unit, starts_at, cents, credits from book_sum) as found using (account, unit, starts_at)
     where (found.cents, found.credits) is distinct from (due.cents, due.credits)
     order by account, unit, starts_at limit $1`,
  ],
  [
    'book_creator_sum',
    `with line as (
       select creator_id, 2100 as account, occurred_at as at, cents from book_entry where account = 2100
       union all
       select creator_id, 2120, payable_at, cents from book_entry where account = 2100
     ), day as (
       select creator_id, account, date_trunc('day', at, 'UTC') as day, sum(cents) as cents from line group by 1, 2, 3
     ), due as (
       select creator_id, account, unit, date_trunc(unit, day, 'UTC') as starts_at, sum(cents)::bigint as cents
       from day cross join unnest(array['day', 'month']) as unit group by 1, 2, 3, 4
     )
     select ${differenceOf(`concat('creator ', creator_id, ' on account ', account, ' in ', ${BLOCK})`, ['cents'])}
     from due
     full join (select creator_id, account::int, unit, starts_at, cents from book_creator_sum) as found
       using (creator_id, account, unit, starts_at)
     where found.cents is distinct from due.cents
     order by creator_id, account, unit, starts_at limit $1`,
  ],
  [
    'payout_sum',
    `with hour as (
       select account::int, date_trunc('hour', occurred_at, 'UTC') as hour, sum(cents) as cents
       from payout_entry group by 1, 2
     ), due as (
       select account, unit, date_trunc(unit, hour, 'UTC') as starts_at, sum(cents)::bigint as cents
       from hour cross join unnest(array['hour', 'day', 'month']) as unit group by 1, 2, 3
     )
     select ${differenceOf(`concat('account ', account, ' in ', ${BLOCK})`, ['cents'])}
     from due
     full join (select account::int, unit, starts_at, cents from payout_sum) as found using (account, unit, starts_at)
     where found.cents is distinct from due.cents
     order by account, unit, starts_at limit $1`,
  ],
  [
    'processor_sum',
    `with hour as (
       select account::int, date_trunc('hour', occurred_at, 'UTC') as hour, sum(cents) as cents
       from processor_entry group by 1, 2
     ), due as (
       select account, unit, date_trunc(unit, hour, 'UTC') as starts_at, sum(cents)::bigint as cents
       from hour cross join unnest(array['hour', 'day', 'month']) as unit group by 1, 2, 3
     )
     select ${differenceOf(`concat('account ', account, ' in ', ${BLOCK})`, ['cents'])}
     from due
     full join (select account::int, unit, starts_at, cents from processor_sum) as found using (account, unit, starts_at)
     where found.cents is distinct from due.cents
     order by account, unit, starts_at limit $1`,
  ],
  [
    'processor_kind_sum',
    `with due as (
       select case when disowned_version is null then kind else 'otherShop' end as kind, unit,
         date_trunc(unit, created_at, 'UTC') as starts_at, count(*) as transactions,
         sum(gross_cents)::bigint as cents, sum(fee_cents)::bigint as fees, count(session_id) as matched,
         sum(matched_cents)::bigint as matched_cents
       from processor_transaction cross join unnest(array['day', 'month']) as unit group by 1, 2, 3
     )
     select ${differenceOf(`concat('transactions of the kind ', kind, ' in ', ${BLOCK})`, [
       ...['cents', 'fees', 'transactions', 'matched', 'matched_cents'],
     ])}
     from due
     full join (
       select kind, unit, starts_at, transactions, gross_cents as cents, fee_cents as fees, matched, matched_cents
       from processor_kind_sum
       -- All of its transactions may be of another shop.
       where (transactions, gross_cents, fee_cents, matched, matched_cents) is distinct from (0, 0, 0, 0, 0)
     ) as found using (kind, unit, starts_at)
     where (found.transactions, found.cents, found.fees, found.matched, found.matched_cents)
       is distinct from (due.transactions, due.cents, due.fees, due.matched, due.matched_cents)
     order by kind, unit, starts_at limit $1`,
  ],
  [
    'book_deferred_month',
    `with due as (
       select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, bought_month,
         sum(cents)::bigint as cents, sum(credits)::bigint as credits
       from book_entry where account = 2000 group by 1, 2
     )
     select ${differenceOf(`concat('purchases of ', bought_month, ' in ', month)`, ['cents', 'credits'])}
     from due full join book_deferred_month as found using (month, bought_month)
     where (found.cents, found.credits) is distinct from (due.cents, due.credits)
     order by month, bought_month limit $1`,
  ],
];
