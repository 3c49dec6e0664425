import type { Period } from './finance-text.js';

/** Entries of accounts in a period. */
export interface EntriesOf extends Period {
  /** Numbers of the chart of accounts. */
  readonly accounts: readonly number[];
  readonly creatorId?: string;
  /** YYYY-MM: of customer credits that were bought in this month. */
  readonly boughtMonth?: string;
}

/** The page with the entries behind a figure. */
export function entriesPath(entries: EntriesOf): string {
  return `/finance/entries?${entriesQuery(entries)}`;
}

/** The same entries as CSV. */
export function entriesFile(entries: EntriesOf): string {
  return `/exports/book-entries.csv?${entriesQuery(entries)}`;
}

function entriesQuery({ accounts, from, to, creatorId, boughtMonth }: EntriesOf): string {
  return new URLSearchParams({
    account: accounts.join(','),
    from,
    to,
    ...(creatorId === undefined ? {} : { creator_id: creatorId }),
    ...(boughtMonth === undefined ? {} : { bought_month: boughtMonth }),
  }).toString();
}

/** An event with its entries. */
export function eventPath(userId: string, version: number): string {
  return `/finance/events/${encodeURIComponent(userId)}/${version}`;
}

/** Deferred revenue at the end of a month, YYYY-MM. */
export function deferredPath(month: string): string {
  return `/finance/deferred?month=${month}`;
}

/** The liabilities to creators at an instant. */
export function creatorsPath(at: string): string {
  return `/finance/creators?${new URLSearchParams({ at }).toString()}`;
}
