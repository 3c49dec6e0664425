import { type Pool } from 'pg';
import { type AccountEvent } from '../../contract/audit.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { coveringSeal } from '../seals/covering-seal.js';

interface ProofsRow {
  readonly leaf: number | null;
  readonly checkpoint_size: number | null;
  readonly seal: number | null;
  readonly seal_started_at: Date | null;
}

const PROOFS = `
  select leaf.index as leaf, checkpoint.size as checkpoint_size,
    seal.number as seal, seal.started_at as seal_started_at
  from (select) as one
  left join (select index from log_leaf where event_id = $1) as leaf on true
  left join (select size from log_checkpoint order by number desc limit 1) as checkpoint on true
  left join lateral (${coveringSeal('$2')}) as seal on true`;

/** The leaf of an event in the public log, and the first seal that covers the event. One statement. */
export async function proofsOf(
  { id, recordedAt }: Pick<StoredEvent, 'id' | 'recordedAt'>,
  pool: Pool,
): Promise<Pick<AccountEvent, 'leaf' | 'seal'>> {
  const { rows } = await pool.query<ProofsRow>(PROOFS, [id, recordedAt]);
  const { leaf = null, checkpoint_size: size = null, seal = null, seal_started_at: startedAt = null } = rows[0] ?? {};
  return {
    leaf: leaf === null || size === null ? null : { index: leaf, covered: leaf < size, checkpoint_size: size },
    seal: seal === null || startedAt === null ? null : { number: seal, started_at: startedAt.toISOString() },
  };
}
