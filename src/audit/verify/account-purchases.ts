import { type Allocation } from '../../credits/index.js';
import { type AuditedLots, type DataOf, type Report } from './account-lots.js';

/** A purchase as the account's events state it. Credits and US cents. */
export interface AuditedPurchase {
  readonly credits: number;
  readonly amountCents: number;
  /** The processor's payment. Missing in states that an earlier build has saved. */
  readonly paymentIntentId?: string | null;
  /** Returned by effective reversals. */
  reversedCents: number;
  reversedCredits: number;
  /** Credits taken back after they were spent, and not repaid. */
  debt: number;
}

interface AuditedReversal {
  readonly lotId: string;
  readonly amountCents: number;
  reinstated: boolean;
}

/** The content of {@link AuditedPurchases.save}. */
export interface SavedPurchases {
  readonly owed: number;
  readonly purchases: readonly (readonly [string, AuditedPurchase])[];
  readonly reversals: readonly (readonly [string, AuditedReversal])[];
  readonly arrived: readonly (readonly [string, number])[];
}

/** The purchases of an account, their reversals, and the debt that these leave. */
export class AuditedPurchases {
  /** Debt in credits: taken back by reversals after they were spent, and not repaid yet. */
  owed = 0;
  /** Every purchase ever seen, by session id. */
  readonly purchases = new Map<string, AuditedPurchase>();
  private readonly reversals = new Map<string, AuditedReversal>();
  /** Credits by lot that just arrived: they must pay debt before any other event. */
  private arrived = new Map<string, number>();

  constructor(
    private readonly lots: AuditedLots,
    private readonly report: Report,
  ) {}

  save(): SavedPurchases {
    const { owed, purchases, reversals, arrived } = this;
    return { owed, purchases: [...purchases], reversals: [...reversals], arrived: [...arrived] };
  }

  restore({ owed, purchases, reversals, arrived }: SavedPurchases): void {
    this.owed = owed;
    for (const [id, purchase] of purchases) this.purchases.set(id, purchase);
    for (const [id, reversal] of reversals) this.reversals.set(id, reversal);
    this.arrived = new Map(arrived);
  }

  purchase(data: DataOf<'CreditsPurchased'>, version: number): void {
    const { lotId, amount, amountCents, unitPriceCents, paymentIntentId } = data;
    this.lots.requireAmount(amount, version);
    this.lots.open(lotId, version);
    if (!Number.isSafeInteger(amountCents) || amountCents < 0 || unitPriceCents !== Math.floor(amountCents / amount)) {
      const sentence = `${amount} credits for ${amountCents} cents do not cost ${unitPriceCents} cents each.`;
      this.report(version, 'purchase', sentence);
    }
    const untouched = { reversedCents: 0, reversedCredits: 0, debt: 0 };
    this.purchases.set(lotId, { credits: amount, amountCents, paymentIntentId, ...untouched });
    this.lots.sums.received += amount;
    const lot = { lotId, kind: 'paid', amount, unitPriceCents, expiresAt: null } as const;
    this.lots.add(lot, version);
    this.arrive(lot);
  }

  reverse(data: DataOf<'PurchaseReversed'>, at: number, version: number): void {
    const { lotId, reversalId, amountCents, revoked, debt } = data;
    this.lots.requireAmount(amountCents, version);
    if (this.reversals.has(reversalId)) {
      this.report(version, 'purchase', `Reversal ${reversalId} is recorded a second time.`);
    }
    this.reversals.set(reversalId, { lotId, amountCents, reinstated: false });
    const purchase = this.knownPurchase(lotId, version);
    if (!purchase) return;
    purchase.reversedCents += amountCents;
    const dueCredits = creditsBought(purchase, purchase.reversedCents) - purchase.reversedCredits;
    const lot = this.lots.bought(lotId);
    if (revoked !== Math.min(dueCredits, lot?.amount ?? 0) || debt !== dueCredits - revoked) {
      const sentence = `Reversal ${reversalId} takes ${revoked} credits and adds a debt of ${debt}; due are ${dueCredits}, and the lot holds ${lot?.amount ?? 0}.`;
      this.report(version, 'purchase', sentence);
    }
    purchase.reversedCredits += revoked + debt;
    purchase.debt += debt;
    this.owed += debt;
    this.lots.sums.takenBack += revoked;
    if (lot && revoked > 0) this.lots.take({ ...lot, amount: revoked }, at, version);
  }

