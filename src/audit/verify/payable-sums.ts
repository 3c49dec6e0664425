import { type Pool } from 'pg';

/** Creators compared at once. */
const CREATORS = 20;
/** Differences that are named for each of these groups. */
const NAMED = 20;

/**
 * Compares `creator_payable` with the rows of `creator_earning`, which are compared with the events. A statement
 * compares a few creators, all rows as of one moment.
 */
export async function payableDifferences(pool: Pool, onDifference: (sentence: string) => void): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await pool.query<{ creator: string }>(
      `select distinct creator_id as creator
       from (select creator_id from creator_payable union all select creator_id from creator_revenue_month) as known
       where creator_id > $1 order by creator_id limit $2`,
      [last, CREATORS],
    );
    const creators = rows.map(({ creator }) => creator);
    last = creators.at(-1) ?? '';
    for (const sentence of await differencesOf(pool, creators)) onDifference(sentence);
    if (creators.length < CREATORS) return;
  }
}

async function differencesOf(pool: Pool, creators: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<Record<'creator' | 'unit' | 'start' | 'found' | 'due', string>>(
    `with instant as (
       select creator_id, payable_at, sum(creator_cents) as cents from creator_earning
       where creator_id = any($1::text[]) group by creator_id, payable_at
     ), running as (
       select creator_id, unit, starts_at, cents,
         sum(cents) over (partition by creator_id, unit, starts_at order by payable_at) as so_far
       from instant cross join unnest(array['hour', 'day', 'month']) as unit
       cross join lateral (select date_trunc(unit, payable_at, 'UTC') as starts_at) as block
     ), due as (
       select creator_id, unit, starts_at, sum(cents) as cents, max(so_far) as peak from running group by 1, 2, 3
     )
     select creator_id as creator, unit, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as start,
       case when p.cents is null then 'no row' else p.cents || ' cents and the highest sum ' || p.peak end as found,
       case when due.cents is null then 'no row' else due.cents || ' and ' || due.peak end as due
     from due
     full join (select * from creator_payable where creator_id = any($1::text[])) as p using (creator_id, unit, starts_at)
     where (p.cents, p.peak) is distinct from (due.cents::bigint, due.peak::bigint)
     order by creator_id, unit, starts_at limit ${NAMED}`,
    [creators],
  );
  return rows.map(
    ({ creator, unit, start, found, due }) =>
      `creator_payable has ${found} for the ${unit} of ${start}, but the earnings give ${due}: creator ${creator}.`,
  );
}
