import { DAY_MS } from '../contract/durations.js';
import { type Allocation, type CreditEvent, readCreditEvent } from '../credits/index.js';
import { type EarningRow, type RepaymentEntry, type RevenuePurchaseTable } from './tables.js';

/** An earning can be paid out this long after it was earned. */
const PAYABLE_AFTER_MS = 30 * DAY_MS;

/** The parts of a stored event that the fold needs. */
export interface LedgerEvent {
  readonly version: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly occurredAt?: unknown };
}

/** When an event occurred, epoch milliseconds. @throws Error for an event without a time */
export function timeOf({ version, metadata }: Pick<LedgerEvent, 'version' | 'metadata'>, owner: string): number {
  const at = Date.parse(String(metadata.occurredAt));
  if (Number.isNaN(at)) throw new Error(`Event ${version} of ${owner} has no valid occurredAt.`);
  return at;
}

/** The policy on revenue. */
export interface RevenueRules {
  /**
   * Earnings from this instant on are shares of what the purchase cost, are none for own generations, and can be taken
   * back at any time. Null: all earnings follow the old rules.
   */
  readonly cumulativeFrom: Date | null;
}

/** US cents of some credits. */
interface Cents {
  /** The creator's share. */
  readonly creator: number;
  readonly total: number;
}

/** Credits of one purchase that one generation used, and how many of them were taken back since. */
interface LotEarning {
  readonly deductionId: string;
  readonly creatorId: string;
  readonly ownGeneration: boolean;
  readonly earned: number;
  readonly unitPriceCents: number;
  /** Earned by all its credits. */
  readonly cents: Cents;
  /** Whether it follows the new rules. */
  readonly cumulative: boolean;
  readonly payableAt: number;
  /** Credits taken back, by reversal; null while nothing was taken back. */
  corrections: Map<string, number> | null;
}

interface Lot {
  /** Null while the purchase is unknown. */
  price: Price | null;
  /** Credits that were ever settled. Corrections do not change it. */
  settled: number;
  /** Those of them that earn something for creators. */
  earning: number;
  debt: number;
  /** The latest reversal that made debt. */
  reversalId: string | null;
  /** The oldest first. */
  readonly earnings: LotEarning[];
  /** Debt of other purchases that its credits repaid, the oldest first. */
  readonly repayments: RepaymentEntry[];
}

/** Credits of a purchase that repaid the debt of another purchase. */
interface Repayment {
  readonly payer: string;
  readonly owedFor: string;
  readonly version: number;
  /** Credits of it that were really paid. */
  validCredits: number;
}

/** The part of the account's debt that a purchase bears, in credits. */
interface Burden {
  /** Earnings that must be taken back. */
  taken: number;
  /** Further earnings that can be taken back. */
  spare: number;
  /** Its own debt that its earnings do not cover. */
  excess: number;
  /** The reversal that made the debt; null while it bears none. */
  reversalId: string | null;
}

/** The price of a purchase, US cents for all of its credits. */
interface Price {
  readonly credits: number;
  readonly cents: number;
}

/** Event types that state a price, earn something or change the debt of a purchase. */
const REVENUE_EVENTS: ReadonlySet<string> = new Set([
  'CreditsPurchased',
  'DeductionSettled',
  'PurchaseReversed',
  'DebtRepaid',
]);

/** Whether an event changes the state or makes rows. All others may be skipped. */
export function isRevenueEvent(event: Pick<LedgerEvent, 'type'>): boolean {
  return REVENUE_EVENTS.has(event.type);
}

/**
 * Computes the earnings from one account's spending: a pure fold of the account's events. The same events give the same
 * rows in every process and at any time. README.md has the rules.
 */
export class AccountRevenue {
  private readonly lots = new Map<string, Lot>();
  /** Sum of the debts of all purchases. */
  private debt = 0;

  constructor(
    private readonly userId: string,
    private readonly rules: RevenueRules,
  ) {}

