import { readCreditEvent, type CreditEvent } from '../../credits/index.js';
import type { BookEntryTable, BookPurchaseTable, ReversalEntry } from '../../finance/tables.js';
import type { EarningRow } from '../../revenue/tables.js';
import { textOf } from './read-account.js';
import { type FoldedEvent } from './revenue-audit.js';

/** Numbers of docs/books.md. */
const RECEIPTS_ACCOUNT = 1010;
const CREDITS_ACCOUNT = 2000;
const PROMOTIONAL_ACCOUNT = 2050;
const SHARE_ACCOUNT = 2100;
const REVENUE_ACCOUNT = 4000;
const FORFEITED_ACCOUNT = 4100;
const REMAINDERS_ACCOUNT = 4200;
const CASH = { refund: 1020, dispute: 1030 } as const;
const LOSSES = { refund: 5100, dispute: 5200 } as const;

/** Event types that post nothing, and change nothing that later events post. */
const NOT_BOOKED: ReadonlySet<string> = new Set<CreditEvent['type']>([
  'CreditsDeducted',
  'CreditsRefunded',
  'DeductionVoided',
  'ClockRepaired',
]);

type Account = BookEntryTable['account'];
type Cause = ReversalEntry[1];

interface Purchase {
  /** Null before the purchase was seen. */
  bought: { readonly credits: number; readonly cents: number; readonly month: string } | null;
  unspent: number;
  readonly reversals: ReversalEntry[];
}

/** A line without what all lines of its event share. */
type Posting = Pick<BookEntryTable, 'account'> & Partial<BookEntryTable>;

/**
 * Recomputes the rows of `book_entry` and `book_purchase` of one user from the written rules (`docs/books.md`) and what
 * `RevenueAudit` has recomputed. It shares no code with the projection, so that a mistake there shows here.
 */
export class BooksAudit {
  private readonly bought = new Map<string, Purchase>();
  private postings: Posting[] = [];

  constructor(private readonly userId: string) {}

  /**
   * Adds the next event of the account.
   * @param earned the rows of `creator_earning` that it makes
   * @returns the rows of `book_entry` that it makes
   */
  add(stored: FoldedEvent, earned: readonly EarningRow[]): BookEntryTable[] {
    if (NOT_BOOKED.has(stored.type)) return [];
    const at = Date.parse(String(stored.metadata.occurredAt));
    if (Number.isNaN(at)) throw new Error('it has no valid time.');
    this.postings = [];
    this.post(readCreditEvent(stored), earned, textOf(at).slice(0, 7));
    return this.rowsOf(stored, new Date(at));
  }

  /** Plain literals: they are several times as fast as spread parts, and every settled image makes some. */
  private rowsOf({ version, type }: FoldedEvent, occurredAt: Date): BookEntryTable[] {
    const rows: BookEntryTable[] = [];
    for (const posting of this.postings) {
      const { cents = 0, credits = 0 } = posting;
      if (cents === 0 && credits === 0) continue;
      rows.push({
        user_id: this.userId,
        version,
        line: rows.length,
        account: posting.account,
        event_type: type,
        occurred_at: occurredAt,
        cents,
        credits,
        lot_id: posting.lot_id ?? null,
        bought_month: posting.bought_month ?? null,
        deduction_id: posting.deduction_id ?? null,
        creator_id: posting.creator_id ?? null,
        reversal_id: posting.reversal_id ?? null,
        payable_at: posting.payable_at ?? null,
      });
    }
    return rows;
  }

  /** The rows of `book_purchase` after the events so far. */
  *purchases(): Generator<BookPurchaseTable> {
    for (const [lot_id, { bought, unspent, reversals }] of this.bought) {
      yield {
        user_id: this.userId,
        lot_id,
        credits: bought?.credits ?? null,
        amount_cents: bought?.cents ?? null,
        unspent,
        reversals,
        bought_month: bought?.month ?? null,
      };
    }
  }

