import { type Pool } from 'pg';
import { type ProblemKind } from '../../contract/audit.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { type AccountAudit } from './account-audit.js';
import { timeOf } from './read-account.js';
import { type RevenueAudit } from './revenue-audit.js';

/**
 * Projections apply an event within seconds. An event that occurred this long ago and is not projected is a problem.
 * Milliseconds.
 */
export const PROJECTED_WITHIN_MS = 10 * 60 * 1000;

/** The result of the comparison of rows so far. */
export interface RowsFound {
  /** Rows compared. */
  compared: number;
  /** Whether a row that sums contain differed from the events. */
  differs: boolean;
  /** False once the events of an account could not be read. */
  isComplete: boolean;
}

/**
 * Compares one projection with the events of the accounts, in the single pass of `verifyLedger`. The rows of an account
 * are read before its events, together with the projection's position, so that concurrent writes cause no difference.
 */
export interface ProjectionCheck extends RowsFound {
  readonly projection: { readonly name: string; readonly version: number };
  /** The kind of its problems; `projection` by default. */
  readonly kind?: ProblemKind;
  /** Reads the rows of these accounts. Must be called before their events are read. Groups may overlap in time. */
  begin(users: readonly string[]): Promise<GroupCheck>;
  /** Users with rows, a page at a time, in any order. Users with a row in `credit_balance` may be left out. */
  users(): AsyncIterable<readonly string[]>;
  /** Why its sums cannot be compared, as a sentence; null when they can. Missing: they always can. */
  readonly unsummable?: string | null;
}

/** The audit's own folds of one account. */
export interface AccountFolds {
  readonly audit: AccountAudit;
  readonly revenue: RevenueAudit;
}

/** The accounts of one `begin`. */
export interface GroupCheck {
  /** Starts an account. Accounts must come in the order of `begin`. @param index in the users of `begin` */
  account(index: number, folds: AccountFolds, onDifference: OnDifference): AccountCheck;
}

/** The check of one account. */
export interface AccountCheck {
  /**
   * Adds the next event. The account's audit must have it already. Returns a promise only when rows must be read first:
   * it runs for every event, and a promise for each costs more than the comparison.
   */
  add(stored: StoredEvent): Promise<void> | undefined;
  /** Called after the last event. */
  end(): Promise<void>;
}

/** @param version of the event at which the difference shows; null when it shows at none */
export type OnDifference = (version: number | null, sentence: string) => void;

/** True when a projection at this position must have processed the event. */
export function hasPassed(eventStore: EventStore, position: string | null, stored: StoredEvent): boolean {
  return position !== null && eventStore.comparePositions(stored.position, position) <= 0;
}

/**
 * Whether an event occurred so long ago that every projection must have processed it. Its position does not matter:
 * the hashes cover the time of an event, but not its position.
 * @param now when the rows of the projection were read, epoch milliseconds
 */
export function isOverdue(stored: StoredEvent, now: number): boolean {
  return timeOf(stored) <= now - PROJECTED_WITHIN_MS;
}

/** Users of a table that are read at once. */
export const USERS_PER_READ = 2000;

interface UserPage {
  readonly read: number;
  readonly last: string | null;
  readonly users: string[];
}

/**
 * The users of a table that `credit_balance` does not have, a page at a time.
 * @param condition SQL that limits the rows
 */
export async function* usersOfTable(pool: Pool, table: string, condition = 'true'): AsyncGenerator<string[]> {
  let last: string | null = '';
  for (let read = USERS_PER_READ; read === USERS_PER_READ;) {
    const { rows } = await pool.query<UserPage>(
      `with page as materialized (
         select distinct user_id from ${table} where user_id > $1 and ${condition} order by user_id limit $2)
       select count(*)::int as read, max(user_id) as last, coalesce(array_agg(user_id order by user_id) filter (
         where not exists (select from credit_balance b where b.user_id = page.user_id)), '{}') as users
       from page`,
      [last, USERS_PER_READ],
    );
    const page: UserPage = rows[0] ?? { read: 0, last: null, users: [] };
    if (page.users.length > 0) yield page.users;
    ({ read, last } = page);
  }
}

/** Reports each column in which a stored row differs from the row that the events make. */
export function compareRow<Row extends object>(
  table: string,
  found: Row,
  expected: Row,
  onDifference: (sentence: string) => void,
): void {
  for (const column of Object.keys(expected) as (keyof Row & string)[]) {
    if (isSame(found[column], expected[column]) || toText(found[column]) === toText(expected[column])) continue;
    onDifference(`${table} has ${column} ${toText(found[column])}, but the events give ${toText(expected[column])}`);
  }
}

/** The words for rows in sentences. */
export interface RowNames<Row> {
  /** Names a row, each one differently: 'purchase cs_1'. */
  readonly about: (row: Row) => string;
  /** The predicate about the name of a row that is missing, and of one that there should not be. */
  readonly missing?: (name: string) => string;
  readonly extra?: (name: string) => string;
}

/**
 * Compares rows of a table, such as the purchases of an account, with those that the events make.
 * @returns the number of rows that the events make
 */
export function compareRows<Row extends object>(
  table: string,
  {
    found,
    expected,
    about,
    missing = (name) => `lacks a row: ${name}`,
    extra = (name) => `has a row that no event makes: ${name}`,
  }: { readonly found: Iterable<Row>; readonly expected: Iterable<Row> } & RowNames<Row>,
  onDifference: (sentence: string) => void,
): number {
  const stored = new Map<string, Row>();
  for (const row of found) stored.set(about(row), row);
  let compared = 0;
  for (const row of expected) {
    const name = about(row);
    const other = stored.get(name);
    stored.delete(name);
    compared += 1;
    if (other) compareRow(table, other, row, (sentence) => onDifference(`${sentence}: ${name}.`));
    else onDifference(`${table} ${missing(name)}.`);
  }
  for (const name of stored.keys()) onDifference(`${table} ${extra(name)}.`);
  return compared;
}

/** Adds each figure to the one of the same name. */
export function addTo<Name extends string>(
  sum: NoInfer<Record<Name, number>>,
  figures: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(figures) as Name[]) sum[name] += figures[name];
}

/** Fast path: values are nearly always equal. */
function isSame(found: unknown, other: unknown): boolean {
  return found === other || (found instanceof Date && other instanceof Date && found.getTime() === other.getTime());
}

function toText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : JSON.stringify(value ?? null);
}
