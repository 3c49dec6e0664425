import { type QueryExecutorProvider, sql } from 'kysely';
import { userOfStream } from '../../credits/index.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type EarningRow } from '../tables.js';
import { isRevenueEvent } from '../account-revenue.js';

/**
 * The rows that revenue has posted for events of accounts, in order. The projection `creator_revenue` must have applied
 * the events.
 */
export async function postingsOf(
  events: readonly StoredEvent[],
  db: QueryExecutorProvider,
): Promise<(event: StoredEvent) => readonly EarningRow[]> {
  const rows = new Map<string, EarningRow[]>();
  const wanted = events
    .filter((event) => event.type !== 'CreditsPurchased' && isRevenueEvent(event))
    .map(({ stream, version }) => ({ user_id: userOfStream(stream), version }));
  if (wanted.length > 0) {
    const found = await sql<EarningRow>`
      select posted.* from (${rowsAs(wanted, { user_id: 'text', version: 'integer' })}) as wanted (user_id, version)
      cross join lateral (
        select * from creator_earning e where e.user_id = wanted.user_id and e.version = wanted.version
        offset 0 -- By the primary key: the planner must not scan the table for a page of events.
      ) as posted order by posted.user_id, posted.version, posted.line`.execute(db);
    for (const row of found.rows) {
      const key = `${row.version} ${row.user_id}`;
      const others = rows.get(key);
      if (others) others.push(row);
      else rows.set(key, [row]);
    }
  }
  return ({ stream, version }) => rows.get(`${version} ${userOfStream(stream)}`) ?? [];
}
