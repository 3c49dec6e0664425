import { type Allocation, type CreditEvent, readCreditEvent } from '../credits/index.js';
import { type EarningRow, type LedgerEvent, monthOf, timeOf } from '../revenue/index.js';
import { ACCOUNT, type AccountNumber } from './chart-of-accounts.js';
import { type BookEntryTable, type BookPurchaseTable, type ReversalEntry } from './tables.js';

/** The state of a purchase beyond its revenue. */
interface Lot {
  /** Null while the purchase is unknown: its credits are worth nothing. */
  price: { readonly credits: number; readonly cents: number } | null;
  boughtMonth: string | null;
  unspent: number;
  readonly reversals: ReversalEntry[];
}

/** Event types that post entries. All others may be skipped: they move no value. */
const BOOKED: ReadonlySet<string> = new Set<CreditEvent['type']>([
  'CreditsGranted',
  'CreditsPurchased',
  'DeductionSettled',
  'CreditsExpired',
  'PurchaseReversed',
  'PurchaseReinstated',
  'DebtRepaid',
  'CreditsAdjusted',
  'CreditsWaived',
]);

/** Whether an event can post entries or change what later ones post. */
export function isBooked({ type }: Pick<LedgerEvent, 'type'>): boolean {
  return BOOKED.has(type);
}

/** The purchases on which the entries of an event depend. */
export function lotsOf(stored: LedgerEvent): string[] {
  const { type, data } = readCreditEvent(stored);
  if (type === 'CreditsPurchased' || type === 'PurchaseReversed' || type === 'PurchaseReinstated') return [data.lotId];
  if (type === 'DebtRepaid') return [data.lotId, data.owedForLotId];
  if (type === 'CreditsExpired') return data.kind === 'paid' ? [data.lotId] : [];
  if (type === 'DeductionSettled' || type === 'CreditsAdjusted' || type === 'CreditsWaived') {
    return data.allocations.filter(({ kind }) => kind === 'paid').map(({ lotId }) => lotId);
  }
  return [];
}

/**
 * The books of one account: a pure fold of its events, and of what revenue has posted for them, to the lines of the
 * journal. The same events give the same lines in every process and at any time. docs/books.md has the rules.
 */
export class AccountBooks {
  private readonly lots = new Map<string, Lot>();
  private readonly touched = new Set<string>();

  constructor(private readonly userId: string) {}

  /**
   * Restores the state of a purchase. Must be called before `add` sees an event of that purchase, and for all purchases
   * of an account before `add` sees what a reversal took back or gave back.
   */
  restore(purchase: BookPurchaseTable): void {
    const { lot_id: lotId, credits, amount_cents: cents, bought_month: boughtMonth, unspent } = purchase;
    const price = credits === null || cents === null ? null : { credits, cents };
    this.lots.set(lotId, { price, boughtMonth, unspent, reversals: [...purchase.reversals] });
  }

  /** The purchases that the events so far have changed. */
  *purchases(): Generator<BookPurchaseTable> {
    for (const lotId of this.touched) {
      const { price, boughtMonth, unspent, reversals } = this.lot(lotId);
      yield {
        user_id: this.userId,
        lot_id: lotId,
        credits: price?.credits ?? null,
        amount_cents: price?.cents ?? null,
        bought_month: boughtMonth,
        unspent,
        reversals,
      };
    }
  }

  /**
   * Folds the next event of the account.
   * @param earnings the rows that revenue has posted for it
   * @returns its lines, which sum to zero cents; none for most events
   */
  add(stored: LedgerEvent, earnings: readonly EarningRow[]): BookEntryTable[] {
    const { type, data } = readCreditEvent(stored);
    const lines = new Lines(this.userId, stored);
    switch (type) {
      case 'CreditsGranted':
        lines.add(ACCOUNT.promotionalCredits, { credits: -data.amount });
        break;
      case 'CreditsPurchased': {
        const lot = this.lot(data.lotId);
        lot.price ??= { credits: data.amount, cents: data.amountCents };
        lot.boughtMonth ??= lines.month;
        lines.add(ACCOUNT.receipts, { cents: data.amountCents, lot_id: data.lotId });
        this.move(data.lotId, data.amount, lines);
        lines.balance(ACCOUNT.priceRemainders, { lot_id: data.lotId });
        break;
      }
      case 'DeductionSettled':
        lines.add(ACCOUNT.promotionalCredits, {
          credits: freeOf(data.allocations),
          deduction_id: data.deductionId,
          creator_id: data.creatorId,
        });
        for (const row of earnings) {
          if (row.kind === 'earning') this.move(row.lot_id, -row.credits, lines);
          lines.addEarning(row);
          const rest = row.kind === 'earning' ? ACCOUNT.priceRemainders : this.lossOf(row.reversal_id);
          lines.balance(rest, { lot_id: row.lot_id, reversal_id: row.reversal_id });
        }
        break;
      case 'CreditsExpired':
        this.forfeit([data], lines);
        break;
      case 'PurchaseReversed': {
        const { lotId: lot_id, reversalId: reversal_id, cause, amountCents } = data;
        this.lot(lot_id).reversals.push([reversal_id, cause, amountCents]);
        lines.add(cashOf(cause), { cents: -amountCents, lot_id, reversal_id });
        this.move(lot_id, -data.revoked, lines);
        for (const row of earnings) lines.addEarning(row);
        lines.balance(lossesBy(cause), { lot_id, reversal_id });
        break;
      }
      case 'PurchaseReinstated': {
        const { lotId: lot_id, reversalId: reversal_id } = data;
        const [, cause, cents] = this.reversal(reversal_id) ?? [reversal_id, 'refund', 0];
        lines.add(cashOf(cause), { cents, lot_id, reversal_id });
        this.move(lot_id, data.amount, lines);
        lines.balance(lossesBy(cause), { lot_id, reversal_id });
        break;
      }
      case 'DebtRepaid': {
        this.touched.add(data.owedForLotId);
        this.move(data.lotId, -data.amount, lines);
        for (const row of earnings) lines.addEarning(row);
        const reversal_id = this.lot(data.owedForLotId).reversals.at(-1)?.[0] ?? null;
        lines.balance(this.lossOf(reversal_id), { lot_id: data.owedForLotId, reversal_id });
        break;
      }
      case 'CreditsAdjusted':
      case 'CreditsWaived':
        this.forfeit(data.allocations, lines);
        break;
      default:
        break;
    }
    return lines.result;
  }

