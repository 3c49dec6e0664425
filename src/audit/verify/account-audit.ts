import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { isClosed, readCreditEvent, type Allocation, type CreditEvent, type CreditKind } from '../../credits/index.js';
import { textIn, textOf, timeOf } from './read-account.js';
import { StreamAudit } from './stream-audit.js';
import { DAY_MS } from '../../contract/durations.js';

export type { LedgerProblem } from './stream-audit.js';

/** Start of the lot id of a daily grant. The day follows. */
const DAILY = 'daily:';
const SPENDING_ORDER: Readonly<Record<CreditKind, number>> = { daily: 0, bonus: 1, paid: 2 };
/** Every sign-up bonus ever granted, in credits (fan spec, section 9). A new bonus must be added here. */
export const SIGN_UP_BONUSES: readonly number[] = [30];

/** A saved state keeps ended deductions for so much longer than the ledger accepts their ids. Milliseconds. */
const KEPT_MS = 60 * DAY_MS;

/** Credits by kind. */
export interface KindTotals {
  readonly daily: number;
  readonly bonus: number;
  readonly paid: number;
  readonly total: number;
}

/** A deduction and its outcome. */
export interface DeductionRecord {
  /** Credits taken; 0 when voided. */
  readonly amount: number;
  /** Null when voided. */
  readonly creatorId: string | null;
  /** Whether the user was the creator. Null when no event states it: version 1, and voided ids. */
  readonly ownGeneration: boolean | null;
  readonly outcome: 'open' | 'settled' | 'refunded' | 'voided';
  /** The hashes of image and prompt that the settlement fixes. Missing without them, and in saved states. */
  readonly hashes?: readonly [image: string, prompt: string];
}

/** A repair of an account's time by an admin. */
export interface AuditedRepair {
  readonly version: number;
  /** Time of the repair, epoch milliseconds. */
  readonly at: number;
  /** The account's time before, epoch milliseconds. */
  readonly aheadUntil: number;
  readonly actorId: string;
  readonly reason: string;
}

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

const SHA_256 = /^[0-9a-f]{64}$/;

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

type Place = Pick<AuditedLot, 'lotId' | 'kind' | 'age'>;

type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

/** The content of `AccountAudit.save`. */
interface SavedAudit {
  readonly version: number;
  readonly head: string | null;
  readonly events: number;
  readonly owed: number;
  /** Null before the first event: JSON has no infinity. */
  readonly lastAt: number | null;
  readonly held: number;
  readonly granted: number;
  readonly sums: AuditedSums;
  readonly repairs: readonly AuditedRepair[];
  readonly deductions: readonly (readonly [string, DeductionRecord])[];
  readonly purchases: readonly (readonly [string, AuditedPurchase])[];
  readonly reversals: readonly (readonly [string, AuditedReversal])[];
  readonly adjustments: readonly string[];
  readonly arrived: readonly (readonly [string, number])[];
  readonly lots: readonly (readonly [string, AuditedLot])[];
  readonly open: readonly (readonly [string, OpenDeduction])[];
  readonly ages: readonly (readonly [string, number])[];
}

interface AuditedReversal {
  readonly lotId: string;
  readonly amountCents: number;
  reinstated: boolean;
}

/** Sums of the amounts in the events. */
interface AuditedSums {
  received: number;
  open: number;
  settled: number;
  expired: number;
  takenBack: number;
}

interface OpenDeduction {
  readonly creatorId: string;
  readonly ownGeneration: boolean;
  readonly amount: number;
  readonly allocations: readonly Allocation[];
}

/**
 * Checks one account, event by event, against the rules of the ledger. It has a fold of its own and uses no code of the
 * aggregate (`credits/account/`), so that a mistake there shows here. It reports the problems of each event and
 * continues as long as events can be folded.
 */
export class AccountAudit extends StreamAudit {
  /** Debt in credits: taken back by reversals after they were spent, and not repaid yet. */
  owed = 0;
  /** When the sign-up bonus was granted, epoch milliseconds; null before. */
  signUpBonusAt: number | null = null;
  /** Every deduction ever seen, by id. */
  readonly deductions = new Map<string, DeductionRecord>();
  /** Every purchase ever seen, by session id. */
  readonly purchases = new Map<string, AuditedPurchase>();
  /** Repairs of the account's time, in order. Nearly always empty. */
  readonly repairs: AuditedRepair[] = [];

