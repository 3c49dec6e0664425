import { type RawBuilder, sql, type Transaction } from 'kysely';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { type EarningRow, type RevenueTables } from '../tables.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Block = { creator_id: string; starts_at: Date };

const BLOCK_COLUMNS = { creator_id: 'text', starts_at: 'timestamptz' } as const satisfies Record<keyof Block, string>;

/**
 * Computes the hours and days of `creator_payable` again that new rows of `creator_earning` belong to. A correction can
 * lower any hour up to now, so the highest sum in an hour does not follow from the new rows alone.
 */
export async function savePayable(rows: readonly EarningRow[], trx: Transaction<RevenueTables>): Promise<void> {
  await sql`
    insert into creator_payable (creator_id, unit, starts_at, cents, peak)
    select b.creator_id, 'hour', b.starts_at, sums.cents, sums.peak
    from (${rowsAs(blocksOf(rows, HOUR_MS), BLOCK_COLUMNS)}) as b (creator_id, starts_at)
    cross join lateral (
      select sum(cents) as cents, max(running) as peak
      from (
        select sum(creator_cents) as cents, sum(sum(creator_cents)) over (order by payable_at) as running
        from creator_earning e
        where e.creator_id = b.creator_id and payable_at >= b.starts_at and payable_at < b.starts_at + interval '1 hour'
        group by payable_at
      ) as instants
    ) as sums ${REPLACE}`.execute(trx);
  await sql`
    insert into creator_payable (creator_id, unit, starts_at, cents, peak)
    select b.creator_id, 'day', b.starts_at, sums.cents, sums.peak
    from (${rowsAs(blocksOf(rows, DAY_MS), BLOCK_COLUMNS)}) as b (creator_id, starts_at)
    cross join lateral (
      select sum(cents) as cents, max(highest) as peak
      from (
        select cents, sum(cents) over (order by starts_at) - cents + peak as highest
        from creator_payable p
        where p.creator_id = b.creator_id and unit = 'hour' and p.starts_at >= b.starts_at
          and p.starts_at < b.starts_at + interval '24 hours'
      ) as hours
    ) as sums ${REPLACE}`.execute(trx);
}

const REPLACE = sql`on conflict (creator_id, unit, starts_at) do update set cents = excluded.cents, peak = excluded.peak`;

function blocksOf(rows: readonly EarningRow[], ms: number): Block[] {
  const blocks = new Map<string, Block>();
  for (const { creator_id, payable_at } of rows) {
    const starts_at = new Date(Math.floor(payable_at.getTime() / ms) * ms);
    blocks.set(JSON.stringify([creator_id, starts_at]), { creator_id, starts_at });
  }
  return [...blocks.values()];
}

/**
 * A select of one row with the balance of a creator: `cents` that are payable now, and `peak`, the highest that they
 * ever were (at least 0). Reads the days before today, the hours of today before this one, and the rows of this hour.
 */
export function payableBalance(creatorId: string, now: Date): RawBuilder<unknown> {
  const [hour, day] = [HOUR_MS, DAY_MS].map((ms) => new Date(Math.floor(now.getTime() / ms) * ms));
  return sql`
    select coalesce(sum(cents), 0)::bigint as cents, greatest(max(highest), 0)::bigint as peak
    from (
      select cents, sum(cents) over (order by starts_at) - cents + peak as highest
      from (
        select starts_at, cents, peak from creator_payable
        where creator_id = ${creatorId} and unit = 'day' and starts_at < ${day}
        union all
        select starts_at, cents, peak from creator_payable
        where creator_id = ${creatorId} and unit = 'hour' and starts_at >= ${day} and starts_at < ${hour}
        union all
        select payable_at, sum(creator_cents), sum(creator_cents) from creator_earning
        where creator_id = ${creatorId} and payable_at >= ${hour} and payable_at <= ${now} group by payable_at
      ) as blocks
    ) as sums`;
}

/** A select of the cents of a creator that are payable before an instant, which must be the start of a UTC day. */
export function payableBefore(creatorId: string, day: Date): RawBuilder<unknown> {
  return sql`
    select coalesce(sum(cents), 0)::bigint as cents from creator_payable
    where creator_id = ${creatorId} and unit = 'day' and starts_at < ${day}`;
}