  /**
   * Restores the state of a purchase. Must be called before `add` sees an event of that purchase, and for all purchases
   * of an account with debt before `add` sees any.
   * @param rows all rows of the purchase so far, in order; may be left out while the account has no debt, until debt
   *   changes
   */
  restore(purchase: RevenuePurchaseTable, rows: readonly EarningRow[]): void {
    const { lot_id: lotId, credits, amount_cents: cents, debt, reversal_id: reversalId } = purchase;
    const { settled_credits: settled, earning_credits: earning } = purchase;
    const price = credits === null || cents === null ? null : { credits, cents };
    const repayments = [...purchase.repayments];
    const lot: Lot = { price, settled, earning, debt, reversalId, earnings: [], repayments };
    for (const row of rows) {
      if (row.kind === 'earning') lot.earnings.push(this.earningOf(row));
      else {
        const earning = lot.earnings.find(({ deductionId }) => deductionId === row.deduction_id);
        if (!earning || row.reversal_id === null)
          throw new Error(`A correction of ${row.deduction_id} has no earning.`);
        addCorrection(earning, row.reversal_id, -row.credits);
      }
    }
    this.lots.set(lotId, lot);
    this.debt += debt;
  }

  /** The purchases of which an event was seen, after the events so far. */
  *purchases(): Generator<RevenuePurchaseTable> {
    for (const [lot_id, { price, settled, earning, debt, reversalId, repayments }] of this.lots) {
      yield {
        user_id: this.userId,
        lot_id,
        credits: price?.credits ?? null,
        amount_cents: price?.cents ?? null,
        settled_credits: settled,
        earning_credits: earning,
        debt,
        reversal_id: reversalId,
        repayments,
      };
    }
  }

  /** Folds the next event of the account. @returns the rows that it makes */
  add(stored: LedgerEvent): EarningRow[] {
    const { type, data } = readCreditEvent(stored);
    const rows = new Rows(this.userId, stored);
    switch (type) {
      case 'CreditsPurchased':
        this.lot(data.lotId).price ??= { credits: data.amount, cents: data.amountCents };
        break;
      case 'DeductionSettled':
        for (const allocation of data.allocations) if (allocation.kind === 'paid') this.settle(data, allocation, rows);
        break;
      case 'PurchaseReversed': {
        if (data.debt === 0) break;
        const lot = this.lot(data.lotId);
        lot.debt += data.debt;
        this.debt += data.debt;
        lot.reversalId = data.reversalId;
        this.balance(data.lotId, rows, data.reversalId);
        break;
      }
      case 'DebtRepaid': {
        const lot = this.lot(data.owedForLotId);
        lot.debt -= data.amount;
        this.debt -= data.amount;
        if (data.lotId !== data.owedForLotId) {
          this.lot(data.lotId).repayments.push([stored.version, data.owedForLotId, data.amount]);
        }
        this.balance(data.owedForLotId, rows);
        break;
      }
      default:
        break;
    }
    return rows.result;
  }

  private settle(
    { deductionId, creatorId, ownGeneration }: DeductionSettled,
    { lotId, amount, unitPriceCents }: Allocation,
    rows: Rows,
  ): void {
    const lot = this.lot(lotId);
    const cumulative = this.isCumulative(rows.at);
    const own = cumulative && ownGeneration;
    const cents = cumulative
      ? cumulativeCents(lot, { amount, own, price: lot.price ?? { credits: 1, cents: unitPriceCents } })
      : unitCents(amount, unitPriceCents);
    lot.settled += amount;
    if (!own) lot.earning += amount;
    const credits = { earned: amount, unitPriceCents, cents };
    lot.earnings.push(rows.earn(lotId, { deductionId, creatorId, ownGeneration: own, cumulative, ...credits }));
    // A generation that was pending at the reversal spent credits that are owed: take them back now.
    if (this.debt > 0) this.balance(lotId, rows);
  }

  /**
   * Takes back and restores earnings until each purchase bears its part of the debt: first the purchase of the event,
   * then the others, that of the latest repayment first.
   * @param reversalId the reversal that the event records
   */
  private balance(lotId: string, rows: Rows, reversalId: string | null = null): void {
    const repayments = latestRepayments(this.lots);
    const burdens = burdensOf(this.lots, repayments, rows.at);
    for (const id of new Set([lotId, ...repayments.map(({ owedFor }) => owedFor)])) {
      const lot = this.lots.get(id);
      const burden = burdens.get(id);
      if (!lot || !burden) continue;
      const cause = reversalId ?? burden.reversalId;
      if (cause !== null) correct(id, lot, { taken: burden.taken, reversalId: cause }, rows);
      undo(id, lot, burden.taken, rows);
    }
  }