  /** Credits leave the account, and no money does. */
  private forfeit(taken: readonly Pick<Allocation, 'lotId' | 'kind' | 'amount'>[], lines: Lines): void {
    lines.add(ACCOUNT.promotionalCredits, { credits: freeOf(taken) });
    for (const { lotId, kind, amount } of taken) {
      if (kind !== 'paid') continue;
      this.move(lotId, -amount, lines);
      lines.balance(ACCOUNT.forfeitedCredits, { lot_id: lotId });
    }
  }

  /** Posts unspent credits that a purchase gains or loses, at the difference of their value. */
  private move(lotId: string, credits: number, lines: Lines): void {
    const lot = this.lot(lotId);
    const before = valueOf(lot);
    lot.unspent += credits;
    this.touched.add(lotId);
    const cents = before - valueOf(lot);
    const bought_month = lot.boughtMonth ?? lines.month;
    lines.add(ACCOUNT.customerCredits, { cents, credits: -credits, lot_id: lotId, bought_month });
  }

  private reversal(reversalId: string | null): ReversalEntry | undefined {
    for (const { reversals } of this.lots.values()) {
      const found = reversals.find(([id]) => id === reversalId);
      if (found) return found;
    }
    return undefined;
  }

  private lossOf(reversalId: string | null): AccountNumber {
    return lossesBy(this.reversal(reversalId)?.[1] ?? 'refund');
  }

  private lot(lotId: string): Lot {
    const lot = this.lots.get(lotId) ?? { price: null, boughtMonth: null, unspent: 0, reversals: [] };
    this.lots.set(lotId, lot);
    return lot;
  }
}

/**
 * US cents of the unspent credits of a purchase: their share of the price, rounded up. So they are worth what the
 * settled credits have not earned, and nothing once all are spent.
 */
function valueOf({ price, unspent }: Lot): number {
  if (!price) return 0;
  const product = unspent * price.cents;
  if (!Number.isSafeInteger(product)) return Number(roundedUp(BigInt(unspent) * BigInt(price.cents), price.credits));
  const rest = product % price.credits;
  return (product - rest) / price.credits + (rest > 0 ? 1 : 0);
}

/** Division of integers rounds towards zero. */
function roundedUp(product: bigint, parts: number): bigint {
  const divisor = BigInt(parts);
  const rest = product % BigInt(parts);
  return product / divisor + (rest > 0n ? 1n : 0n);
}

function cashOf(cause: ReversalEntry[1]): AccountNumber {
  return cause === 'refund' ? ACCOUNT.refundsPaid : ACCOUNT.disputesTaken;
}

function lossesBy(cause: ReversalEntry[1]): AccountNumber {
  return cause === 'refund' ? ACCOUNT.refundLosses : ACCOUNT.chargebackLosses;
}

function freeOf(parts: readonly Pick<Allocation, 'kind' | 'amount'>[]): number {
  let sum = 0;
  for (const { kind, amount } of parts) if (kind !== 'paid') sum += amount;
  return sum;
}

type Posted = Partial<Omit<BookEntryTable, 'user_id' | 'version' | 'line' | 'account' | 'event_type' | 'occurred_at'>>;

/** Collects the lines of one event. */
class Lines {
  readonly result: BookEntryTable[] = [];
  /** UTC, YYYY-MM. */
  readonly month: string;
  private readonly occurredAt: Date;
  /** Sum of the lines so far. */
  private sum = 0;

  constructor(
    private readonly userId: string,
    private readonly event: LedgerEvent,
  ) {
    this.occurredAt = new Date(timeOf(event, userId));
    this.month = monthOf(this.occurredAt);
  }

  /** A line of nothing is left out. */
  add(account: AccountNumber, { cents = 0, credits = 0, ...rest }: Posted): void {
    if (cents === 0 && credits === 0) return;
    this.sum += cents;
    this.result.push({
      user_id: this.userId,
      version: this.event.version,
      line: this.result.length,
      account,
      event_type: this.event.type,
      occurred_at: this.occurredAt,
      // Never the negative zero, which no row holds
      cents: cents + 0,
      credits: credits + 0,
      lot_id: rest.lot_id ?? null,
      bought_month: rest.bought_month ?? null,
      deduction_id: rest.deduction_id ?? null,
      creator_id: rest.creator_id ?? null,
      reversal_id: rest.reversal_id ?? null,
      payable_at: rest.payable_at ?? null,
    });
  }

  /** Adds the lines of an earning, a correction or a restoration. */
  addEarning({ lot_id, deduction_id, creator_id, reversal_id, payable_at, ...row }: EarningRow): void {
    const about = { lot_id, deduction_id, creator_id, reversal_id, payable_at };
    this.add(ACCOUNT.platformRevenue, { ...about, cents: -row.platform_cents, credits: -row.credits });
    this.add(ACCOUNT.creatorShare, { ...about, cents: -row.creator_cents });
  }

  /** Posts the rest that makes the sum zero. */
  balance(account: AccountNumber, about: Posted): void {
    this.add(account, { ...about, cents: -this.sum });
  }
}