  private readonly reversals = new Map<string, AuditedReversal>();
  private readonly adjustments = new Set<string>();
  /** Credits by lot that just arrived: they must pay debt before any other event. */
  private arrived = new Map<string, number>();
  private readonly lots = new Map<string, AuditedLot>();
  private readonly open = new Map<string, OpenDeduction>();
  /** The age index of every lot ever granted or bought, by id. */
  private readonly ages = new Map<string, number>();
  /** Lots granted or bought so far. */
  private granted = 0;
  /** Sums of the amounts in the events. The content of the lots must agree. */
  private readonly sums: AuditedSums = { received: 0, open: 0, settled: 0, expired: 0, takenBack: 0 };
  private held = 0;
  private conserved = true;

  override end(): void {
    if (this.readable) this.checkDebtPaid(this.version);
  }

  /** Credits that can be spent at an instant (epoch milliseconds), given the events seen; lapsed lots do not count. */
  spendableAt(at: number): KindTotals {
    return this.totals((lot) => !hasLapsed(lot, at));
  }

  /** Credits in all lots, including those that have lapsed without an event yet. */
  recorded(): KindTotals {
    return this.totals(() => true);
  }

  /** Credits in deductions that have not ended. */
  get openCredits(): number {
    return this.sums.open;
  }

  /** Non-empty lots that lapse after `after` and until `until` (inclusive), in the order in which they lapse. */
  lapsing(after: number, until: number): { readonly lotId: string; readonly amount: number; readonly at: number }[] {
    return [...this.lots.values()]
      .flatMap(({ lotId, remaining: amount, expiresAt: at }) => (at === null ? [] : [{ lotId, amount, at }]))
      .filter(({ at, amount }) => at > after && at <= until && amount !== 0)
      .sort((a, b) => a.at - b.at);
  }

  /**
   * The state from which another instance can continue, as JSON. Ids that the ledger no longer accepts are left out, so
   * that its size depends on the last weeks and not on the age of the account (see {@link mayHaveForgotten}).
   */
  save(): string {
    const { version, head, events, owed, lastAt, sums, held } = this;
    const kept = new Set([...this.lots.values()].map(({ lotId }) => lotId));
    for (const { allocations } of this.open.values()) for (const { lotId } of allocations) kept.add(lotId);
    const state: SavedAudit = {
      ...{ version, head, events, owed, lastAt, sums, held, granted: this.granted },
      // Without hashes: the rows of new events are compared when they are read.
      deductions: [...this.deductions]
        .filter(([id, { outcome }]) => outcome === 'open' || !isClosed(id, lastAt - KEPT_MS))
        .map(([id, { hashes: _hashes, ...record }]) => [id, record] as const),
      purchases: [...this.purchases],
      repairs: this.repairs,
      reversals: [...this.reversals],
      adjustments: [...this.adjustments],
      arrived: [...this.arrived],
      lots: [...this.lots],
      open: [...this.open],
      ages: [...this.ages].filter(([lotId]) => kept.has(lotId) || !isPastDay(lotId, lastAt)),
    };
    return JSON.stringify(state);
  }

  /** Continues from a saved state. Must be called before the first event. */
  restore(saved: string): void {
    const state = JSON.parse(saved) as SavedAudit;
    this.version = state.version;
    this.head = state.head;
    this.events = state.events;
    this.owed = state.owed;
    this.lastAt = state.lastAt ?? Number.NEGATIVE_INFINITY;
    this.held = state.held;
    this.granted = state.granted;
    Object.assign(this.sums, state.sums);
    this.repairs.push(...state.repairs);
    this.arrived = new Map(state.arrived);
    for (const [id, record] of state.deductions) this.deductions.set(id, record);
    for (const [id, purchase] of state.purchases) this.purchases.set(id, purchase);
    for (const [id, reversal] of state.reversals) this.reversals.set(id, reversal);
    for (const id of state.adjustments) this.adjustments.add(id);
    for (const [key, lot] of state.lots) this.lots.set(key, lot);
    for (const [id, open] of state.open) this.open.set(id, open);
    for (const [id, age] of state.ages) this.ages.set(id, age);
  }

