import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { isClosed, readCreditEvent, type Allocation, type CreditEvent } from '../../credits/index.js';
import { AuditedLots, type DataOf, instantOf, type SavedLots } from './account-lots.js';
import { AuditedPurchases, type AuditedPurchase, type SavedPurchases } from './account-purchases.js';
import { textIn, textOf, timeOf } from './read-account.js';
import { StreamAudit } from './stream-audit.js';
import { DAY_MS } from '../../contract/durations.js';

export type { LedgerProblem } from './stream-audit.js';

/** Every sign-up bonus ever granted, in credits (fan spec, section 9). A new bonus must be added here. */
export const SIGN_UP_BONUSES: readonly number[] = [30];

/** A saved state keeps ended deductions for so much longer than the ledger accepts their ids. Milliseconds. */
const KEPT_MS = 60 * DAY_MS;

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

const SHA_256 = /^[0-9a-f]{64}$/;

/** The content of `AccountAudit.save`. */
interface SavedAudit extends SavedLots, SavedPurchases {
  readonly version: number;
  readonly head: string | null;
  readonly events: number;
  /** Null before the first event: JSON has no infinity. */
  readonly lastAt: number | null;
  readonly repairs: readonly AuditedRepair[];
  readonly deductions: readonly (readonly [string, DeductionRecord])[];
  readonly adjustments: readonly string[];
  readonly open: readonly (readonly [string, OpenDeduction])[];
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
  /** When the sign-up bonus was granted, epoch milliseconds; null before. */
  signUpBonusAt: number | null = null;
  /** Every deduction ever seen, by id. */
  readonly deductions = new Map<string, DeductionRecord>();
  /** Repairs of the account's time, in order. Nearly always empty. */
  readonly repairs: AuditedRepair[] = [];
  readonly lots = new AuditedLots(this.report.bind(this));
  private readonly bought = new AuditedPurchases(this.lots, this.report.bind(this));
  /** Every purchase ever seen, by session id. */
  readonly purchases: ReadonlyMap<string, AuditedPurchase> = this.bought.purchases;
  private readonly adjustments = new Set<string>();
  private readonly open = new Map<string, OpenDeduction>();

  override end(): void {
    if (this.readable) this.bought.checkDebtPaid(this.version);
  }

  /** Debt in credits. */
  get owed(): number {
    return this.bought.owed;
  }

  /** Credits in deductions that have not ended. */
  get openCredits(): number {
    return this.lots.sums.open;
  }

  /**
   * The state from which another instance can continue, as JSON. Ids that the ledger no longer accepts are left out, so
   * that its size depends on the last weeks and not on the age of the account (see {@link mayHaveForgotten}).
   */
  save(): string {
    const { version, head, events, lastAt } = this;
    const inDeductions = [...this.open.values()].flatMap(({ allocations }) => allocations.map(({ lotId }) => lotId));
    const state: SavedAudit = {
      version,
      head,
      events,
      lastAt,
      ...this.lots.save(inDeductions, lastAt),
      ...this.bought.save(),
      // Without hashes: the rows of new events are compared when they are read.
      deductions: [...this.deductions]
        .filter(([id, { outcome }]) => outcome === 'open' || !isClosed(id, lastAt - KEPT_MS))
        .map(([id, { hashes: _hashes, ...record }]) => [id, record] as const),
      repairs: this.repairs,
      adjustments: [...this.adjustments],
      open: [...this.open],
    };
    return JSON.stringify(state);
  }

