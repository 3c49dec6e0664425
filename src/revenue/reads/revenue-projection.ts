import { sql, type Transaction } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, readCreditEvent, readPolicy, userOfStream } from '../../credits/index.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { addToRows, insertRows, replaceRows, summedRows } from '../../platform/database/projected-table.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { AccountRevenue, isRevenueEvent, type RevenueRules } from '../account-revenue.js';
import {
  CREATOR_EARNING,
  CREATOR_REVENUE_MONTH,
  CREATOR_REVENUE_TOTAL,
  PLATFORM_REVENUE_MONTH,
  REVENUE_PURCHASE,
  type EarningRow,
  type RevenueMonthTable,
  type RevenuePurchaseTable,
  type RevenueTables,
} from '../tables.js';

/** Identifies a purchase. */
interface LotKey {
  readonly user_id: string;
  readonly lot_id: string;
}

/** Identity of the projection of the events of accounts to the rows of `AccountRevenue` and their sums by month. */
export const REVENUE_PROJECTION = {
  name: 'creator_revenue',
  version: 5,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: [
    ...['creator_earning', 'creator_revenue_month', 'revenue_purchase'],
    ...['creator_revenue_total', 'platform_revenue_month'],
  ],
  // A migration fills the totals. Only an older instance that still runs leaves rows out of them.
  keepsUp: [4],
} as const satisfies Omit<Projection<RevenueTables>, 'apply'>;

/** The projection under the rules of the policy. @param rules is called for each page */
export function revenueProjection(rules: () => Promise<RevenueRules>): Projection<RevenueTables> {
  return {
    ...REVENUE_PROJECTION,
    async apply(events, trx) {
      const relevant = events.filter(isRevenueEvent);
      if (relevant.length > 0) await applyRelevant(relevant, await rules(), trx);
    },
  };
}

/** Reads the rules from the policy. Once adopted they never change, and are not read again. */
export function policyRules(eventStore: Pick<EventStore, 'readStream'>): () => Promise<RevenueRules> {
  let adopted: RevenueRules | null = null;
  return async () => {
    if (adopted) return adopted;
    const { revenueRule } = await readPolicy(eventStore);
    if (revenueRule.cumulativeFrom !== null) adopted = revenueRule;
    return revenueRule;
  };
}

async function applyRelevant(
  events: readonly StoredEvent[],
  rules: RevenueRules,
  trx: Transaction<RevenueTables>,
): Promise<void> {
  const accounts = await accountsBefore(events, rules, trx);
  const rows: EarningRow[] = [];
  for (const event of events) {
    for (const row of accounts.get(userOfStream(event.stream))?.add(event) ?? []) rows.push(row);
  }
  const purchases = [...accounts.values()].flatMap((account) => [...account.purchases()]);
  await insertRows(CREATOR_EARNING, rows, trx);
  const months = monthsOf(rows);
  await addToRows(CREATOR_REVENUE_MONTH, months, trx);
  await addToRows(CREATOR_REVENUE_TOTAL, months, trx);
  await addToRows(PLATFORM_REVENUE_MONTH, months, trx);
  await replaceRows(REVENUE_PURCHASE, purchases, trx);
}

/** The purchases in a page of events. */
interface PageLots {
  readonly all: ReadonlyMap<string, LotKey>;
  /** Users whose debt changes. */
  readonly owing: ReadonlySet<string>;
}

function lotsIn(events: readonly StoredEvent[]): PageLots {
  const all = new Map<string, LotKey>();
  const owing = new Set<string>();
  for (const stored of events) {
    const user_id = userOfStream(stored.stream);
    const addLot = (lot_id: string): void => {
      all.set(keyOf({ user_id, lot_id }), { user_id, lot_id });
    };
    const { type, data } = readCreditEvent(stored);
    if (type === 'CreditsPurchased') addLot(data.lotId);
    if (type === 'DeductionSettled') {
      for (const { kind, lotId } of data.allocations) if (kind === 'paid') addLot(lotId);
    }
    if (type === 'PurchaseReversed' && data.debt > 0) {
      addLot(data.lotId);
      owing.add(user_id);
    }
    if (type === 'DebtRepaid') {
      addLot(data.lotId);
      addLot(data.owedForLotId);
      owing.add(user_id);
    }
  }
  return { all, owing };
}

