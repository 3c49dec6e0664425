import { type AccountBalance, type ProblemKind } from '../../contract/audit.js';
import { DAY_MS } from '../../contract/durations.js';
import { type Allocation, type CreditEvent, type CreditKind } from '../../credits/index.js';

/** Start of the lot id of a daily grant. The day follows. */
const DAILY = 'daily:';
const SPENDING_ORDER: Readonly<Record<CreditKind, number>> = { daily: 0, bonus: 1, paid: 2 };

/** Credits by kind. */
export type KindTotals = AccountBalance;

interface AuditedLot {
  readonly lotId: string;
  readonly kind: CreditKind;
  readonly unitPriceCents: number;
  /** Epoch milliseconds; null means never. */
  readonly expiresAt: number | null;
  /** Index among the account's lots by age, the oldest first. */
  readonly age: number;
  remaining: number;
}

type SpendingOrder = Pick<AuditedLot, 'lotId' | 'kind' | 'age'>;

/** Receives a problem of an event: its version, and the problem as a sentence. */
export type Report = (version: number, kind: ProblemKind, sentence: string) => void;

/** Sums of the amounts in the events. */
interface AuditedSums {
  received: number;
  open: number;
  settled: number;
  expired: number;
  takenBack: number;
}

/** The data of an event. */
export type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

/** The content of {@link AuditedLots.save}. */
export interface SavedLots {
  readonly held: number;
  readonly granted: number;
  readonly sums: AuditedSums;
  readonly lots: readonly (readonly [string, AuditedLot])[];
  readonly ages: readonly (readonly [string, number])[];
}

/** The lots of an account, and the sums of the events with which their content must agree. */
export class AuditedLots {
  /** Sums of the amounts in the events. */
  readonly sums: AuditedSums = { received: 0, open: 0, settled: 0, expired: 0, takenBack: 0 };
  private readonly lots = new Map<string, AuditedLot>();
  /** The age index of every lot ever granted or bought, by id. */
  private readonly ages = new Map<string, number>();
  /** Lots granted or bought so far. */
  private granted = 0;
  private heldCredits = 0;
  private conserved = true;

  constructor(private readonly report: Report) {}

  /** The state for {@link restore}. @param kept also the ages of these lots, when their day is over at `lastAt` */
  save(kept: Iterable<string>, lastAt: number): SavedLots {
    const { heldCredits, granted, sums } = this;
    const current = new Set(kept);
    for (const { lotId } of this.lots.values()) current.add(lotId);
    const ages = [...this.ages].filter(([lotId]) => current.has(lotId) || !isPastDay(lotId, lastAt));
    return { held: heldCredits, granted, sums, lots: [...this.lots], ages };
  }

  restore({ held: heldCredits, granted, sums, lots, ages }: SavedLots): void {
    this.heldCredits = heldCredits;
    this.granted = granted;
    Object.assign(this.sums, sums);
    for (const [key, lot] of lots) this.lots.set(key, lot);
    for (const [id, age] of ages) this.ages.set(id, age);
  }

  /** Credits that can be spent at an instant (epoch milliseconds), given the events seen; lapsed lots do not count. */
  spendableAt(at: number): KindTotals {
    return this.totals((lot) => !hasLapsed(lot, at));
  }

  /** Credits in all lots, including those that have lapsed without an event yet. */
  recorded(): KindTotals {
    return this.totals(() => true);
  }

  /** Non-empty lots that lapse after `after` and until `until` (inclusive), in the order in which they lapse. */
  lapsing(after: number, until: number): { readonly lotId: string; readonly amount: number; readonly at: number }[] {
    return [...this.lots.values()]
      .flatMap(({ lotId, remaining: amount, expiresAt: at }) => (at === null ? [] : [{ lotId, amount, at }]))
      .filter(({ at, amount }) => at > after && at <= until && amount !== 0)
      .sort((a, b) => a.at - b.at);
  }

  /** The content of a purchased lot; undefined when it is empty. */
  bought(lotId: string): Allocation | undefined {
    const lot = this.lots.get(keyOf({ lotId, expiresAt: null }));
    return lot && allocationOf(lot);
  }

  /** The unspent paid credits, the oldest lot first. */
  unspentPaid(): Allocation[] {
    const paid = [...this.lots.values()].filter(({ kind, remaining }) => kind === 'paid' && remaining > 0);
    return paid.sort((a, b) => a.age - b.age).map(allocationOf);
  }

  /** The UTC days of all daily grants. */
  grantedDays(): string[] {
    return [...this.ages.keys()].flatMap((lotId) => (lotId.startsWith(DAILY) ? [lotId.slice(DAILY.length)] : []));
  }

  /** Gives a new lot its age. */
  open(lotId: string, version: number): void {
    if (this.ages.has(lotId)) this.report(version, 'lot', `Lot ${lotId} is granted a second time.`);
    else this.ages.set(lotId, this.granted++);
  }

