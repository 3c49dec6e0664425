import { type Pool } from 'pg';
import { type ActKind } from '../../contract/acts.js';

/** The log of acts in problems, in place of a stream. */
export const ACT_LOG = 'acts';
/** Instances start to log acts within this time of each other, and their clocks may differ. Milliseconds. */
const ACTS_BEGIN_WITHIN_MS = 10 * 60_000;

/**
 * The time from which every change by a person has its act, epoch milliseconds.
 * @param first time of the first act of this kind in the log, epoch milliseconds
 */
export function actsDueFrom(first: number): number {
  return first + ACTS_BEGIN_WITHIN_MS;
}

/** {@link actsDueFrom} the first entry of the log; null when the log is empty, and then nothing is compared. */
export async function allActsDueFrom(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ at: number }>(
    'select at_ms::float8 as at from admin_act order by number limit 1',
  );
  return rows[0] ? actsDueFrom(rows[0].at) : null;
}

/** An entry of the log that announces or is an act, with what its ends say. */
export interface ActRow {
  readonly id: string;
  readonly number: number;
  readonly kind: ActKind;
  readonly actor_id: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly user_id: string | null;
  readonly at_ms: number;
  /** States of its ends. */
  readonly ends: readonly string[];
  /** Events that its ends name. */
  readonly events: readonly string[];
}

/** A select of {@link ActRow}. The caller adds conditions about `a`, and `group by a.id`. */
export const ACTS = `
  select a.id, a.number, a.kind, a.actor_id, a.subject_kind, a.subject_id, a.user_id, a.at_ms::float8 as at_ms,
    coalesce(array_agg(e.state) filter (where e.id is not null), '{}') as ends,
    coalesce((
      select array_agg(event ->> 'id') from admin_act e2
      cross join lateral jsonb_array_elements(e2.body::jsonb -> 'events') as event where e2.closes = a.id
    ), '{}') as events
  from admin_act a left join admin_act e on e.closes = a.id
  where a.closes is null`;
