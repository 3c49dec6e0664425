import { type Pool } from 'pg';

/** A seal that covers an event. */
export interface CoveringSeal {
  readonly number: number;
  /** Everything stored before this instant is covered. */
  readonly startedAt: Date;
}

/** Seals that are looked at: one that ended after the event may have begun before it. */
const CANDIDATE_SEALS = 3;

/**
 * SQL of a subquery with `number` and `started_at` of the first seal that covers what was stored at an instant: it
 * began later. No row before it.
 */
export function coveringSeal(storedAt: string): string {
  return `select number, started_at from (
      select number, (line::jsonb #>> '{manifest,startedAt}')::timestamptz as started_at
      from ledger_seal where sealed_at > ${storedAt} order by sealed_at, number limit ${CANDIDATE_SEALS}
    ) as candidate
    where started_at > ${storedAt} order by number limit 1`;
}

const COVERING_SEALS = `
  select seal.number, seal.started_at as "startedAt"
  from unnest($1::timestamptz[]) with ordinality as event (stored_at, place)
  left join lateral (${coveringSeal('event.stored_at')}) as seal on true
  order by event.place`;

/**
 * For each instant, the first seal that covers what was stored then; null where no seal does yet. One statement.
 * @param storedAt instants at which events were stored
 */
export async function coveringSeals(pool: Pool, storedAt: readonly Date[]): Promise<(CoveringSeal | null)[]> {
  if (storedAt.length === 0) return [];
  const { rows } = await pool.query<{ number: number | null; startedAt: Date | null }>(COVERING_SEALS, [storedAt]);
  return rows.map(({ number, startedAt }) => (number === null || startedAt === null ? null : { number, startedAt }));
}