/**
 * The accounts of a page with its purchases. New rows of an account with debt, now or by this page, depend on all of
 * its purchases and their rows.
 */
async function accountsBefore(
  events: readonly StoredEvent[],
  rules: RevenueRules,
  trx: Transaction<RevenueTables>,
): Promise<Map<string, AccountRevenue>> {
  const users = new Set(events.map(({ stream }) => userOfStream(stream)));
  const accounts = new Map([...users].map((userId) => [userId, new AccountRevenue(userId, rules)]));
  const { all, owing } = lotsIn(events);
  const indebted = await usersInDebt([...users], trx);
  for (const userId of owing) indebted.add(userId);
  const others = [...all.values()].filter(({ user_id: userId }) => !indebted.has(userId));
  const owed = await purchasesOfUsers([...indebted], trx);
  const histories = await earningsOf(owed, trx);
  for (const purchase of [...owed, ...(await purchasesOf(others, trx))]) {
    accounts.get(purchase.user_id)?.restore(purchase, histories.get(keyOf(purchase)) ?? []);
  }
  return accounts;
}

async function usersInDebt(users: readonly string[], trx: Transaction<RevenueTables>): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from revenue_purchase where user_id = any(${users}::text[]) and debt > 0`.execute(trx);
  return new Set(rows.map(({ user_id: userId }) => userId));
}

async function purchasesOfUsers(
  users: readonly string[],
  trx: Transaction<RevenueTables>,
): Promise<readonly RevenuePurchaseTable[]> {
  if (users.length === 0) return [];
  return trx.selectFrom('revenue_purchase').selectAll().where('user_id', 'in', users).execute();
}

async function purchasesOf(
  lots: readonly LotKey[],
  trx: Transaction<RevenueTables>,
): Promise<readonly RevenuePurchaseTable[]> {
  if (lots.length === 0) return [];
  const { rows } = await sql<RevenuePurchaseTable>`
    select p.* from revenue_purchase p join (${rowsAs(lots, LOT_COLUMNS)}) as k (user_id, lot_id)
      on p.user_id = k.user_id and p.lot_id = k.lot_id`.execute(trx);
  return rows;
}

/** All rows of some purchases, in order. */
async function earningsOf(
  lots: readonly LotKey[],
  trx: Transaction<RevenueTables>,
): Promise<ReadonlyMap<string, readonly EarningRow[]>> {
  const histories = new Map(lots.map((lot) => [keyOf(lot), [] as EarningRow[]]));
  if (histories.size === 0) return histories;
  const keys = lots.map(({ user_id, lot_id }) => ({ user_id, lot_id }));
  const { rows } = await sql<EarningRow>`
    select e.* from creator_earning e join (${rowsAs(keys, LOT_COLUMNS)}) as k (user_id, lot_id)
      on e.user_id = k.user_id and e.lot_id = k.lot_id
    order by e.user_id, e.version, e.line`.execute(trx);
  for (const row of rows) histories.get(keyOf(row))?.push(row);
  return histories;
}

function keyOf({ user_id, lot_id }: LotKey): string {
  return JSON.stringify([user_id, lot_id]);
}

const LOT_COLUMNS = { user_id: 'text', lot_id: 'text' } as const satisfies Record<keyof LotKey, string>;

/** Sums of rows by creator and month. */
export function monthsOf(rows: Iterable<EarningRow>): RevenueMonthTable[] {
  const months = Array.from(rows, ({ kind, line, own_generation: isOwn, ...row }) => ({
    creator_id: row.creator_id,
    month: row.month,
    // An image paid from several purchases counts once: all its earnings come from one event.
    paid_generations: Number(kind === 'earning' && line === 0 && !isOwn),
    paid_credits: row.credits,
    creator_cents: row.creator_cents,
    platform_cents: row.platform_cents,
    correction_cents: kind === 'correction' ? row.creator_cents : 0,
    restoration_cents: kind === 'restoration' ? row.creator_cents : 0,
    changes: Number(kind !== 'earning' && !isOwn),
  }));
  return summedRows(CREATOR_REVENUE_MONTH, months);
}