  private post({ type, data }: CreditEvent, earned: readonly EarningRow[], month: string): void {
    if (type === 'CreditsGranted') this.postings.push({ account: PROMOTIONAL_ACCOUNT, credits: -data.amount });
    if (type === 'CreditsPurchased') {
      const { lotId: lot_id, amount: credits, amountCents: cents } = data;
      this.purchase(lot_id).bought ??= { credits, cents, month };
      this.postings.push({ account: RECEIPTS_ACCOUNT, cents, lot_id });
      this.change(lot_id, credits, month);
      this.close(REMAINDERS_ACCOUNT, { lot_id });
    }
    if (type === 'DeductionSettled') {
      const credits = freeCredits(data.allocations);
      const image = { deduction_id: data.deductionId, creator_id: data.creatorId };
      this.postings.push({ account: PROMOTIONAL_ACCOUNT, credits, ...image });
      for (const row of earned) {
        const { lot_id, reversal_id } = row;
        if (row.kind === 'earning') this.change(lot_id, -row.credits, month);
        this.share(row);
        this.close(row.kind === 'earning' ? REMAINDERS_ACCOUNT : LOSSES[this.causeOf(reversal_id)], {
          lot_id,
          reversal_id,
        });
      }
    }
    if (type === 'CreditsExpired') this.leave([data], month);
    if (type === 'CreditsAdjusted' || type === 'CreditsWaived') this.leave(data.allocations, month);
    if (type === 'PurchaseReversed') {
      const about = { lot_id: data.lotId, reversal_id: data.reversalId };
      this.purchase(data.lotId).reversals.push([data.reversalId, data.cause, data.amountCents]);
      this.postings.push({ account: CASH[data.cause], cents: -data.amountCents, ...about });
      this.change(data.lotId, -data.revoked, month);
      for (const row of earned) this.share(row);
      this.close(LOSSES[data.cause], about);
    }
    if (type === 'PurchaseReinstated') {
      const about = { lot_id: data.lotId, reversal_id: data.reversalId };
      const [, cause, cents] = this.reversal(data.reversalId) ?? ['', 'refund' as const, 0];
      this.postings.push({ account: CASH[cause], cents, ...about });
      this.change(data.lotId, data.amount, month);
      this.close(LOSSES[cause], about);
    }
    if (type === 'DebtRepaid') {
      const [reversal_id = null] = this.purchase(data.owedForLotId).reversals.at(-1) ?? [];
      this.change(data.lotId, -data.amount, month);
      for (const row of earned) this.share(row);
      this.close(LOSSES[this.causeOf(reversal_id)], { lot_id: data.owedForLotId, reversal_id });
    }
  }

  private purchase(lotId: string): Purchase {
    let purchase = this.bought.get(lotId);
    if (!purchase) this.bought.set(lotId, (purchase = { bought: null, unspent: 0, reversals: [] }));
    return purchase;
  }

  private reversal(reversalId: string | null): ReversalEntry | undefined {
    return [...this.bought.values()].flatMap(({ reversals }) => reversals).find(([id]) => id === reversalId);
  }

  private causeOf(reversalId: string | null): Cause {
    return this.reversal(reversalId)?.[1] ?? 'refund';
  }

  /** Unspent credits of a purchase that come or go. */
  private change(lot_id: string, credits: number, month: string): void {
    const purchase = this.purchase(lot_id);
    const before = worth(purchase);
    purchase.unspent += credits;
    const cents = before - worth(purchase);
    const bought_month = purchase.bought?.month ?? month;
    this.postings.push({ account: CREDITS_ACCOUNT, cents, credits: 0 - credits, lot_id, bought_month });
  }

  /** Credits that leave the account for nothing. */
  private leave(parts: readonly { kind: string; lotId: string; amount: number }[], month: string): void {
    this.postings.push({ account: PROMOTIONAL_ACCOUNT, credits: freeCredits(parts) });
    for (const { kind, lotId: lot_id, amount } of parts) {
      if (kind !== 'paid') continue;
      this.change(lot_id, -amount, month);
      this.close(FORFEITED_ACCOUNT, { lot_id });
    }
  }

  private share(row: EarningRow): void {
    const { lot_id, deduction_id, creator_id, reversal_id, payable_at } = row;
    const cents = 0 - row.platform_cents;
    const credits = 0 - row.credits;
    this.postings.push({
      account: REVENUE_ACCOUNT,
      cents,
      credits,
      lot_id,
      deduction_id,
      creator_id,
      reversal_id,
      payable_at,
    });
    const share = 0 - row.creator_cents;
    this.postings.push({
      account: SHARE_ACCOUNT,
      cents: share,
      lot_id,
      deduction_id,
      creator_id,
      reversal_id,
      payable_at,
    });
  }

  /** Posts the difference to zero. */
  private close(
    account: Account,
    { lot_id, reversal_id }: Pick<Partial<BookEntryTable>, 'lot_id' | 'reversal_id'>,
  ): void {
    let open = 0;
    for (const { cents = 0 } of this.postings) open += cents;
    this.postings.push({ account, cents: 0 - open, lot_id: lot_id ?? null, reversal_id: reversal_id ?? null });
  }
}

function freeCredits(parts: readonly { readonly kind: string; readonly amount: number }[]): number {
  let credits = 0;
  for (const { kind, amount } of parts) credits += kind === 'paid' ? 0 : amount;
  return credits;
}

/** Cents of the unspent credits: the price less the part of all other credits, rounded down. */
function worth({ bought, unspent }: Purchase): number {
  if (!bought) return 0;
  const others = BigInt(bought.credits - unspent);
  const cents = BigInt(bought.cents);
  const credits = BigInt(bought.credits);
  const part = (others * cents) / credits;
  const rest = (others * cents) % credits;
  return bought.cents - Number(rest < 0n ? part - 1n : part);
}
