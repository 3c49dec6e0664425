import { type RawBuilder, sql, type Transaction } from 'kysely';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { addMonths, monthOf, startOfMonth } from '../months.js';
import { type EarningRow, type PayableTable, type RevenueTables } from '../tables.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Unit = PayableTable['unit'];

/** An hour, day or month of a creator. */
type Block = { creator_id: string; starts_at: Date; ends_at: Date };

const BLOCK_COLUMNS = {
  creator_id: 'text',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
} as const satisfies Record<keyof Block, string>;

/**
 * Computes the hours, days and months of `creator_payable` again that new rows of `creator_earning` belong to. A
 * correction can lower any hour up to now, so the highest sum in an hour does not follow from the new rows alone.
 */
export async function savePayable(rows: readonly EarningRow[], trx: Transaction<RevenueTables>): Promise<void> {
  await sql`
    insert into creator_payable (creator_id, unit, starts_at, cents, peak)
    select b.creator_id, 'hour', b.starts_at, sums.cents, sums.peak
    from (${rowsAs(blocksOf(rows, 'hour'), BLOCK_COLUMNS)}) as b (creator_id, starts_at, ends_at)
    cross join lateral (
      select sum(cents) as cents, max(running) as peak
      from (
        select sum(creator_cents) as cents, sum(sum(creator_cents)) over (order by payable_at) as running
        from creator_earning e
        where e.creator_id = b.creator_id and payable_at >= b.starts_at and payable_at < b.ends_at group by payable_at
      ) as instants
    ) as sums ${REPLACE}`.execute(trx);
  await saveFromParts(blocksOf(rows, 'day'), 'day', 'hour', trx);
  await saveFromParts(blocksOf(rows, 'month'), 'month', 'day', trx);
  await addToPlatform(rows, trx);
}

/** Adds new rows to the sums over all creators. Unlike the highest sums, these follow from the new rows alone. */
async function addToPlatform(rows: readonly EarningRow[], trx: Transaction<RevenueTables>): Promise<void> {
  const cents = rows.map(({ payable_at, creator_cents }) => ({ payable_at, creator_cents }));
  await sql`
    insert into platform_payable (unit, starts_at, cents)
    select unit, date_trunc(unit, payable_at, 'UTC'), sum(creator_cents)
    from (${rowsAs(cents, { payable_at: 'timestamptz', creator_cents: 'bigint' })}) as made (payable_at, creator_cents)
    cross join unnest(array['hour', 'day', 'month']) as unit group by 1, 2
    on conflict (unit, starts_at) do update set cents = platform_payable.cents + excluded.cents`.execute(trx);
}

/** Computes days from their hours, or months from their days. */
async function saveFromParts(
  blocks: readonly Block[],
  unit: Unit,
  part: Unit,
  trx: Transaction<RevenueTables>,
): Promise<void> {
  await sql`
    insert into creator_payable (creator_id, unit, starts_at, cents, peak)
    select b.creator_id, ${unit}, b.starts_at, sums.cents, sums.peak
    from (${rowsAs(blocks, BLOCK_COLUMNS)}) as b (creator_id, starts_at, ends_at)
    cross join lateral (
      select sum(cents) as cents, max(highest) as peak
      from (
        select cents, sum(cents) over (order by starts_at) - cents + peak as highest
        from creator_payable p
        where p.creator_id = b.creator_id and unit = ${part} and p.starts_at >= b.starts_at and p.starts_at < b.ends_at
      ) as parts
    ) as sums ${REPLACE}`.execute(trx);
}

const REPLACE = sql`on conflict (creator_id, unit, starts_at) do update set cents = excluded.cents, peak = excluded.peak`;

function blocksOf(rows: readonly EarningRow[], unit: Unit): Block[] {
  const blocks = new Map<string, Block>();
  for (const { creator_id, payable_at } of rows) {
    const { starts_at, ends_at } = blockAt(payable_at, unit);
    blocks.set(JSON.stringify([creator_id, starts_at]), { creator_id, starts_at, ends_at });
  }
  return [...blocks.values()];
}

function blockAt(instant: Date, unit: Unit): Omit<Block, 'creator_id'> {
  if (unit === 'month') {
    const month = monthOf(instant);
    return { starts_at: startOfMonth(month), ends_at: startOfMonth(addMonths(month, 1)) };
  }
  const ms = unit === 'hour' ? HOUR_MS : DAY_MS;
  const start = Math.floor(instant.getTime() / ms) * ms;
  return { starts_at: new Date(start), ends_at: new Date(start + ms) };
}

/**
 * A select of one row with the balance of a creator: `cents` that are payable now, and `peak`, the highest that they
 * ever were (at least 0). Reads the months before this one, the days of this month before today, the hours of today
 * before this one, and the rows of this hour.
 */
export function payableBalance(creatorId: string, now: Date): RawBuilder<unknown> {
  const [month, day, hour] = (['month', 'day', 'hour'] as const).map((unit) => blockAt(now, unit).starts_at);
  const blocks = sql`select starts_at, cents, peak from creator_payable where creator_id = ${creatorId}`;
  return sql`
    select coalesce(sum(cents), 0)::bigint as cents, greatest(max(highest), 0)::bigint as peak
    from (
      select cents, sum(cents) over (order by starts_at) - cents + peak as highest
      from (
        ${blocks} and unit = 'month' and starts_at < ${month}
        union all
        ${blocks} and unit = 'day' and starts_at >= ${month} and starts_at < ${day}
        union all
        ${blocks} and unit = 'hour' and starts_at >= ${day} and starts_at < ${hour}
        union all
        select payable_at, sum(creator_cents), sum(creator_cents) from creator_earning
        where creator_id = ${creatorId} and payable_at >= ${hour} and payable_at <= ${now} group by payable_at
      ) as blocks
    ) as sums`;
}

/** A select of the cents of all creators that are payable now: from the sums, and the rows of this hour. */
export function payableOfAll(now: Date): RawBuilder<unknown> {
  const [month, day, hour] = (['month', 'day', 'hour'] as const).map((unit) => blockAt(now, unit).starts_at);
  return sql`
    select coalesce(sum(cents), 0)::bigint as cents
    from (
      select cents from platform_payable where unit = 'month' and starts_at < ${month}
      union all
      select cents from platform_payable where unit = 'day' and starts_at >= ${month} and starts_at < ${day}
      union all
      select cents from platform_payable where unit = 'hour' and starts_at >= ${day} and starts_at < ${hour}
      union all
      select creator_cents from creator_earning where payable_at >= ${hour} and payable_at <= ${now}
    ) as blocks`;
}

/** A select of the cents of a creator that are payable before a UTC month (YYYY-MM). */
export function payableBefore(creatorId: string, month: string): RawBuilder<unknown> {
  return sql`
    select coalesce(sum(cents), 0)::bigint as cents from creator_payable
    where creator_id = ${creatorId} and unit = 'month' and starts_at < ${startOfMonth(month)}`;
}