  /**
   * Takes credits and checks the order: daily before bonus before paid, the oldest lot of a kind first. A refunded lot
   * keeps its age. No spendable credits may remain in a lot that comes before the last one in this order.
   */
  takeInOrder(subject: string, allocations: readonly Allocation[], at: number, version: number): void {
    let last: SpendingOrder | null = null;
    for (const allocation of allocations) {
      this.take(allocation, at, version);
      const next = { ...allocation, age: this.ageOf(allocation.lotId) };
      if (last && goesBefore(next, last)) {
        this.report(
          version,
          'deduction',
          `${subject} takes credits from lot ${last.lotId} before lot ${next.lotId}, which must be spent first.`,
        );
      } else last = next;
    }
    if (!last) return;
    for (const lot of this.lots.values()) {
      if (lot.remaining > 0 && !hasLapsed(lot, at) && goesBefore(lot, last)) {
        this.report(version, 'deduction', `${subject} leaves credits in lot ${lot.lotId}, which must be spent first.`);
      }
    }
  }

  /** Age index of a lot; after all others for a lot that was never granted. */
  private ageOf(lotId: string): number {
    return this.ages.get(lotId) ?? this.granted;
  }

  expire(data: DataOf<'CreditsExpired'>, at: number, version: number): void {
    const key = keyOf(data);
    const lot = this.lots.get(key);
    if (!lot || lot.remaining !== data.amount || lot.kind !== data.kind) {
      const holds = lot?.remaining ?? 0;
      this.report(version, 'lot', `${data.amount} credits of lot ${data.lotId} expire, but it holds ${holds}.`);
    }
    if (Date.parse(data.expiresAt) > at) this.report(version, 'lot', `Lot ${data.lotId} expires before its time.`);
    this.lots.delete(key);
    this.heldCredits -= lot?.remaining ?? 0;
    this.sums.expired += data.amount;
  }

  add(added: Allocation, version: number): void {
    this.requireAmount(added.amount, version);
    const key = keyOf(added);
    const lot = this.lots.get(key);
    this.heldCredits += added.amount;
    if (lot) lot.remaining += added.amount;
    else {
      const { lotId, kind, unitPriceCents, amount: remaining } = added;
      const expiresAt = instantOf(added.expiresAt);
      this.lots.set(key, { lotId, kind, unitPriceCents, remaining, expiresAt, age: this.ageOf(lotId) });
    }
  }

  take(allocation: Allocation, at: number, version: number): void {
    const { lotId, kind, amount, unitPriceCents } = allocation;
    this.requireAmount(amount, version);
    this.heldCredits -= amount;
    const key = keyOf(allocation);
    const lot = this.lots.get(key);
    if (!lot || lot.remaining < amount) {
      this.report(version, 'lot', `${amount} credits are taken from lot ${lotId}, which holds ${lot?.remaining ?? 0}.`);
    }
    if (!lot) return;
    if (lot.kind !== kind || lot.unitPriceCents !== unitPriceCents) {
      this.report(version, 'lot', `Credits of lot ${lotId} are taken with another kind or price than the lot has.`);
    }
    if (hasLapsed(lot, at)) this.report(version, 'lot', `Credits of lot ${lotId} are taken after they lapsed.`);
    lot.remaining -= amount;
    if (lot.remaining === 0) this.lots.delete(key);
  }

  /** Reports what is not a number of credits. */
  requireAmount(amount: number, version: number): void {
    if (Number.isSafeInteger(amount) && amount > 0) return;
    this.report(version, 'event', `${String(amount)} is not a number of credits.`);
  }

  /**
   * Granted + purchased + reinstated = remaining + open + settled + expired + revoked + repaid + adjusted + waived,
   * after every event. Reported once: all later sums differ too.
   */
  checkConservation(version: number): void {
    const { received, open, settled, expired, takenBack } = this.sums;
    if (!this.conserved || received === this.heldCredits + open + settled + expired + takenBack) return;
    this.conserved = false;
    this.report(
      version,
      'conservation',
      `${received} credits were received, but ${this.heldCredits} are left, ${open} open, ${settled} settled, ${expired} expired and ${takenBack} taken back.`,
    );
  }

  private totals(counts: (lot: AuditedLot) => boolean): KindTotals {
    const totals = { daily: 0, bonus: 0, paid: 0, total: 0 };
    for (const lot of this.lots.values()) {
      if (!counts(lot)) continue;
      totals[lot.kind] += lot.remaining;
      totals.total += lot.remaining;
    }
    return totals;
  }
}

/** Identifies a lot by id and expiry. An instant contains no line feed. */
function keyOf({ lotId, expiresAt }: Pick<Allocation, 'lotId' | 'expiresAt'>): string {
  return `${instantOf(expiresAt)}\n${lotId}`;
}

function allocationOf(lot: AuditedLot): Allocation {
  const { lotId, kind, unitPriceCents, remaining: amount } = lot;
  const expiresAt = lot.expiresAt === null ? null : new Date(lot.expiresAt).toISOString();
  return { lotId, kind, amount, unitPriceCents, expiresAt };
}

/** Epoch milliseconds; null means never. */
export function instantOf(expiresAt: string | null): number | null {
  return expiresAt === null ? null : Date.parse(expiresAt);
}

/** True for the lot of a daily grant whose day is over: another grant of that lot breaks a rule by its day alone. */
function isPastDay(lotId: string, at: number): boolean {
  return lotId.startsWith(DAILY) && Date.parse(lotId.slice(DAILY.length)) + DAY_MS <= at;
}

function goesBefore(a: SpendingOrder, b: SpendingOrder): boolean {
  return a.kind === b.kind ? a.age < b.age : SPENDING_ORDER[a.kind] < SPENDING_ORDER[b.kind];
}

function hasLapsed({ expiresAt }: AuditedLot, at: number): boolean {
  return expiresAt !== null && expiresAt <= at;
}
