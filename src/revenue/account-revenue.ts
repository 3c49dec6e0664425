import { readCreditEvent } from '../credits/index.js';
import { type EarningRow, type RevenueDebtTable } from './tables.js';

/** An earning can be paid out this long after it was earned. */
const PAYABLE_AFTER_MS = 30 * 86_400_000;

/** The parts of a stored event that the fold needs. */
export interface LedgerEvent {
  readonly version: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly occurredAt?: unknown };
}

/** Credits of one purchase that one generation used, and how many of them were taken back since. */
interface LotEarning {
  readonly deductionId: string;
  readonly creatorId: string;
  readonly earned: number;
  readonly unitPriceCents: number;
  readonly payableAt: number;
  /** Credits taken back, by reversal; null while nothing was taken back. */
  corrections: Map<string, number> | null;
}

/** Credits owed for one purchase. */
export interface LotDebt {
  readonly debt: number;
  /** The latest reversal that made debt. */
  readonly reversalId: string | null;
}

interface Lot {
  debt: number;
  reversalId: string | null;
  /** The oldest first. */
  readonly earnings: LotEarning[];
}

/** Event types that earn something or change the debt of a purchase. */
const REVENUE_EVENTS: ReadonlySet<string> = new Set(['DeductionSettled', 'PurchaseReversed', 'DebtRepaid']);

/** Whether an event can make rows. All others may be skipped. */
export function isRevenueEvent(event: Pick<LedgerEvent, 'type'>): boolean {
  return REVENUE_EVENTS.has(event.type);
}

/**
 * Computes the earnings from one account's spending: a pure fold of the account's events. The same events give the same
 * rows in every process and at any time. README.md has the rules.
 */
export class AccountRevenue {
  private readonly lots = new Map<string, Lot>();

  constructor(private readonly userId: string) {}

  /**
   * Restores the state of a purchase. Must be called before `add` sees an event of that purchase.
   * @param rows all rows of the purchase so far, in order
   */
  restore(lotId: string, { debt, reversalId }: LotDebt, rows: readonly EarningRow[]): void {
    const lot: Lot = { debt, reversalId, earnings: [] };
    for (const row of rows) {
      if (row.kind === 'earning') lot.earnings.push(newEarning(row));
      else {
        const earning = lot.earnings.find(({ deductionId }) => deductionId === row.deduction_id);
        if (!earning || row.reversal_id === null)
          throw new Error(`A correction of ${row.deduction_id} has no earning.`);
        addCorrection(earning, row.reversal_id, -row.credits);
      }
    }
    this.lots.set(lotId, lot);
  }

  /** The debt of a purchase after the events so far. */
  debtOf(lotId: string): LotDebt {
    const { debt, reversalId } = this.lot(lotId);
    return { debt, reversalId };
  }

  /** All purchases that ever had debt, after the events so far. */
  *debts(): Generator<RevenueDebtTable> {
    for (const [lot_id, { debt, reversalId: reversal_id }] of this.lots) {
      if (reversal_id !== null) yield { user_id: this.userId, lot_id, debt, reversal_id };
    }
  }

  /** Folds the next event of the account. @returns the rows that it makes */
  add(stored: LedgerEvent): EarningRow[] {
    const { type, data } = readCreditEvent(stored);
    const rows = new Rows(this.userId, stored);
    switch (type) {
      case 'DeductionSettled':
        for (const { lotId, kind, amount, unitPriceCents } of data.allocations) {
          if (kind !== 'paid') continue;
          const { deductionId, creatorId } = data;
          const lot = this.lot(lotId);
          lot.earnings.push(rows.earn(lotId, { deductionId, creatorId, earned: amount, unitPriceCents }));
          // A generation that was pending at the reversal spent credits that are owed: take them back now.
          correct(lotId, lot, rows);
        }
        break;
      case 'PurchaseReversed': {
        if (data.debt === 0) break;
        const lot = this.lot(data.lotId);
        lot.debt += data.debt;
        lot.reversalId = data.reversalId;
        correct(data.lotId, lot, rows);
        break;
      }
      case 'DebtRepaid': {
        const lot = this.lot(data.owedForLotId);
        lot.debt -= data.amount;
        undo(data.owedForLotId, lot, rows);
        break;
      }
      default:
        break;
    }
    return rows.result;
  }

  private lot(lotId: string): Lot {
    const lot = this.lots.get(lotId) ?? { debt: 0, reversalId: null, earnings: [] };
    this.lots.set(lotId, lot);
    return lot;
  }
}

