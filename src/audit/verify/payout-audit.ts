import { creatorOfStream, type PayoutEvent, type PayoutSum, readPayoutEvent } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { messageOf, StreamAudit } from './stream-audit.js';

/** A payout as its events say. */
interface AuditedPayout {
  readonly amountCents: number;
  readonly minimumCents: number;
  readonly cutoff: string;
  readonly draftedBy: string | null;
  readonly step: 'drafted' | 'fixed' | 'checked' | 'paid' | 'failed' | 'cancelled';
}

/** A fixed amount, to compare with the books. */
export interface FixedAmount {
  readonly version: number;
  readonly payoutId: string;
  readonly cutoff: string;
  readonly payableCents: number;
}

/**
 * Checks the payouts of one creator, event by event, with a fold of its own: amounts are what was payable less what was
 * paid, one payout at a time is on its way, and a second person checks and records it.
 */
export class PayoutAudit extends StreamAudit {
  /** All that was paid, less what came back, US cents. */
  paidCents = 0;
  /** Amounts that were fixed. */
  readonly fixed: FixedAmount[] = [];
  /** False once an event could not be read: nothing is recomputed from then on. */
  readable = true;
  private readonly payouts = new Map<string, AuditedPayout>();
  /** The payout on its way. */
  private open: string | null = null;
  private heldUntil = Number.NEGATIVE_INFINITY;

  get creatorId(): string {
    return creatorOfStream(this.stream);
  }

  /** Adds the next event of the stream. Never throws because of its content. */
  add(stored: StoredEvent): void {
    this.follow(stored);
    if (!this.readable) return;
    try {
      const at = this.advance(stored);
      this.apply(readPayoutEvent(stored), { version: stored.version, at, actorId: stored.metadata['actorId'] });
    } catch (error) {
      this.readable = false;
      this.report(stored.version, 'event', `The ${stored.type} event cannot be read: ${messageOf(error)}`);
    }
  }

  private apply(
    { type, data }: PayoutEvent,
    { version, at, actorId }: { readonly version: number; readonly at: number; readonly actorId: unknown },
  ): void {
    const need = (holds: boolean, sentence: string): void => {
      if (!holds) this.report(version, 'payout', sentence);
    };
    const by = (person: string): void => need(actorId === person, 'The event names another person than its actor.');
    if (type === 'PayoutsHeld') {
      by(data.heldBy);
      this.heldUntil = Date.parse(data.until);
      need(!Number.isNaN(this.heldUntil), 'The hold has no valid end.');
      return;
    }
    const { payoutId } = data;
    if (type === 'PayoutDrafted') {
      need(this.open === null, 'A payout is drafted while another one is on its way.');
      need(!this.payouts.has(payoutId), 'The payout is drafted a second time.');
      need(this.heldUntil <= at, 'The payout is drafted while payouts are held.');
      need(Date.parse(data.cutoff) <= at, 'The cutoff of the payout lies in the future.');
      by(data.draftedBy ?? 'system');
      this.checkSum(data, data.minimumCents, need);
      const { amountCents, minimumCents, cutoff, draftedBy } = data;
      this.payouts.set(payoutId, { amountCents, minimumCents, cutoff, draftedBy, step: 'drafted' });
      this.open = payoutId;
      return;
    }
    const payout = this.payouts.get(payoutId);
    if (!payout) {
      need(false, 'The payout was never drafted.');
      return;
    }
    const { step, draftedBy, cutoff, minimumCents } = payout;
    const follows = (...steps: readonly AuditedPayout['step'][]): void =>
      need(steps.includes(step), `The payout is ${step}, so ${type} cannot follow.`);
    const another = (person: string): void => {
      by(person);
      need(person !== draftedBy, 'The person who drafted the payout acts as the second person.');
    };
    if (type !== 'PayoutFixed' && type !== 'PayoutChecked') {
      need(data.amountCents === payout.amountCents, 'The amount is not that of the payout.');
    }
    switch (type) {
      case 'PayoutFixed':
        follows('drafted');
        this.checkSum(data, minimumCents, need);
        this.fixed.push({ version, payoutId, cutoff, payableCents: data.payableCents });
        this.payouts.set(payoutId, { ...payout, amountCents: data.amountCents, step: 'fixed' });
        return;
      case 'PayoutChecked':
        follows('fixed');
        another(data.checkedBy);
        this.payouts.set(payoutId, { ...payout, step: 'checked' });
        return;
      case 'PayoutPaid':
        follows('checked', 'failed');
        need(step !== 'failed' || this.open === null, 'A failed payout is paid while a later one contains its amount.');
        another(data.recordedBy);
        this.paidCents += payout.amountCents;
        this.end(payoutId, { ...payout, step: 'paid' });
        return;
      case 'PayoutFailed':
        follows('checked', 'paid');
        need(data.wasPaid === (step === 'paid'), 'The event does not say truly whether the payout was paid.');
        if (step === 'paid') this.paidCents -= payout.amountCents;
        this.end(payoutId, { ...payout, step: 'failed' });
        return;
      case 'PayoutCancelled':
        follows('drafted', 'fixed', 'checked');
        this.end(payoutId, { ...payout, step: 'cancelled' });
    }
  }

  private checkSum(
    { payableCents, paidCents, amountCents }: PayoutSum,
    minimumCents: number,
    need: (holds: boolean, sentence: string) => void,
  ): void {
    need(
      [payableCents, paidCents, amountCents, minimumCents].every(Number.isSafeInteger),
      'The payout has an amount that is no integer.',
    );
    need(paidCents === this.paidCents, `The payout counts ${paidCents} cents as paid, but ${this.paidCents} were.`);
    need(amountCents === payableCents - paidCents, 'The amount is not what was payable less what was paid.');
    need(amountCents > 0 && amountCents >= minimumCents, 'The amount is below the minimum.');
  }

  private end(payoutId: string, payout: AuditedPayout): void {
    this.payouts.set(payoutId, payout);
    if (this.open === payoutId) this.open = null;
  }
}
