import { readCreditEvent, type Allocation, type CreditEvent } from '../../credits/index.js';
import type { EarningRow, RevenueMonthTable, RevenuePurchaseTable } from '../../revenue/tables.js';

const PAYABLE_AFTER_MS = 30 * 86_400_000;
const RELEVANT: ReadonlySet<string> = new Set([
  'CreditsPurchased',
  'DeductionSettled',
  'PurchaseReversed',
  'DebtRepaid',
]);

/** The parts of a stored event that the recomputation needs. */
interface RevenueEvent {
  readonly version: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: { readonly occurredAt?: unknown };
}

type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

/** Credits of a purchase that were settled for one image. */
interface Settled {
  readonly deductionId: string;
  readonly creatorId: string;
  readonly own: boolean;
  readonly credits: number;
  readonly unitPrice: number;
  /** Cents that its earning states. */
  readonly creator: number;
  readonly all: number;
  readonly cumulative: boolean;
  readonly payableAt: number;
  /** Credits taken back, by reversal, in the order in which the reversals first took some. */
  readonly taken: Map<string, number>;
}

interface Purchase {
  credits: number | null;
  cents: number | null;
  settled: number;
  earning: number;
  debt: number;
  reversalId: string | null;
  /** The oldest first. */
  readonly images: Settled[];
}

/** True when an event may change revenue. */
export function concernsRevenue({ type }: Pick<RevenueEvent, 'type'>): boolean {
  return RELEVANT.has(type);
}

/**
 * Recomputes the rows of `creator_earning` and `revenue_purchase` of one account from the written rules
 * (`src/revenue/README.md`). It shares no code with the projection, so that a mistake there shows here.
 */
export class RevenueAudit {
  private readonly bought = new Map<string, Purchase>();
  private rows: EarningRow[] = [];

  /** @param cumulativeFrom from this instant on the new rules hold; null: never */
  constructor(
    private readonly userId: string,
    private readonly cumulativeFrom: Date | null,
  ) {}

  /** Adds the next event of the account. @returns the rows of `creator_earning` that it makes */
  add(stored: RevenueEvent): EarningRow[] {
    this.rows = [];
    const at = Date.parse(String(stored.metadata.occurredAt));
    if (Number.isNaN(at)) throw new Error('it has no valid time.');
    const { type, data } = readCreditEvent(stored);
    if (type === 'CreditsPurchased') this.buy(data);
    if (type === 'DeductionSettled') for (const part of data.allocations) this.settle(data, part, stored, at);
    if (type === 'PurchaseReversed' && data.debt > 0) {
      const purchase = this.purchase(data.lotId);
      purchase.debt += data.debt;
      purchase.reversalId = data.reversalId;
      this.takeBack(data.lotId, purchase, stored, at);
    }
    if (type === 'DebtRepaid') {
      const purchase = this.purchase(data.owedForLotId);
      purchase.debt -= data.amount;
      this.giveBack(data.owedForLotId, purchase, stored, at);
    }
    return this.rows;
  }

  /** The rows of `revenue_purchase` after the events so far. */
  *purchases(): Generator<RevenuePurchaseTable> {
    for (const [lotId, { credits, cents, settled, earning, debt, reversalId }] of this.bought) {
      yield {
        ...{ user_id: this.userId, lot_id: lotId, credits, amount_cents: cents },
        ...{ settled_credits: settled, earning_credits: earning, debt, reversal_id: reversalId },
      };
    }
  }

  private purchase(lotId: string): Purchase {
    let purchase = this.bought.get(lotId);
    if (!purchase) {
      purchase = { credits: null, cents: null, settled: 0, earning: 0, debt: 0, reversalId: null, images: [] };
      this.bought.set(lotId, purchase);
    }
    return purchase;
  }

  private buy({ lotId, amount, amountCents }: DataOf<'CreditsPurchased'>): void {
    const purchase = this.purchase(lotId);
    purchase.credits ??= amount;
    purchase.cents ??= amountCents;
  }

  private settle(
    { deductionId, creatorId, ownGeneration }: DataOf<'DeductionSettled'>,
    { kind, lotId, amount, unitPriceCents }: Allocation,
    stored: RevenueEvent,
    at: number,
  ): void {
    if (kind !== 'paid') return;
    const purchase = this.purchase(lotId);
    const cumulative = this.cumulativeFrom !== null && at >= this.cumulativeFrom.getTime();
    const own = cumulative && ownGeneration;
    const cents = purchase.cents ?? unitPriceCents;
    const credits = purchase.credits ?? 1;
    const recognised = (n: number): number => portion(n, cents, credits);
    const half = (n: number): number => portion(n, cents, 2 * credits);
    const { settled, earning } = purchase;
    let all = amount * unitPriceCents;
    let creator = Math.floor(all / 2);
    if (cumulative) {
      all = recognised(settled + amount) - recognised(settled);
      creator = own ? 0 : half(earning + amount) - half(earning);
    }
    purchase.settled += amount;
    if (!own) purchase.earning += amount;
    const image: Settled = {
      ...{ deductionId, creatorId, own, credits: amount, unitPrice: unitPriceCents, creator, all, cumulative },
      ...{ payableAt: at + PAYABLE_AFTER_MS, taken: new Map<string, number>() },
    };
    purchase.images.push(image);
    this.row('earning', lotId, image, { credits: amount, creator, all, reversalId: null }, stored, at);
    if (purchase.debt > 0) this.takeBack(lotId, purchase, stored, at);
  }