/** All rows of an account. @param events all events of the account, in order */
export function* revenueOf(userId: string, events: Iterable<LedgerEvent>): Generator<EarningRow> {
  const revenue = new AccountRevenue(userId);
  for (const event of events) yield* revenue.add(event);
}

/** Takes back earnings until they cover the debt: the latest first, and only those that are not payable yet. */
function correct(lotId: string, lot: Lot, rows: Rows): void {
  const { reversalId } = lot;
  if (lot.debt === 0 || reversalId === null) return;
  let missing = lot.debt - correctedOf(lot);
  for (const earning of [...lot.earnings].reverse()) {
    const credits = Math.min(missing, earning.earned - total(earning.corrections));
    if (credits <= 0 || rows.at >= earning.payableAt) continue;
    rows.change('correction', lotId, earning, reversalId, -credits);
    missing -= credits;
  }
}

/** Restores earnings that were taken back and are no longer owed, the oldest first. */
function undo(lotId: string, lot: Lot, rows: Rows): void {
  let excess = correctedOf(lot) - lot.debt;
  for (const earning of lot.earnings) {
    for (const [reversalId, corrected] of earning.corrections ?? []) {
      const credits = Math.min(excess, corrected);
      if (credits <= 0) continue;
      rows.change('restoration', lotId, earning, reversalId, credits);
      excess -= credits;
    }
  }
}

/** Collects the rows of one event. */
class Rows {
  readonly result: EarningRow[] = [];
  /** When the event occurred, epoch milliseconds. */
  readonly at: number;

  constructor(
    private readonly userId: string,
    private readonly event: LedgerEvent,
  ) {
    this.at = Date.parse(String(event.metadata.occurredAt));
    if (Number.isNaN(this.at)) throw new Error(`Event ${event.version} of ${userId} has no valid occurredAt.`);
  }

  earn(lotId: string, data: Pick<LotEarning, 'deductionId' | 'creatorId' | 'earned' | 'unitPriceCents'>): LotEarning {
    const earning = { ...data, payableAt: this.at + PAYABLE_AFTER_MS, corrections: null };
    const { earned, unitPriceCents } = earning;
    this.push('earning', lotId, earning, null, earned, shareOf(earned, unitPriceCents));
    return earning;
  }

  change(
    kind: 'correction' | 'restoration',
    lotId: string,
    earning: LotEarning,
    reversalId: string,
    credits: number,
  ): void {
    const before = earning.earned - total(earning.corrections);
    addCorrection(earning, reversalId, -credits);
    const { unitPriceCents } = earning;
    // Computed from the rest before and after, so that rounded parts always add up to the rounded total.
    const creatorCents = shareOf(before + credits, unitPriceCents) - shareOf(before, unitPriceCents);
    this.push(kind, lotId, earning, reversalId, credits, creatorCents);
  }

  private push(
    kind: EarningRow['kind'],
    lotId: string,
    { deductionId, creatorId, unitPriceCents, payableAt }: LotEarning,
    reversalId: string | null,
    credits: number,
    creatorCents: number,
  ): void {
    const occurredAt = new Date(this.at);
    this.result.push({
      user_id: this.userId,
      version: this.event.version,
      line: this.result.length,
      kind,
      creator_id: creatorId,
      deduction_id: deductionId,
      lot_id: lotId,
      reversal_id: reversalId,
      credits,
      unit_price_cents: unitPriceCents,
      creator_cents: creatorCents,
      platform_cents: credits * unitPriceCents - creatorCents,
      occurred_at: occurredAt,
      month: occurredAt.toISOString().slice(0, 7),
      payable_at: new Date(Math.max(payableAt, this.at)),
    });
  }
}

/** The creator's half of the price of some credits, in cents, rounded down: half a cent goes to the platform. */
function shareOf(credits: number, unitPriceCents: number): number {
  return Math.floor((credits * unitPriceCents) / 2);
}

function newEarning(row: EarningRow): LotEarning {
  return {
    deductionId: row.deduction_id,
    creatorId: row.creator_id,
    earned: row.credits,
    unitPriceCents: row.unit_price_cents,
    payableAt: row.payable_at.getTime(),
    corrections: null,
  };
}

function correctedOf(lot: Lot): number {
  return lot.earnings.reduce((sum, { corrections }) => sum + total(corrections), 0);
}

function total(corrections: ReadonlyMap<string, number> | null): number {
  let sum = 0;
  for (const credits of corrections?.values() ?? []) sum += credits;
  return sum;
}

function addCorrection(earning: LotEarning, reversalId: string, credits: number): void {
  earning.corrections ??= new Map();
  earning.corrections.set(reversalId, (earning.corrections.get(reversalId) ?? 0) + credits);
}
