import { readCreditEvent, type Allocation, type CreditEvent } from '../../credits/index.js';
import { textOf } from './read-account.js';
import type { EarningRow, RepaymentEntry, RevenuePurchaseTable } from '../../revenue/tables.js';

const PAYABLE_AFTER_MS = 30 * 86_400_000;
const RELEVANT: ReadonlySet<string> = new Set([
  'CreditsPurchased',
  'DeductionSettled',
  'PurchaseReversed',
  'DebtRepaid',
]);

/** The parts of a stored event that the audit's own folds need. */
export interface FoldedEvent {
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
  taken: ReadonlyMap<string, number>;
}

/** Most images lose nothing, and a map for each would fill the memory. */
const NOTHING: ReadonlyMap<string, number> = new Map();

interface Purchase {
  credits: number | null;
  cents: number | null;
  settled: number;
  earning: number;
  debt: number;
  reversalId: string | null;
  /** The oldest first. */
  readonly images: Settled[];
  /** Its credits that paid what other purchases owed, the latest first. */
  readonly paid: Paid[];
}

/** Credits that paid what another purchase owed. */
interface Paid {
  readonly version: number;
  readonly forLot: string;
  readonly amount: number;
}

/** How far a purchase can bear debt and must: the working figures of one event. */
interface Account {
  readonly purchase: Purchase;
  /** Credits of its images to take back. */
  borne: number;
  /** Credits of its images that could be taken back in addition. */
  free: number;
  /** Its own debt beyond its images. */
  beyond: number;
  /** The reversal that a correction names. */
  reversalId: string | null;
  /** Its payments for others, the latest first, and how much of each is not void. */
  readonly paid: { readonly forLot: string; readonly version: number; valid: number }[];
}

/**
 * Recomputes the rows of `creator_earning` and `revenue_purchase` of one account from the written rules
 * (`src/revenue/README.md`). It shares no code with the projection, so that a mistake there shows here.
 */
export class RevenueAudit {
  private readonly bought = new Map<string, Purchase>();
  private rows: EarningRow[] = [];
  private last: FoldedEvent | null = null;
  /** Credits owed for all purchases. */
  private owed = 0;

  /** @param cumulativeFrom from this instant on the new rules hold; null: never */
  constructor(
    readonly userId: string,
    readonly cumulativeFrom: Date | null,
  ) {}

  /** The rows of the next event, or those of the last one again: several checks ask for them. */
  rowsOf(stored: FoldedEvent): readonly EarningRow[] {
    if (stored !== this.last) this.add(stored);
    this.last = stored;
    return this.rows;
  }

  /** Adds the next event of the account. @returns the rows of `creator_earning` that it makes */
  add(stored: FoldedEvent): EarningRow[] {
    this.rows = [];
    if (!RELEVANT.has(stored.type)) return this.rows;
    const at = Date.parse(String(stored.metadata.occurredAt));
    if (Number.isNaN(at)) throw new Error('it has no valid time.');
    const { type, data } = readCreditEvent(stored);
    if (type === 'CreditsPurchased') this.buy(data);
    if (type === 'DeductionSettled') for (const part of data.allocations) this.settle(data, part, stored, at);
    if (type === 'PurchaseReversed' && data.debt > 0) {
      const purchase = this.purchase(data.lotId);
      purchase.debt += data.debt;
      this.owed += data.debt;
      purchase.reversalId = data.reversalId;
      this.settleDebts(data.lotId, stored, at, data.reversalId);
    }
    if (type === 'DebtRepaid') {
      const purchase = this.purchase(data.owedForLotId);
      purchase.debt -= data.amount;
      this.owed -= data.amount;
      const { lotId: payer, owedForLotId: forLot, amount } = data;
      if (payer !== forLot) this.purchase(payer).paid.unshift({ version: stored.version, forLot, amount });
      this.settleDebts(forLot, stored, at, null);
    }
    return this.rows;
  }

  /** The rows of `revenue_purchase` after the events so far. */
  *purchases(): Generator<RevenuePurchaseTable> {
    for (const [lotId, { credits, cents, settled, earning, debt, reversalId, paid }] of this.bought) {
      const repayments = paid.map(({ version, forLot, amount }): RepaymentEntry => [version, forLot, amount]).reverse();
      yield {
        user_id: this.userId,
        lot_id: lotId,
        credits,
        amount_cents: cents,
        settled_credits: settled,
        earning_credits: earning,
        debt,
        reversal_id: reversalId,
        repayments,
      };
    }
  }

