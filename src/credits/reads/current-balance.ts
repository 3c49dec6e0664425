import type { Kysely } from 'kysely';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { accountError } from '../account/errors.js';
import { accountStream } from '../account/events.js';
import type { CreditTables } from '../tables.js';
import { accountProjection, balanceAfter, emptyBalance, type BalanceRow } from './account-projection.js';

/** How long a read of transactions waits for the projection, milliseconds. */
const READ_YOUR_WRITES_MS = 2000;

/** The projected row of an account, which may lag behind its stream. */
export async function projectedBalance(db: Kysely<CreditTables>, userId: string): Promise<BalanceRow | undefined> {
  return db.selectFrom('credit_balance').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/**
 * Applies the events that are not projected yet.
 * @returns the current row, and the position of the last of these events; null when the row was current
 * @throws AccountDeletedError when the stream was deleted
 */
export async function upToNow(
  eventStore: EventStore,
  row: BalanceRow,
): Promise<{ readonly row: BalanceRow; readonly behind: string | null }> {
  const newer = eventStore.readStream(accountStream(row.user_id), { fromVersion: row.version + 1 });
  const tail = await newer.catch((error: unknown) => {
    throw accountError(error);
  });
  return { row: tail.reduce(balanceAfter, row), behind: tail.at(-1)?.position ?? null };
}

/**
 * Waits until the projection includes every event that the account has now.
 * @returns false when that took too long: a read then misses the latest events
 */
export async function transactionsAreCurrent(
  userId: string,
  db: Kysely<CreditTables>,
  eventStore: EventStore,
  projections: ProjectionRunner,
): Promise<boolean> {
  const { behind } = await upToNow(eventStore, (await projectedBalance(db, userId)) ?? emptyBalance(userId));
  if (behind === null) return true;
  return projections.waitFor(behind, { name: accountProjection.name, timeoutMs: READ_YOUR_WRITES_MS });
}
