import { type PageAfter } from '../../platform/messages.js';
import { accountStream, type BalanceRow } from '../../credits/index.js';
import { type KindTotals } from '../verify/account-lots.js';
import { type LedgerStores, textIn } from '../verify/read-account.js';

/** An account in the list. */
export interface ListedAccount {
  readonly userId: string;
  /** Version of the last event of the stream; null when the stream has no events. */
  readonly version: number | null;
  /** Hash of that event. */
  readonly head: string | null;
  /** When that event occurred, as it states; null when it states no time. */
  readonly lastEventAt: string | null;
  /** Credits that can be spent, by the projection. */
  readonly balance: KindTotals;
  /** Debt in credits. */
  readonly owed: number;
  /** Version up to which the projection made the balance. */
  readonly balanceVersion: number;
}

/**
 * A page of the accounts that the projections know, by user id. Version, head and time are those of the stream. Costs
 * two statements and one index look-up for each account. `verify` proves that the projections know every account.
 * @param after the last user id of the page before
 */
export async function listAccounts(
  { pool, eventStore }: LedgerStores,
  { after, limit, now }: PageAfter<string> & { readonly now: Date },
): Promise<ListedAccount[]> {
  const { rows } = await pool.query<BalanceRow>(
    'select * from credit_balance where user_id > $1 order by user_id limit $2',
    [after ?? '', limit],
  );
  const streams = rows.map((row) => accountStream(row.user_id));
  const last = new Map((await eventStore.lastEvents(streams)).map((event) => [event.stream, event]));
  return rows.map((row) => {
    const event = last.get(accountStream(row.user_id));
    const lapsed = row.daily_expires_at !== null && row.daily_expires_at <= now;
    const daily = lapsed ? 0 : row.daily;
    const { bonus, paid } = row;
    return {
      userId: row.user_id,
      version: event?.version ?? null,
      head: textIn(event?.metadata.hash),
      lastEventAt: textIn(event?.metadata.occurredAt),
      balance: { daily, bonus, paid, total: daily + bonus + paid },
      owed: row.debt,
      balanceVersion: row.version,
    };
  });
}