  private earningOf(row: EarningRow): LotEarning {
    return {
      deductionId: row.deduction_id,
      creatorId: row.creator_id,
      ownGeneration: row.own_generation,
      earned: row.credits,
      unitPriceCents: row.unit_price_cents,
      cents: { creator: row.creator_cents, total: row.creator_cents + row.platform_cents },
      cumulative: this.isCumulative(row.occurred_at.getTime()),
      payableAt: row.payable_at.getTime(),
      corrections: null,
    };
  }

  private isCumulative(at: number): boolean {
    const { cumulativeFrom } = this.rules;
    return cumulativeFrom !== null && at >= cumulativeFrom.getTime();
  }

  private lot(lotId: string): Lot {
    const unseen = { price: null, settled: 0, earning: 0, debt: 0, reversalId: null, earnings: [], repayments: [] };
    const lot: Lot = this.lots.get(lotId) ?? unseen;
    this.lots.set(lotId, lot);
    return lot;
  }
}

type DeductionSettled = Extract<CreditEvent, { type: 'DeductionSettled' }>['data'];

/**
 * Cents of the next credits that are settled of a purchase. The share of the purchase's price that all settled credits
 * make, rounded down, minus the share before: so no cent is lost in the end. The same with half of the price for the
 * creators, over the credits that earn.
 */
function cumulativeCents(
  { settled, earning }: Pick<Lot, 'settled' | 'earning'>,
  { amount, own, price: { credits, cents } }: { amount: number; own: boolean; price: Price },
): Cents {
  const share = (part: number, parts: number): number => fraction(cents, part, parts);
  return {
    creator: own ? 0 : share(earning + amount, 2 * credits) - share(earning, 2 * credits),
    total: share(settled + amount, credits) - share(settled, credits),
  };
}

/** Cents of credits under the old rules. Half a cent goes to the platform. */
function unitCents(credits: number, unitPriceCents: number): Cents {
  const total = credits * unitPriceCents;
  return { creator: Math.floor(total / 2), total };
}

/** Cents of the rest of an earning. Rounded parts always add up to the cents of the whole. */
function restCents({ cumulative, earned, unitPriceCents, cents }: LotEarning, rest: number): Cents {
  if (!cumulative) return unitCents(rest, unitPriceCents);
  return { creator: fraction(cents.creator, rest, earned), total: fraction(cents.total, rest, earned) };
}

/** `cents * part / parts`, rounded down. The product can exceed `Number.MAX_SAFE_INTEGER`. */
function fraction(cents: number, part: number, parts: number): number {
  return Number((BigInt(cents) * BigInt(part)) / BigInt(parts));
}

/** Repayments between purchases, the latest first. */
function latestRepayments(lots: ReadonlyMap<string, Lot>): Repayment[] {
  const repayments = [...lots].flatMap(([payer, lot]) =>
    lot.repayments.map(([version, owedFor, validCredits]): Repayment => ({ payer, owedFor, version, validCredits })),
  );
  return repayments.sort((a, b) => b.version - a.version);
}

/**
 * The burden of each purchase. A purchase bears its own debt as far as its earnings reach. The rest passes on to the
 * purchases whose debt its credits had repaid, from the latest repayment back, each up to its amount.
 */
function burdensOf(
  lots: ReadonlyMap<string, Lot>,
  repayments: readonly Repayment[],
  at: number,
): ReadonlyMap<string, Burden> {
  const burdens = new Map([...lots].map(([lotId, lot]) => [lotId, ownBurden(lot, at)]));
  for (const repayment of repayments) {
    const payer = burdens.get(repayment.payer);
    while (payer && payer.excess > 0) {
      const path = pathToEarnings(repayment, repayments, burdens, new Set([repayment.payer]));
      const bearer = burdens.get(path.at(-1)?.owedFor ?? '');
      if (!bearer) break;
      const credits = Math.min(payer.excess, bearer.spare, ...path.map(({ validCredits }) => validCredits));
      for (const step of path) step.validCredits -= credits;
      payer.excess -= credits;
      bearer.spare -= credits;
      bearer.taken += credits;
      bearer.reversalId ??= payer.reversalId;
    }
  }
  return burdens;
}