  /** The latest image first. An image under the old rules is out of reach once it is payable. */
  private takeBack(lotId: string, purchase: Purchase, stored: RevenueEvent, at: number): void {
    const { reversalId, debt, images } = purchase;
    if (reversalId === null) return;
    let missing = debt - takenOf(images);
    for (let index = images.length - 1; index >= 0 && missing > 0; index -= 1) {
      const image = images[index] as Settled;
      if (!image.cumulative && at >= image.payableAt) continue;
      const credits = Math.min(missing, restOf(image));
      if (credits <= 0) continue;
      this.change('correction', lotId, image, { reversalId, credits: -credits }, stored, at);
      missing -= credits;
    }
  }

  /** The oldest image first, and in it the reversal that took from it first. */
  private giveBack(lotId: string, { debt, images }: Purchase, stored: RevenueEvent, at: number): void {
    let excess = takenOf(images) - debt;
    for (const image of images) {
      for (const [reversalId, taken] of image.taken) {
        const credits = Math.min(excess, taken);
        if (credits <= 0) continue;
        this.change('restoration', lotId, image, { reversalId, credits }, stored, at);
        excess -= credits;
      }
    }
  }

  private change(
    kind: EarningRow['kind'],
    lotId: string,
    image: Settled,
    { reversalId, credits }: { readonly reversalId: string; readonly credits: number },
    stored: RevenueEvent,
    at: number,
  ): void {
    const before = centsOf(image, restOf(image));
    image.taken.set(reversalId, (image.taken.get(reversalId) ?? 0) - credits);
    const after = centsOf(image, restOf(image));
    const [creator, all] = [after.creator - before.creator, after.all - before.all];
    this.row(kind, lotId, image, { credits, creator, all, reversalId }, stored, at);
  }

  private row(
    kind: EarningRow['kind'],
    lotId: string,
    image: Settled,
    made: {
      readonly credits: number;
      readonly creator: number;
      readonly all: number;
      readonly reversalId: string | null;
    },
    { version }: RevenueEvent,
    at: number,
  ): void {
    const occurredAt = new Date(at);
    this.rows.push({
      user_id: this.userId,
      version,
      line: this.rows.length,
      kind,
      creator_id: image.creatorId,
      deduction_id: image.deductionId,
      lot_id: lotId,
      reversal_id: made.reversalId,
      credits: made.credits,
      unit_price_cents: image.unitPrice,
      own_generation: image.own,
      creator_cents: made.creator,
      platform_cents: made.all - made.creator,
      occurred_at: occurredAt,
      month: occurredAt.toISOString().slice(0, 7),
      payable_at: new Date(Math.max(image.payableAt, at)),
    });
  }
}

/** Adds up rows of `creator_earning` to the rows of `creator_revenue_month`. */
export class RevenueMonths {
  private readonly byCreator = new Map<string, Map<string, RevenueMonthTable>>();

  add({ kind, line, creator_id, month, own_generation: own, credits, ...cents }: EarningRow): void {
    let months = this.byCreator.get(creator_id);
    if (!months) this.byCreator.set(creator_id, (months = new Map<string, RevenueMonthTable>()));
    let sum = months.get(month);
    if (!sum) {
      const none = { paid_generations: 0, paid_credits: 0, creator_cents: 0, platform_cents: 0 };
      sum = { creator_id, month, ...none, correction_cents: 0, restoration_cents: 0, changes: 0 };
      months.set(month, sum);
    }
    if (kind === 'earning' && line === 0 && !own) sum.paid_generations += 1;
    sum.paid_credits += credits;
    sum.creator_cents += cents.creator_cents;
    sum.platform_cents += cents.platform_cents;
    if (kind === 'earning') return;
    if (kind === 'correction') sum.correction_cents += cents.creator_cents;
    else sum.restoration_cents += cents.creator_cents;
    if (!own) sum.changes += 1;
  }

  *months(): Generator<RevenueMonthTable> {
    for (const months of this.byCreator.values()) yield* months.values();
  }
}

/** `n` parts of `total`, of which there are `parts`, rounded down. */
function portion(n: number, total: number, parts: number): number {
  const product = n * total;
  if (Number.isSafeInteger(product)) return Math.floor(product / parts);
  return Number((BigInt(n) * BigInt(total)) / BigInt(parts));
}

/** Cents of an image of which this many credits are left. */
function centsOf(
  { cumulative, creator, all, credits, unitPrice }: Settled,
  rest: number,
): { readonly creator: number; readonly all: number } {
  if (!cumulative) return { creator: Math.floor((rest * unitPrice) / 2), all: rest * unitPrice };
  return { creator: portion(rest, creator, credits), all: portion(rest, all, credits) };
}

function restOf({ credits, taken }: Settled): number {
  let rest = credits;
  for (const part of taken.values()) rest -= part;
  return rest;
}

function takenOf(images: readonly Settled[]): number {
  return images.reduce((sum, image) => sum + image.credits - restOf(image), 0);
}
