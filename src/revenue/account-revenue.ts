import { readCreditEvent } from '../credits/index.js';
import type { EarningRow, RevenueDebtTable } from './tables.js';

/** An earning can be paid out this long after it was earned. */
const PAYABLE_AFTER_MS = 30 * 86_400_000;

/** What the fold needs of a stored event. */
export interface LedgerEvent {
  readonly version: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly occurredAt?: unknown };
}

/** Credits of one purchase that one generation used up, and how many of them were taken back since. */
interface LotEarning {
  readonly deductionId: string;
  readonly creatorId: string;
  readonly earned: number;
  readonly unitPriceCents: number;
  readonly payableAt: number;
  /** Credits by the reversal for which they were taken back; null as long as nothing was. */
  corrections: Map<string, number> | null;
}

/** What a purchase has earned, and what of it is owed. */
export interface LotDebt {
  /** Credits that are owed for the purchase. */
  readonly debt: number;
  /** The latest reversal that made debt. */
  readonly reversalId: string | null;
}

interface Lot {
  debt: number;
  reversalId: string | null;
  /** In the order in which they were earned. */
  readonly earnings: LotEarning[];
}

/**
 * What one account's spending earns for creators and for the platform: a pure fold of the account's events, so that the same
 * events give the same rows in every process and at any time. The rules are in the README.
 */
export class AccountRevenue {
  private readonly lots = new Map<string, Lot>();

  constructor(private readonly userId: string) {}

  /** Puts a purchase back as it was: all its rows so far, in their order. Before events that are about it. */
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

  /** How a purchase stands after the events so far. */
  debtOf(lotId: string): LotDebt {
    const { debt, reversalId } = this.lot(lotId);
    return { debt, reversalId };
  }

  /** Purchases that anything was ever owed for, as they stand after the events so far. */
  *debts(): Generator<RevenueDebtTable> {
    for (const [lot_id, { debt, reversalId: reversal_id }] of this.lots) {
      if (reversal_id !== null) yield { user_id: this.userId, lot_id, debt, reversal_id };
    }
  }

  /** The rows that the next event of the account makes. */
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
          // What was under way when the money went back is owed too
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
    return rows.made;
  }

  private lot(lotId: string): Lot {
    const lot = this.lots.get(lotId) ?? { debt: 0, reversalId: null, earnings: [] };
    this.lots.set(lotId, lot);
    return lot;
  }
}

/** All rows that an account's events make, from its first event on. */
export function* revenueOf(userId: string, events: Iterable<LedgerEvent>): Generator<EarningRow> {
  const revenue = new AccountRevenue(userId);
  for (const event of events) yield* revenue.add(event);
}

/** Takes earnings back that cannot be paid out yet, the latest first, until they make up for what is owed. */
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

/** Gives back what was taken beyond what is owed now, the oldest earning first. */
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

/** The rows of one event. */
class Rows {
  readonly made: EarningRow[] = [];
  /** When the event occurred, epoch milliseconds. */
  readonly at: number;

  constructor(
    private readonly userId: string,
    private readonly event: LedgerEvent,
  ) {
    this.at = Date.parse(String(event.metadata.occurredAt));
    if (Number.isNaN(this.at)) throw new Error(`Event ${event.version} of ${userId} does not say when it occurred.`);
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
    // By what is left, so that the parts of an earning always come to what the whole of it would
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
    this.made.push({
      user_id: this.userId,
      version: this.event.version,
      line: this.made.length,
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

/** The creator's half of what so many credits had cost, in cents; half a cent goes to the platform. */
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