/** Earnings under the old rules are safe once they are payable. */
function ownBurden(lot: Lot, at: number): Burden {
  const reach = lot.earnings.reduce(
    (sum, earning) => sum + (isSafe(earning, at) ? total(earning.corrections) : earning.earned),
    0,
  );
  const taken = Math.min(lot.debt, reach);
  const reversalId = lot.debt > 0 ? lot.reversalId : null;
  return { taken, spare: reach - taken, excess: lot.debt - taken, reversalId };
}

/**
 * The repayments from one on that lead to a purchase with earnings to take back; empty when there are none. A purchase
 * passes debt on only when its own earnings are used up, and then by its latest repayment first.
 */
function pathToEarnings(
  first: Repayment,
  repayments: readonly Repayment[],
  burdens: ReadonlyMap<string, Burden>,
  seen: Set<string>,
): readonly Repayment[] {
  const { owedFor } = first;
  if (first.validCredits === 0 || seen.has(owedFor)) return [];
  seen.add(owedFor);
  if ((burdens.get(owedFor)?.spare ?? 0) > 0) return [first];
  for (const next of repayments) {
    if (next.payer !== owedFor) continue;
    const rest = pathToEarnings(next, repayments, burdens, seen);
    if (rest.length > 0) return [first, ...rest];
  }
  return [];
}

/** Takes back earnings until `taken` credits are, the latest first. */
function correct(
  lotId: string,
  lot: Lot,
  { taken, reversalId }: { readonly taken: number; readonly reversalId: string },
  rows: Rows,
): void {
  let missing = taken - correctedOf(lot);
  for (const earning of [...lot.earnings].reverse()) {
    const credits = Math.min(missing, earning.earned - total(earning.corrections));
    if (credits <= 0 || isSafe(earning, rows.at)) continue;
    rows.change('correction', lotId, earning, reversalId, -credits);
    missing -= credits;
  }
}

/** Restores earnings until only `taken` credits are taken back, the oldest first. */
function undo(lotId: string, lot: Lot, taken: number, rows: Rows): void {
  let excess = correctedOf(lot) - taken;
  for (const earning of lot.earnings) {
    for (const [reversalId, corrected] of earning.corrections ?? []) {
      const credits = Math.min(excess, corrected);
      if (credits <= 0) continue;
      rows.change('restoration', lotId, earning, reversalId, credits);
      excess -= credits;
    }
  }
}

function isSafe({ cumulative, payableAt }: LotEarning, at: number): boolean {
  return !cumulative && at >= payableAt;
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
    this.at = timeOf(event, userId);
  }

  earn(lotId: string, data: Omit<LotEarning, 'payableAt' | 'corrections'>): LotEarning {
    const earning = { ...data, payableAt: this.at + PAYABLE_AFTER_MS, corrections: null };
    this.push('earning', lotId, earning, null, earning.earned, earning.cents);
    return earning;
  }

  change(
    kind: 'correction' | 'restoration',
    lotId: string,
    earning: LotEarning,
    reversalId: string,
    credits: number,
  ): void {
    const rest = earning.earned - total(earning.corrections);
    addCorrection(earning, reversalId, -credits);
    const before = restCents(earning, rest);
    const after = restCents(earning, rest + credits);
    const cents = { creator: after.creator - before.creator, total: after.total - before.total };
    this.push(kind, lotId, earning, reversalId, credits, cents);
  }

  private push(
    kind: EarningRow['kind'],
    lotId: string,
    { deductionId, creatorId, ownGeneration, unitPriceCents, payableAt }: LotEarning,
    reversalId: string | null,
    credits: number,
    cents: Cents,
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
      own_generation: ownGeneration,
      creator_cents: cents.creator,
      platform_cents: cents.total - cents.creator,
      occurred_at: occurredAt,
      month: occurredAt.toISOString().slice(0, 7),
      payable_at: new Date(Math.max(payableAt, this.at)),
    });
  }
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