  private purchase(lotId: string): Purchase {
    let purchase = this.bought.get(lotId);
    if (!purchase) {
      const none = { credits: null, cents: null, settled: 0, earning: 0, debt: 0, reversalId: null };
      purchase = { ...none, images: [], paid: [] };
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
    stored: FoldedEvent,
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
    // A plain literal is several times as fast as spread parts, and there is one for each settled lot.
    const image: Settled = {
      deductionId,
      creatorId,
      own,
      credits: amount,
      unitPrice: unitPriceCents,
      creator,
      all,
      cumulative,
      payableAt: at + PAYABLE_AFTER_MS,
      taken: NOTHING,
    };
    purchase.images.push(image);
    this.row('earning', lotId, image, { credits: amount, creator, all, reversalId: null }, stored, at);
    if (this.owed > 0) this.settleDebts(lotId, stored, at, null);
  }

  /**
   * Makes every purchase bear what it must, the purchase of the event first.
   * @param reversalId the reversal of the event, if it is one
   */
  private settleDebts(first: string, stored: FoldedEvent, at: number, reversalId: string | null): void {
    const accounts = new Map([...this.bought].map(([lotId, purchase]) => [lotId, openAccount(purchase, at)]));
    const payments = [...accounts]
      .flatMap(([payer, { paid }]) => paid.map((payment) => ({ payer, payment })))
      .sort((a, b) => b.payment.version - a.payment.version);
    for (const { payer, payment } of payments) {
      const debtor = accounts.get(payer) as Account;
      for (let moved = 1; debtor.beyond > 0 && moved > 0; debtor.beyond -= moved) {
        moved = move(accounts, payment, { credits: debtor.beyond, cause: debtor.reversalId, met: new Set([payer]) });
      }
    }
    const lots = new Set([first, ...payments.map(({ payment }) => payment.forLot)]);
    for (const lotId of lots) {
      const account = accounts.get(lotId);
      if (!account) continue;
      this.takeBack(lotId, account, reversalId ?? account.reversalId, stored, at);
      this.giveBack(lotId, account, stored, at);
    }
  }

  /** The latest image first. An image under the old rules is out of reach once it is payable. */
  private takeBack(
    lotId: string,
    { borne, purchase: { images } }: Account,
    reversalId: string | null,
    stored: FoldedEvent,
    at: number,
  ): void {
    if (reversalId === null) return;
    let missing = borne - takenOf(images);
    for (let index = images.length - 1; index >= 0 && missing > 0; index -= 1) {
      const image = images[index] as Settled;
      if (outOfReach(image, at)) continue;
      const credits = Math.min(missing, restOf(image));
      if (credits <= 0) continue;
      this.change('correction', lotId, image, { reversalId, credits: -credits }, stored, at);
      missing -= credits;
    }
  }

  /** The oldest image first, and in it the reversal that took from it first. */
  private giveBack(lotId: string, { borne, purchase: { images } }: Account, stored: FoldedEvent, at: number): void {
    let excess = takenOf(images) - borne;
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
    stored: FoldedEvent,
    at: number,
  ): void {
    const before = centsOf(image, restOf(image));
    image.taken = new Map(image.taken).set(reversalId, (image.taken.get(reversalId) ?? 0) - credits);
    const after = centsOf(image, restOf(image));
    const creator = after.creator - before.creator;
    const all = after.all - before.all;
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
    { version }: FoldedEvent,
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
      month: textOf(at).slice(0, 7),
      payable_at: new Date(Math.max(image.payableAt, at)),
    });
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

/** A purchase first bears its own debt, with its own images. */
function openAccount(purchase: Purchase, at: number): Account {
  let reach = 0;
  for (const image of purchase.images) reach += outOfReach(image, at) ? image.credits - restOf(image) : image.credits;
  const borne = Math.min(reach, purchase.debt);
  return {
    purchase,
    borne,
    free: reach - borne,
    beyond: purchase.debt - borne,
    reversalId: purchase.debt > 0 ? purchase.reversalId : null,
    paid: purchase.paid.map(({ forLot, version, amount }) => ({ forLot, version, valid: amount })),
  };
}

/**
 * Moves debt along one payment to the nearest purchase that can bear some of it: the one that was paid for, otherwise
 * those that it paid for, by its latest payment first. @returns credits that were moved
 */
function move(
  accounts: ReadonlyMap<string, Account>,
  payment: { readonly forLot: string; valid: number },
  { credits, cause, met }: { readonly credits: number; readonly cause: string | null; readonly met: Set<string> },
): number {
  const account = accounts.get(payment.forLot);
  const most = Math.min(credits, payment.valid);
  if (!account || most === 0 || met.has(payment.forLot)) return 0;
  met.add(payment.forLot);
  let moved = Math.min(most, account.free);
  if (moved > 0) {
    account.borne += moved;
    account.free -= moved;
    account.reversalId ??= cause;
  }
  for (const next of account.paid) moved ||= move(accounts, next, { credits: most, cause, met });
  payment.valid -= moved;
  return moved;
}

/** Under the old rules, an image that is payable keeps its earning. */
function outOfReach({ cumulative, payableAt }: Settled, at: number): boolean {
  return !cumulative && at >= payableAt;
}

function restOf({ credits, taken }: Settled): number {
  let rest = credits;
  for (const part of taken.values()) rest -= part;
  return rest;
}

function takenOf(images: readonly Settled[]): number {
  return images.reduce((sum, image) => sum + image.credits - restOf(image), 0);
}