  reinstate({ lotId, reversalId, amount }: DataOf<'PurchaseReinstated'>, version: number): void {
    const purchase = this.knownPurchase(lotId, version);
    const reversal = this.reversals.get(reversalId);
    if (reversal?.lotId !== lotId || reversal.reinstated) {
      const reason = reversal?.lotId === lotId ? 'was already undone' : 'is not a reversal of this purchase';
      this.report(version, 'purchase', `Reversal ${reversalId} is undone, but it ${reason}.`);
    }
    if (reversal) reversal.reinstated = true;
    if (!purchase) return;
    purchase.reversedCents -= reversal?.amountCents ?? 0;
    const dueCredits = purchase.reversedCredits - creditsBought(purchase, purchase.reversedCents);
    if (amount !== dueCredits) {
      this.report(
        version,
        'purchase',
        `${amount} credits are reinstated for reversal ${reversalId}, but ${dueCredits} are due.`,
      );
    }
    purchase.reversedCredits -= amount;
    this.lots.sums.received += amount;
    if (amount === 0) return;
    const unitPriceCents = Math.floor(purchase.amountCents / purchase.credits);
    const lot = { lotId, kind: 'paid', amount, unitPriceCents, expiresAt: null } as const;
    this.lots.add(lot, version);
    this.arrive(lot);
  }

  repay({ lotId, owedForLotId, amount }: DataOf<'DebtRepaid'>, at: number, version: number): void {
    const lot = this.lots.bought(lotId);
    const owing = this.knownPurchase(owedForLotId, version);
    const arrived = this.arrived.get(lotId) ?? 0;
    if (amount > arrived || amount > (owing?.debt ?? 0)) {
      const sentence = `${amount} credits of lot ${lotId} repay the debt of ${owedForLotId}, but ${arrived} had just arrived and ${owing?.debt ?? 0} are owed.`;
      this.report(version, 'purchase', sentence);
    }
    this.arrived.set(lotId, arrived - amount);
    if (owing) owing.debt -= amount;
    this.owed -= amount;
    this.lots.sums.takenBack += amount;
    const shown = lot ?? { lotId, kind: 'paid' as const, unitPriceCents: 0, expiresAt: null };
    this.lots.take({ ...shown, amount }, at, version);
  }

  private knownPurchase(lotId: string, version: number): AuditedPurchase | undefined {
    const purchase = this.purchases.get(lotId);
    if (!purchase) this.report(version, 'purchase', `There is no purchase ${lotId}.`);
    return purchase;
  }

  arrive({ lotId, amount }: Pick<Allocation, 'lotId' | 'amount'>): void {
    if (this.owed > 0) this.arrived.set(lotId, (this.arrived.get(lotId) ?? 0) + amount);
  }

  /** Credits that arrive in purchased lots must repay debt at once, until the debt or the credits are used up. */
  checkDebtPaid(version: number): void {
    if (this.arrived.size === 0) return;
    const unused = [...this.arrived].find(([, amount]) => amount > 0);
    if (unused && this.owed > 0) {
      const sentence = `${unused[1]} credits of lot ${unused[0]} arrived while ${this.owed} are owed, but repaid no debt.`;
      this.report(version, 'purchase', sentence);
    }
    this.arrived = new Map();
  }
}

/** The credits that some cents of a purchase bought: the share, rounded down. */
function creditsBought({ credits, amountCents }: AuditedPurchase, cents: number): number {
  if (cents <= 0) return 0;
  return cents >= amountCents ? credits : Number((BigInt(credits) * BigInt(cents)) / BigInt(amountCents));
}