  /** Continues from a saved state. Must be called before the first event. */
  restore(saved: string): void {
    const state = JSON.parse(saved) as SavedAudit;
    this.version = state.version;
    this.head = state.head;
    this.events = state.events;
    this.lastAt = state.lastAt ?? Number.NEGATIVE_INFINITY;
    this.lots.restore(state);
    this.bought.restore(state);
    this.repairs.push(...state.repairs);
    for (const [id, record] of state.deductions) this.deductions.set(id, record);
    for (const id of state.adjustments) this.adjustments.add(id);
    for (const [id, open] of state.open) this.open.set(id, open);
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
    if (event.type !== 'DebtRepaid') this.bought.checkDebtPaid(stored.version - 1);
    this.apply(event, at, stored.version);
    if (event.type === 'CreditsDeducted') this.checkOwner(event.data, stored);
    this.lots.checkConservation(stored.version);
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
    const days = this.lots.grantedDays();
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
        this.lots.requireAmount(data.amount, version);
        this.checkGrant(event, at, version);
        this.lots.sums.received += data.amount;
        this.lots.add({ ...data, unitPriceCents: 0 }, version);
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
          const negation = open.ownGeneration ? '' : 'not ';
          const sentence = `${data.deductionId} was deducted as ${negation}the creator's own generation, but its settlement states the opposite.`;
          this.report(version, 'deduction', sentence);
        }
        this.lots.sums.settled += data.amount;
        return;
      }
      case 'CreditsRefunded': {
        const open = this.endDeduction(data, 'refunded', version);
        const expected = open?.allocations.map((allocation) => restored(allocation, at));
        if (expected && !sameAllocations(expected, data.restorations)) {
          this.report(
            version,
            'deduction',
            `The refund of ${data.deductionId} does not restore exactly what was taken.`,
          );
        }
        for (const restoration of data.restorations) {
          this.lots.add(restoration, version);
          if ((this.purchases.get(restoration.lotId)?.reversedCredits ?? 0) > 0) this.bought.arrive(restoration);
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
        this.lots.expire(data, at, version);
        return;
      case 'CreditsPurchased':
        this.bought.purchase(data, version);
        return;
      case 'PurchaseReversed':
        this.bought.reverse(data, at, version);
        return;
      case 'PurchaseReinstated':
        this.bought.reinstate(data, version);
        return;
      case 'DebtRepaid':
        this.bought.repay(data, at, version);
        return;
      case 'CreditsAdjusted': {
        const { adjustmentId, amount, allocations } = data;
        this.lots.requireAmount(amount, version);
        if (this.adjustments.has(adjustmentId)) {
          this.report(version, 'event', `Adjustment ${adjustmentId} is made a second time.`);
        }
        this.adjustments.add(adjustmentId);
        this.lots.takeInOrder(`Adjustment ${adjustmentId}`, allocations, at, version);
        this.lots.sums.takenBack += amount;
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
    this.lots.requireAmount(amount, version);
    const unspent = this.lots.unspentPaid();
    if (!sameAllocations(unspent, allocations) || unspent.reduce((sum, each) => sum + each.amount, 0) !== amount) {
      this.report(version, 'purchase', `Waiver ${waiverId} does not take exactly the unspent paid credits.`);
    }
    for (const allocation of allocations) this.lots.take(allocation, at, version);
    this.lots.sums.takenBack += amount;
  }

  private checkGrant({ data }: Extract<CreditEvent, { type: 'CreditsGranted' }>, at: number, version: number): void {
    const { lotId, kind, source, amount, expiresAt } = data;
    this.lots.open(lotId, version);
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

  private takeDeduction(
    { deductionId, creatorId, ownGeneration, amount, allocations }: DataOf<'CreditsDeducted'>,
    at: number,
    version: number,
  ): void {
    this.lots.requireAmount(amount, version);
    const known = this.deductions.get(deductionId);
    if (known) this.report(version, 'deduction', `${deductionId} is deducted, but it was already ${known.outcome}.`);
    this.lots.takeInOrder(deductionId, allocations, at, version);
    this.lots.sums.open += amount;
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

  /** Keeps the hashes of what was delivered. */
  private fixImage({ deductionId, imageHash, promptHash }: DataOf<'DeductionSettled'>, version: number): void {
    const record = this.deductions.get(deductionId);
    if (!record || imageHash === null || promptHash === null) return;
    this.deductions.set(deductionId, { ...record, hashes: [imageHash, promptHash] });
    if (![imageHash, promptHash].every((hash) => SHA_256.test(hash))) {
      this.report(version, 'deduction', `${deductionId} is settled with a hash that is none.`);
    }
  }

  /** @returns the open deduction; undefined, and reported, when there is none */
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
    this.lots.sums.open -= amount;
    this.deductions.set(deductionId, {
      amount: open?.amount ?? amount,
      creatorId: open?.creatorId ?? creatorId,
      ownGeneration: this.deductions.get(deductionId)?.ownGeneration ?? null,
      outcome,
    });
    return open;
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
