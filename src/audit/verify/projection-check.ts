import { type Pool } from 'pg';
import type { EventStore, StoredEvent } from '../../platform/event-store/event-store.js';
import type { AccountAudit } from './account-audit.js';

/**
 * A projection of accounts that `verifyLedger` compares with their events, in the one pass that it makes over these. The rows of an
 * account are read before its events, together with the projection's position: what an app that goes on writing adds meanwhile is
 * then no difference. The account's own projection implements this here; contexts that keep others do it over theirs, and the
 * command line hands them in (`src/cli/ledger-verbs.ts`).
 */
export interface ProjectionCheck {
  readonly projection: { readonly name: string; readonly version: number };
  /** Rows compared so far. */
  readonly compared: number;
  /** Reads what must be known of these accounts before their events are read. Several groups may be under way at once. */
  begin(users: readonly string[]): Promise<GroupCheck>;
  /** Users with rows, a page at a time; the order is of no matter. Those with a row in `credit_balance` need not come. */
  users(): AsyncIterable<readonly string[]>;
  /** Compares what belongs to no single account. After all accounts. */
  end(onDifference: (what: string) => void): void;
}

/** The accounts of one `begin`. */
export interface GroupCheck {
  /** Goes on to an account, in the order in which `begin` was given them. */
  account(place: number, audit: AccountAudit, onDifference: OnDifference): AccountCheck;
}

/** One account under way. */
export interface AccountCheck {
  /** The next event; it was given to the account's audit before. */
  add(stored: StoredEvent): Promise<void>;
  /** No further events follow. */
  end(): Promise<void>;
}

/** @param version of the event that it shows at; null when it shows at none */
export type OnDifference = (version: number | null, what: string) => void;

/** Whether a projection that is at this position must tell of an event. */
export function hasPassed(eventStore: EventStore, position: string | null, stored: StoredEvent): boolean {
  return position !== null && eventStore.comparePositions(stored.position, position) <= 0;
}

/** All users of a table, a page at a time, in order. */
export async function* usersOfTable(pool: Pool, table: string): AsyncGenerator<string[]> {
  const limit = 500;
  let last = '';
  for (;;) {
    const { rows } = await pool.query<{ user_id: string }>(
      `select distinct user_id from ${table} where user_id > $1 order by user_id limit $2`,
      [last, limit],
    );
    if (rows.length > 0) yield rows.map(({ user_id: userId }) => userId);
    last = rows.at(-1)?.user_id ?? '';
    if (rows.length < limit) return;
  }
}

/** Says of each column in which a stored row is not what the events make it. */
export function compareRow<Row extends object>(
  table: string,
  found: Row,
  due: Row,
  differs: (what: string) => void,
): void {
  for (const column of Object.keys(due) as (keyof Row & string)[]) {
    if (isSame(found[column], due[column]) || text(found[column]) === text(due[column])) continue;
    differs(`${table} says ${column} ${text(found[column])}, and the events ${text(due[column])}`);
  }
}

/** Quickly, for what is nearly always the same. */
function isSame(found: unknown, due: unknown): boolean {
  return found === due || (found instanceof Date && due instanceof Date && found.getTime() === due.getTime());
}

function text(value: unknown): string {
  return value instanceof Date ? value.toISOString() : JSON.stringify(value ?? null);
}
