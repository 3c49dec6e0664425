import { sql, type Transaction } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, readCreditEvent, userOfStream } from '../../credits/index.js';
import { columnsOf, rowsAs } from '../../platform/database/bulk-rows.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { AccountRevenue, isRevenueEvent } from '../account-revenue.js';
import { type EarningRow, type RevenueDebtTable, type RevenueMonthTable, type RevenueTables } from '../tables.js';

/** Identifies a purchase. */
interface LotKey {
  readonly user_id: string;
  readonly lot_id: string;
}

/** Projects the events of accounts to the rows of `AccountRevenue` and their sums by month. */
export const revenueProjection: Projection<RevenueTables> = {
  name: 'creator_revenue',
  version: 1,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: ['creator_earning', 'creator_revenue_month', 'revenue_debt'],

  async apply(events: readonly StoredEvent[], trx: Transaction<RevenueTables>): Promise<void> {
    const relevant = events.filter(isRevenueEvent);
    if (relevant.length === 0) return;
    const lots = lotsIn(relevant);
    const accounts = await accountsBefore(lots, trx);
    const rows: EarningRow[] = [];
    for (const event of relevant) {
      const userId = userOfStream(event.stream);
      const account = accounts.get(userId) ?? new AccountRevenue(userId);
      accounts.set(userId, account);
      for (const row of account.add(event)) rows.push(row);
    }
    const debts = lots.changed.map((lot) => {
      const { debt, reversalId } = accounts.get(lot.user_id)?.debtOf(lot.lot_id) ?? { debt: 0, reversalId: null };
      return { ...lot, debt, reversal_id: reversalId };
    });
    if (rows.length > 0) await insertEarnings(rows, trx);
    if (rows.length > 0) await addToMonths(rows, trx);
    if (debts.length > 0) await saveDebts(debts, trx);
  },
};

/** The purchases in a page of events: those with settled credits, and those whose debt changes. */
function lotsIn(events: readonly StoredEvent[]): { settled: LotKey[]; changed: LotKey[] } {
  const settled = new Map<string, LotKey>();
  const changed = new Map<string, LotKey>();
  for (const stored of events) {
    const user_id = userOfStream(stored.stream);
    const addLot = (lots: Map<string, LotKey>, lot_id: string): unknown =>
      lots.set(keyOf({ user_id, lot_id }), { user_id, lot_id });
    const { type, data } = readCreditEvent(stored);
    if (type === 'DeductionSettled') {
      for (const { kind, lotId } of data.allocations) if (kind === 'paid') addLot(settled, lotId);
    }
    if (type === 'PurchaseReversed' && data.debt > 0) addLot(changed, data.lotId);
    if (type === 'DebtRepaid') addLot(changed, data.owedForLotId);
  }
  return { settled: [...settled.values()], changed: [...changed.values()] };
}

/**
 * The accounts of a page. Purchases with debt, now or by this page, are restored: their new rows depend on old rows.
 */
async function accountsBefore(
  { settled, changed }: { settled: readonly LotKey[]; changed: readonly LotKey[] },
  trx: Transaction<RevenueTables>,
): Promise<Map<string, AccountRevenue>> {
  const debts = await debtsOf([...settled, ...changed], trx);
  const owing = settled.filter((lot) => (debts.get(keyOf(lot))?.debt ?? 0) > 0);
  const histories = await earningsOf([...owing, ...changed], trx);
  const accounts = new Map<string, AccountRevenue>();
  for (const [key, { lot, rows }] of histories) {
    const account = accounts.get(lot.user_id) ?? new AccountRevenue(lot.user_id);
    accounts.set(lot.user_id, account);
    const { debt, reversal_id: reversalId } = debts.get(key) ?? { debt: 0, reversal_id: null };
    account.restore(lot.lot_id, { debt, reversalId }, rows);
  }
  return accounts;
}

