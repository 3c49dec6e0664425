import { type Pool } from 'pg';
import { type Metrics } from './metrics.js';

/** Held locks by the part of their name before an id. A row without its advisory lock is left of a killed process. */
const HELD = `
  select split_part(name, ':', 1) as lease, owner,
    max(extract(epoch from clock_timestamp() - claimed_at))::float8 as seconds
  from lease join pg_locks on locktype = 'advisory' and objsubid = 1
    and classid = ((key >> 32) & 4294967295)::oid and objid = (key & 4294967295)::oid
    and database = (select oid from pg_database where datname = current_database())
  group by 1, 2`;

/** Publishes on `/metrics` which process holds which lock, and for how long. */
export function measureLeases(pool: Pool, metrics: Metrics): void {
  metrics.gauge({
    name: 'fanvas_lock_held_seconds',
    labels: ['lock', 'owner'],
    help: 'Time since a process holds a lock; without those that no process holds.',
    shared: true,
    collect: async (gauge) => {
      const { rows } = await pool.query<{ lease: string; owner: string; seconds: number }>(HELD);
      gauge.reset();
      for (const { lease, owner, seconds } of rows) gauge.set({ lock: lease, owner }, seconds);
    },
  });
}