  /** True when the next event concerns a deduction that a saved state may have left out. */
  mayHaveForgotten({ data, ...stored }: StoredEvent): boolean {
    const id = data['deductionId'];
    if (typeof id !== 'string' || this.deductions.has(id)) return false;
    return isClosed(id, timeOf({ data, ...stored }));
  }

  protected override read(stored: StoredEvent): void {
    const event = readCreditEvent(stored);
    const at = event.type === 'ClockRepaired' ? this.repair(event, stored) : this.advance(stored);
    if (event.type !== 'DebtRepaid') this.checkDebtPaid(stored.version - 1);
    this.apply(event, at, stored.version);
    if (event.type === 'CreditsDeducted') this.checkOwner(event.data, stored);
    this.checkConservation(stored.version);
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

  /** The one step back that time may take: an admin's repair, which must state exactly what it repairs. */
  private repair({ data }: Extract<CreditEvent, { type: 'ClockRepaired' }>, stored: StoredEvent): number {
    const at = this.timeIn(stored);
    const { version, metadata } = stored;
    const actorId = textIn(metadata.actorId) ?? '';
    const aheadUntil = Date.parse(data.aheadUntil);
    if (at >= this.lastAt || aheadUntil !== this.lastAt) {
      this.report(
        version,
        'event',
        'The repair of the clock states another time than the account has, or sets it ahead.',
      );
    }
    if (actorId === '' || actorId === 'system') {
      this.report(version, 'event', 'The repair of the clock names no admin.');
    }
    const days = [...this.ages.keys()].flatMap((lotId) => (lotId.startsWith(DAILY) ? [lotId.slice(DAILY.length)] : []));
    const today = new Date(at).toISOString().slice(0, 10);
    const lastDue =
      days
        .filter((day) => day <= today)
        .sort()
        .at(-1) ?? null;
    const aheadDue = days.filter((day) => day > today).sort();
    if (data.lastDailyGrant !== lastDue || data.grantedAhead.join() !== aheadDue.join()) {
      this.report(version, 'event', 'The repair of the clock states other daily grants than the account has.');
    }
    this.repairs.push({ version, at, aheadUntil, actorId, reason: data.reason });
    this.lastAt = at;
    return at;
  }

  private apply(event: CreditEvent, at: number, version: number): void {
    const { type, data } = event;
    switch (type) {
      case 'CreditsGranted':
        this.requireAmount(data.amount, version);
        this.checkGrant(event, at, version);
        this.sums.received += data.amount;
        this.addToLot({ ...data, unitPriceCents: 0 }, version);
        return;
      case 'CreditsDeducted':
        this.takeDeduction(data, at, version);
        return;
      case 'DeductionSettled': {
        const open = this.endDeduction(data, 'settled', version);
        this.fixImage(data, version);
        if (open && !sameAllocations(open.allocations, data.allocations)) {
          this.report(
            version,
            'deduction',
            `${data.deductionId} is settled with other allocations than it was deducted with.`,
          );
        }
        if (open && open.ownGeneration !== data.ownGeneration) {
          const due = open.ownGeneration ? '' : 'not ';
          const sentence = `${data.deductionId} was deducted as ${due}the creator's own generation, but its settlement states the opposite.`;
          this.report(version, 'deduction', sentence);
        }
        this.sums.settled += data.amount;
        return;
      }
      case 'CreditsRefunded': {
        const open = this.endDeduction(data, 'refunded', version);
        const due = open?.allocations.map((allocation) => restored(allocation, at));
        if (due && !sameAllocations(due, data.restorations)) {
          this.report(
            version,
            'deduction',
            `The refund of ${data.deductionId} does not restore exactly what was taken.`,
          );
        }
        for (const restoration of data.restorations) {
          this.addToLot(restoration, version);
          if ((this.purchases.get(restoration.lotId)?.reversedCredits ?? 0) > 0) this.arrive(restoration);
        }
        return;
      }
      case 'DeductionVoided': {
        const known = this.deductions.get(data.deductionId);
        if (known)
          this.report(version, 'deduction', `${data.deductionId} is voided, but it was already ${known.outcome}.`);
        else
          this.deductions.set(data.deductionId, { amount: 0, creatorId: null, ownGeneration: null, outcome: 'voided' });
        return;
      }
      case 'CreditsExpired':
        this.expire(data, at, version);
        return;
      case 'CreditsPurchased':
        this.purchase(data, version);
        return;
      case 'PurchaseReversed':
        this.reverse(data, at, version);
        return;
      case 'PurchaseReinstated':
        this.reinstate(data, version);
        return;
      case 'DebtRepaid':
        this.repay(data, at, version);
        return;
      case 'CreditsAdjusted': {
        const { adjustmentId, amount, allocations } = data;
        this.requireAmount(amount, version);
        if (this.adjustments.has(adjustmentId)) {
          this.report(version, 'event', `Adjustment ${adjustmentId} is made a second time.`);
        }
        this.adjustments.add(adjustmentId);
        this.takeInOrder(`Adjustment ${adjustmentId}`, allocations, at, version);
        this.sums.takenBack += amount;
        return;
      }
      case 'CreditsWaived':
        this.waive(data, at, version);
        return;
      case 'ClockRepaired':
        return;
    }
  }

  /** A waiver takes paid credits only, the oldest lot first, and leaves none. */
  private waive({ waiverId, amount, allocations }: DataOf<'CreditsWaived'>, at: number, version: number): void {
    this.requireAmount(amount, version);
    const paid = [...this.lots.values()].filter(({ kind, remaining }) => kind === 'paid' && remaining > 0);
    const due = paid.sort((a, b) => a.age - b.age).map((lot) => ({ ...allocationOf(lot), amount: lot.remaining }));
    if (!sameAllocations(due, allocations) || due.reduce((sum, each) => sum + each.amount, 0) !== amount) {
      this.report(version, 'purchase', `Waiver ${waiverId} does not take exactly the unspent paid credits.`);
    }
    for (const allocation of allocations) this.takeFromLot(allocation, at, version);
    this.sums.takenBack += amount;
  }

  private checkGrant({ data }: Extract<CreditEvent, { type: 'CreditsGranted' }>, at: number, version: number): void {
    const { lotId, kind, source, amount, expiresAt } = data;
    this.openLot(lotId, version);
    const day = textOf(at).slice(0, 10);
    const endOfDay = new Date(endOfUtcDay(at)).toISOString();
    const valid = {
      signup: lotId === 'signup' && kind === 'bonus' && expiresAt === null,
      daily: lotId === `daily:${day}` && kind === 'daily' && expiresAt === endOfDay,
      admin: lotId.startsWith('grant:') && kind === 'bonus' && expiresAt === null,
    }[source];
    if (!valid) this.report(version, 'lot', `Lot ${lotId} breaks the rules of a ${source} grant.`);
    if (source === 'signup') this.signUpBonusAt ??= at;
    if (source === 'signup' && !SIGN_UP_BONUSES.includes(amount)) {
      this.report(
        version,
        'lot',
        `The sign-up bonus must be ${SIGN_UP_BONUSES.join(' or ')} credits, but it is ${amount}.`,
      );
    }
  }

  private openLot(lotId: string, version: number): void {
    if (this.ages.has(lotId)) this.report(version, 'lot', `Lot ${lotId} is granted a second time.`);
    else this.ages.set(lotId, this.granted++);
  }

  private takeDeduction(
    { deductionId, creatorId, ownGeneration, amount, allocations }: DataOf<'CreditsDeducted'>,
    at: number,
    version: number,
  ): void {
    this.requireAmount(amount, version);
    const known = this.deductions.get(deductionId);
    if (known) this.report(version, 'deduction', `${deductionId} is deducted, but it was already ${known.outcome}.`);
    this.takeInOrder(deductionId, allocations, at, version);
    this.sums.open += amount;
    this.open.set(deductionId, { creatorId, ownGeneration, amount, allocations });
    this.deductions.set(deductionId, { amount, creatorId, ownGeneration, outcome: 'open' });
  }

  /** Version 1 did not record whether the user was the creator. Its false is no statement. */
  private checkOwner({ deductionId, ownGeneration }: DataOf<'CreditsDeducted'>, { data, version }: StoredEvent): void {
    const record = this.deductions.get(deductionId);
    if (record && (data as { schemaVersion?: unknown }).schemaVersion === 1) {
      this.deductions.set(deductionId, { ...record, ownGeneration: null });
    }
    if (typeof ownGeneration === 'boolean') return;
    this.report(version, 'event', `Whether ${deductionId} is the creator's own generation must be true or false.`);
  }

  /**
   * Takes credits and checks the order: daily before bonus before paid, the oldest lot of a kind first. A refunded lot
   * keeps its age. No spendable credits may remain in a lot that comes before the last one in this order.
   */
  private takeInOrder(subject: string, allocations: readonly Allocation[], at: number, version: number): void {
    let last: Place | null = null;
    for (const allocation of allocations) {
      this.takeFromLot(allocation, at, version);
      const place = { ...allocation, age: this.ageOf(allocation.lotId) };
      if (last && goesBefore(place, last)) {
        this.report(
          version,
          'deduction',
          `${subject} takes credits from lot ${last.lotId} before lot ${place.lotId}, which must be spent first.`,
        );
      } else last = place;
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

  private purchase(data: DataOf<'CreditsPurchased'>, version: number): void {
    const { lotId, amount, amountCents, unitPriceCents, paymentIntentId } = data;
    this.requireAmount(amount, version);
    this.openLot(lotId, version);
    if (!Number.isSafeInteger(amountCents) || amountCents < 0 || unitPriceCents !== Math.floor(amountCents / amount)) {
      const sentence = `${amount} credits for ${amountCents} cents do not cost ${unitPriceCents} cents each.`;
      this.report(version, 'purchase', sentence);
    }
    const untouched = { reversedCents: 0, reversedCredits: 0, debt: 0 };
    this.purchases.set(lotId, { credits: amount, amountCents, paymentIntentId, ...untouched });
    this.sums.received += amount;
    const lot = { lotId, kind: 'paid', amount, unitPriceCents, expiresAt: null } as const;
    this.addToLot(lot, version);
    this.arrive(lot);
  }

  private reverse(data: DataOf<'PurchaseReversed'>, at: number, version: number): void {
    const { lotId, reversalId, amountCents, revoked, debt } = data;
    this.requireAmount(amountCents, version);
    if (this.reversals.has(reversalId)) {
      this.report(version, 'purchase', `Reversal ${reversalId} is recorded a second time.`);
    }
    this.reversals.set(reversalId, { lotId, amountCents, reinstated: false });
    const purchase = this.knownPurchase(lotId, version);
    if (!purchase) return;
    purchase.reversedCents += amountCents;
    const due = creditsBought(purchase, purchase.reversedCents) - purchase.reversedCredits;
    const lot = this.lots.get(keyOf({ lotId, expiresAt: null }));
    if (revoked !== Math.min(due, lot?.remaining ?? 0) || debt !== due - revoked) {
      const sentence = `Reversal ${reversalId} takes ${revoked} credits and adds a debt of ${debt}; due are ${due}, and the lot holds ${lot?.remaining ?? 0}.`;
      this.report(version, 'purchase', sentence);
    }
    purchase.reversedCredits += revoked + debt;
    purchase.debt += debt;
    this.owed += debt;
    this.sums.takenBack += revoked;
    if (lot && revoked > 0) this.takeFromLot({ ...allocationOf(lot), amount: revoked }, at, version);
  }

  private reinstate({ lotId, reversalId, amount }: DataOf<'PurchaseReinstated'>, version: number): void {
    const purchase = this.knownPurchase(lotId, version);
    const reversal = this.reversals.get(reversalId);
    if (reversal?.lotId !== lotId || reversal.reinstated) {
      const reason = reversal?.lotId === lotId ? 'was already undone' : 'is not a reversal of this purchase';
      this.report(version, 'purchase', `Reversal ${reversalId} is undone, but it ${reason}.`);
    }
    if (reversal) reversal.reinstated = true;
    if (!purchase) return;
    purchase.reversedCents -= reversal?.amountCents ?? 0;
    const due = purchase.reversedCredits - creditsBought(purchase, purchase.reversedCents);
    if (amount !== due) {
      this.report(
        version,
        'purchase',
        `${amount} credits are reinstated for reversal ${reversalId}, but ${due} are due.`,
      );
    }
    purchase.reversedCredits -= amount;
    this.sums.received += amount;
    if (amount === 0) return;
    const unitPriceCents = Math.floor(purchase.amountCents / purchase.credits);
    const lot = { lotId, kind: 'paid', amount, unitPriceCents, expiresAt: null } as const;
    this.addToLot(lot, version);
    this.arrive(lot);
  }

  private repay({ lotId, owedForLotId, amount }: DataOf<'DebtRepaid'>, at: number, version: number): void {
    const lot = this.lots.get(keyOf({ lotId, expiresAt: null }));
    const owing = this.knownPurchase(owedForLotId, version);
    const arrived = this.arrived.get(lotId) ?? 0;
    if (amount > arrived || amount > (owing?.debt ?? 0)) {
      const sentence = `${amount} credits of lot ${lotId} repay the debt of ${owedForLotId}, but ${arrived} had just arrived and ${owing?.debt ?? 0} are owed.`;
      this.report(version, 'purchase', sentence);
    }
    this.arrived.set(lotId, arrived - amount);
    if (owing) owing.debt -= amount;
    this.owed -= amount;
    this.sums.takenBack += amount;
    const shown = lot ? allocationOf(lot) : { lotId, kind: 'paid' as const, unitPriceCents: 0, expiresAt: null };
    this.takeFromLot({ ...shown, amount }, at, version);
  }

  private knownPurchase(lotId: string, version: number): AuditedPurchase | undefined {
    const purchase = this.purchases.get(lotId);
    if (!purchase) this.report(version, 'purchase', `There is no purchase ${lotId}.`);
    return purchase;
  }

  private arrive({ lotId, amount }: Pick<Allocation, 'lotId' | 'amount'>): void {
    if (this.owed > 0) this.arrived.set(lotId, (this.arrived.get(lotId) ?? 0) + amount);
  }

  /** Credits that arrive in purchased lots must repay debt at once, until the debt or the credits are used up. */
  private checkDebtPaid(version: number): void {
    if (this.arrived.size === 0) return;
    const left = [...this.arrived].find(([, amount]) => amount > 0);
    if (left && this.owed > 0) {
      const sentence = `${left[1]} credits of lot ${left[0]} arrived while ${this.owed} are owed, but repaid no debt.`;
      this.report(version, 'purchase', sentence);
    }
    this.arrived = new Map();
  }

  /** @returns the open deduction; undefined, and reported, when there is none */
  /** Keeps the hashes of what was delivered. */
  private fixImage({ deductionId, imageHash, promptHash }: DataOf<'DeductionSettled'>, version: number): void {
    const record = this.deductions.get(deductionId);
    if (!record || imageHash === null || promptHash === null) return;
    this.deductions.set(deductionId, { ...record, hashes: [imageHash, promptHash] });
    if (![imageHash, promptHash].every((hash) => SHA_256.test(hash))) {
      this.report(version, 'deduction', `${deductionId} is settled with a hash that is none.`);
    }
  }

  private endDeduction(
    { deductionId, creatorId, amount }: { deductionId: string; creatorId: string; amount: number },
    outcome: 'settled' | 'refunded',
    version: number,
  ): OpenDeduction | undefined {
    const open = this.open.get(deductionId);
    if (!open) {
      const known = this.deductions.get(deductionId);
      this.report(
        version,
        'deduction',
        `${deductionId} is ${outcome}, but it was ${known ? `already ${known.outcome}` : 'never deducted'}.`,
      );
    } else if (open.amount !== amount || open.creatorId !== creatorId) {
      this.report(
        version,
        'deduction',
        `${deductionId} is ${outcome} with another amount or creator than it was deducted with.`,
      );
    }
    this.open.delete(deductionId);
    this.sums.open -= amount;
    this.deductions.set(deductionId, {
      amount: open?.amount ?? amount,
      creatorId: open?.creatorId ?? creatorId,
      ownGeneration: this.deductions.get(deductionId)?.ownGeneration ?? null,
      outcome,
    });
    return open;
  }

  private expire(data: DataOf<'CreditsExpired'>, at: number, version: number): void {
    const key = keyOf(data);
    const lot = this.lots.get(key);
    if (!lot || lot.remaining !== data.amount || lot.kind !== data.kind) {
      const holds = lot?.remaining ?? 0;
      this.report(version, 'lot', `${data.amount} credits of lot ${data.lotId} expire, but it holds ${holds}.`);
    }
    if (Date.parse(data.expiresAt) > at) this.report(version, 'lot', `Lot ${data.lotId} expires before its time.`);
    this.lots.delete(key);
    this.held -= lot?.remaining ?? 0;
    this.sums.expired += data.amount;
  }

  private addToLot(added: Allocation, version: number): void {
    this.requireAmount(added.amount, version);
    const key = keyOf(added);
    const lot = this.lots.get(key);
    this.held += added.amount;
    if (lot) lot.remaining += added.amount;
    else {
      const { lotId, kind, unitPriceCents, amount: remaining } = added;
      const expiresAt = instantOf(added.expiresAt);
      this.lots.set(key, { lotId, kind, unitPriceCents, remaining, expiresAt, age: this.ageOf(lotId) });
    }
  }

  private takeFromLot(allocation: Allocation, at: number, version: number): void {
    const { lotId, kind, amount, unitPriceCents } = allocation;
    this.requireAmount(amount, version);
    this.held -= amount;
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

  private requireAmount(amount: number, version: number): void {
    if (Number.isSafeInteger(amount) && amount > 0) return;
    this.report(version, 'event', `${String(amount)} is not a number of credits.`);
  }

  /**
   * Granted + purchased + reinstated = remaining + open + settled + expired + revoked + repaid + adjusted + waived,
   * after every event. Reported once: all later sums differ too.
   */
  private checkConservation(version: number): void {
    const { received, open, settled, expired, takenBack } = this.sums;
    if (!this.conserved || received === this.held + open + settled + expired + takenBack) return;
    this.conserved = false;
    this.report(
      version,
      'conservation',
      `${received} credits were received, but ${this.held} are left, ${open} open, ${settled} settled, ${expired} expired and ${takenBack} taken back.`,
    );
  }
}

/** First instant of the next UTC day, epoch milliseconds. */
function endOfUtcDay(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS;
}

/** The restoration that a refund at this instant makes for an allocation. */
function restored(allocation: Allocation, at: number): Allocation {
  const expiresAt = instantOf(allocation.expiresAt);
  if (expiresAt === null || expiresAt > at) return allocation;
  return { ...allocation, expiresAt: new Date(endOfUtcDay(at)).toISOString() };
}

function sameAllocations(a: readonly Allocation[], b: readonly Allocation[]): boolean {
  const same = (one: Allocation, other: Allocation | undefined): boolean =>
    one.lotId === other?.lotId &&
    one.kind === other.kind &&
    one.amount === other.amount &&
    one.unitPriceCents === other.unitPriceCents &&
    instantOf(one.expiresAt) === instantOf(other.expiresAt);
  return a.length === b.length && a.every((each, index) => same(each, b[index]));
}

/** Identifies a lot by id and expiry. An instant contains no line feed. */
function keyOf({ lotId, expiresAt }: Pick<Allocation, 'lotId' | 'expiresAt'>): string {
  return `${instantOf(expiresAt)}\n${lotId}`;
}

/** The credits that some cents of a purchase bought: the share, rounded down. */
function creditsBought({ credits, amountCents }: AuditedPurchase, cents: number): number {
  if (cents <= 0) return 0;
  return cents >= amountCents ? credits : Number((BigInt(credits) * BigInt(cents)) / BigInt(amountCents));
}

function allocationOf({ lotId, kind, unitPriceCents, expiresAt }: AuditedLot): Omit<Allocation, 'amount'> {
  return { lotId, kind, unitPriceCents, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}

function instantOf(expiresAt: string | null): number | null {
  return expiresAt === null ? null : Date.parse(expiresAt);
}

/** True for the lot of a daily grant whose day is over: another grant of that lot breaks a rule by its day alone. */
function isPastDay(lotId: string, at: number): boolean {
  return lotId.startsWith(DAILY) && Date.parse(lotId.slice(DAILY.length)) + DAY_MS <= at;
}

function goesBefore(a: Place, b: Place): boolean {
  return a.kind === b.kind ? a.age < b.age : SPENDING_ORDER[a.kind] < SPENDING_ORDER[b.kind];
}

function hasLapsed({ expiresAt }: AuditedLot, at: number): boolean {
  return expiresAt !== null && expiresAt <= at;
}