async function debtsOf(
  lots: readonly LotKey[],
  trx: Transaction<RevenueTables>,
): Promise<Map<string, RevenueDebtTable>> {
  if (lots.length === 0) return new Map();
  const { rows } = await sql<RevenueDebtTable>`
    select d.* from revenue_debt d join (${rowsAs(lots, LOT_COLUMNS)}) as k (user_id, lot_id)
      on d.user_id = k.user_id and d.lot_id = k.lot_id`.execute(trx);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function earningsOf(
  lots: readonly LotKey[],
  trx: Transaction<RevenueTables>,
): Promise<Map<string, { lot: LotKey; rows: EarningRow[] }>> {
  const histories = new Map(lots.map((lot) => [keyOf(lot), { lot, rows: [] as EarningRow[] }]));
  if (histories.size === 0) return histories;
  const keys = [...histories.values()].map(({ lot }) => lot);
  const { rows } = await sql<EarningRow>`
    select e.* from creator_earning e join (${rowsAs(keys, LOT_COLUMNS)}) as k (user_id, lot_id)
      on e.user_id = k.user_id and e.lot_id = k.lot_id
    order by e.user_id, e.version, e.line`.execute(trx);
  for (const row of rows) histories.get(keyOf(row))?.rows.push(row);
  return histories;
}

function keyOf({ user_id, lot_id }: LotKey): string {
  return JSON.stringify([user_id, lot_id]);
}

const LOT_COLUMNS = { user_id: 'text', lot_id: 'text' } as const satisfies Record<keyof LotKey, string>;

const EARNING_COLUMNS = {
  user_id: 'text',
  version: 'integer',
  line: 'integer',
  kind: 'text',
  creator_id: 'text',
  deduction_id: 'text',
  lot_id: 'text',
  reversal_id: 'text',
  credits: 'bigint',
  unit_price_cents: 'bigint',
  creator_cents: 'bigint',
  platform_cents: 'bigint',
  occurred_at: 'timestamptz',
  month: 'text',
  payable_at: 'timestamptz',
} as const satisfies Record<keyof EarningRow, string>;

async function insertEarnings(rows: readonly EarningRow[], trx: Transaction<RevenueTables>): Promise<void> {
  await trx
    .insertInto('creator_earning')
    .columns(columnsOf(EARNING_COLUMNS))
    .expression(rowsAs(rows, EARNING_COLUMNS))
    .execute();
}

const MONTH_COLUMNS = {
  creator_id: 'text',
  month: 'text',
  paid_generations: 'bigint',
  paid_credits: 'bigint',
  creator_cents: 'bigint',
  platform_cents: 'bigint',
} as const satisfies Record<keyof RevenueMonthTable, string>;

async function addToMonths(rows: readonly EarningRow[], trx: Transaction<RevenueTables>): Promise<void> {
  await trx
    .insertInto('creator_revenue_month')
    .columns(columnsOf(MONTH_COLUMNS))
    .expression(rowsAs(monthsOf(rows), MONTH_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'month']).doUpdateSet((row) => ({
        paid_generations: row('creator_revenue_month.paid_generations', '+', row.ref('excluded.paid_generations')),
        paid_credits: row('creator_revenue_month.paid_credits', '+', row.ref('excluded.paid_credits')),
        creator_cents: row('creator_revenue_month.creator_cents', '+', row.ref('excluded.creator_cents')),
        platform_cents: row('creator_revenue_month.platform_cents', '+', row.ref('excluded.platform_cents')),
      })),
    )
    .execute();
}

/** Sums of rows by creator and month, sorted by both. */
export function monthsOf(rows: Iterable<EarningRow>): RevenueMonthTable[] {
  const sums = new MonthSums();
  for (const row of rows) sums.add(row);
  return sums.months();
}

/** Adds up rows by creator and month. */
export class MonthSums {
  private readonly sums = new Map<string, RevenueMonthTable>();

  add(row: EarningRow): void {
    const { creator_id, month } = row;
    const key = JSON.stringify([creator_id, month]);
    const sums = this.sums.get(key) ?? {
      creator_id,
      month,
      paid_generations: 0,
      paid_credits: 0,
      creator_cents: 0,
      platform_cents: 0,
    };
    this.sums.set(key, sums);
    // An image paid from several purchases counts once: all its earnings come from one event.
    if (row.kind === 'earning' && row.line === 0) sums.paid_generations += 1;
    sums.paid_credits += row.credits;
    sums.creator_cents += row.creator_cents;
    sums.platform_cents += row.platform_cents;
  }

  /** Sorted by creator and month. */
  months(): RevenueMonthTable[] {
    return [...this.sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums);
  }
}

const DEBT_COLUMNS = {
  user_id: 'text',
  lot_id: 'text',
  debt: 'bigint',
  reversal_id: 'text',
} as const satisfies Record<keyof RevenueDebtTable, string>;

async function saveDebts(rows: readonly RevenueDebtTable[], trx: Transaction<RevenueTables>): Promise<void> {
  await trx
    .insertInto('revenue_debt')
    .columns(columnsOf(DEBT_COLUMNS))
    .expression(rowsAs(rows, DEBT_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'lot_id']).doUpdateSet((row) => ({
        debt: row.ref('excluded.debt'),
        reversal_id: row.ref('excluded.reversal_id'),
      })),
    )
    .execute();
}
