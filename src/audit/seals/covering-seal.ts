import { type Pool } from 'pg';

/** A seal that covers an event. */
export interface CoveringSeal {
  readonly number: number;
  /** Everything stored before this instant is covered. */
  readonly startedAt: Date;
}

/** Seals that are looked at: one that ended after the event may have begun before it. */
const CANDIDATES = 3;

/**
 * For each instant, the first seal that covers what was stored then: it began later. Null where no seal does yet.
 * One query. @param storedAt instants at which events were stored
 */
export async function coveringSeals(pool: Pool, storedAt: readonly Date[]): Promise<(CoveringSeal | null)[]> {
  if (storedAt.length === 0) return [];
  const { rows } = await pool.query<{ number: number | null; startedAt: Date | null }>(
    `select seal.number, seal.started_at as "startedAt"
     from unnest($1::timestamptz[]) with ordinality as event (stored_at, place)
     left join lateral (
       select number, started_at from (
         select number, (line::jsonb #>> '{manifest,startedAt}')::timestamptz as started_at
         from ledger_seal where sealed_at > event.stored_at order by sealed_at, number limit $2
       ) as candidate
       where started_at > event.stored_at order by number limit 1
     ) as seal on true
     order by event.place`,
    [storedAt, CANDIDATES],
  );
  return rows.map(({ number, startedAt }) => (number === null || startedAt === null ? null : { number, startedAt }));
}
