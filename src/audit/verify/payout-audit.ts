import { creatorOfStream, type PayoutEvent, type PayoutSum, readPayoutEvent } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { PAYOUT, PAYOUT_ENTRY } from '../../finance/tables.js';
import { auditedRows, type AuditedRowIn } from './audited-rows.js';
import { StreamAudit } from './stream-audit.js';

/** A payout as its events say. */
interface AuditedPayout {
  readonly amountCents: number;
  readonly minimumCents: number;
  readonly cutoff: string;
  readonly draftedBy: string | null;
  readonly step: 'drafted' | 'fixed' | 'checked' | 'paid' | 'failed' | 'cancelled';
  readonly row: Omit<AuditedRow, 'amount_cents' | 'minimum_cents' | 'drafted_by' | 'step'>;
}

/** The rows of `payout`, as the events make them. */
export const PAYOUTS = auditedRows(PAYOUT, [
  ...(['creator_id', 'cutoff', 'drafted_at', 'fixed_at', 'checked_at', 'ended_at', 'reason'] as const),
]);
export type AuditedRow = AuditedRowIn<typeof PAYOUTS>;

/** The lines of the books, as the events make them. */
export const PAYOUT_LINES = auditedRows(PAYOUT_ENTRY, ['stream']);
export type AuditedLine = AuditedRowIn<typeof PAYOUT_LINES>;

/** The account of the books for the amount of a payout, by its step. */
const ACCOUNTS = { drafted: 2120, fixed: 2130, checked: 2130, paid: 2140, failed: 2120, cancelled: 2120 } as const;

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
  /** Lines of the books. */
  readonly lines: AuditedLine[] = [];
  /** The last hold; its end in epoch milliseconds. */
  hold: { readonly until: number; readonly held_by: string; readonly reason: string } | null = null;
  private readonly payouts = new Map<string, AuditedPayout>();
  /** Payouts with the references of their transfers. */
  private readonly transfers = new Set<string>();
  /** The payout on its way. */
  private open: string | null = null;
  private heldUntil = Number.NEGATIVE_INFINITY;

  get creatorId(): string {
    return creatorOfStream(this.stream);
  }

  /** The rows of `payout` after the events so far. */
  rows(): AuditedRow[] {
    return Array.from(this.payouts.values(), ({ row, step, amountCents, minimumCents, draftedBy }) => ({
      ...row,
      step,
      amount_cents: amountCents,
      minimum_cents: minimumCents,
      drafted_by: draftedBy,
    }));
  }

  protected override read(stored: StoredEvent): void {
    const at = this.advance(stored);
    this.apply(readPayoutEvent(stored), { version: stored.version, at, actorId: stored.metadata['actorId'] });
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
      this.hold = { until: this.heldUntil, held_by: data.heldBy, reason: data.reason };
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
      const sums = { payable_cents: data.payableCents, paid_before_cents: data.paidCents };
      const unset = { checked_by: null, reference: null, paid_on: null, recorded_by: null };
      const row = { payout_id: payoutId, run_id: data.runId, ...sums, ...unset };
      this.payouts.set(payoutId, { amountCents, minimumCents, cutoff, draftedBy, step: 'drafted', row });
      this.open = payoutId;
      return;
    }
    const payout = this.payouts.get(payoutId);
    if (!payout) {
      need(false, 'The payout was never drafted.');
      return;
    }
    const { step, draftedBy, cutoff, minimumCents, row } = payout;
    const moveTo = (to: AuditedPayout['step'], amountCents = payout.amountCents): void => {
      if (ACCOUNTS[step] === ACCOUNTS[to]) return;
      const line = { version, event_type: type, occurred_at: at, creator_id: this.creatorId, payout_id: payoutId };
      this.lines.push({ ...line, line: 0, account: ACCOUNTS[step], cents: amountCents });
      this.lines.push({ ...line, line: 1, account: ACCOUNTS[to], cents: 0 - amountCents });
    };
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
        moveTo('fixed', data.amountCents);
        this.payouts.set(payoutId, {
          ...payout,
          amountCents: data.amountCents,
          step: 'fixed',
          row: { ...row, payable_cents: data.payableCents, paid_before_cents: data.paidCents },
        });
        return;
      case 'PayoutChecked':
        follows('fixed');
        another(data.checkedBy);
        this.payouts.set(payoutId, { ...payout, step: 'checked', row: { ...row, checked_by: data.checkedBy } });
        return;
      case 'PayoutPaid':
        follows('checked', 'failed');
        need(step !== 'failed' || this.open === null, 'A failed payout is paid while a later one contains its amount.');
        need(!this.transfers.has(`${payoutId} ${data.reference}`), 'The same transfer is recorded a second time.');
        this.transfers.add(`${payoutId} ${data.reference}`);
        another(data.recordedBy);
        this.paidCents += payout.amountCents;
        moveTo('paid');
        this.close(payoutId, {
          ...payout,
          step: 'paid',
          row: { ...row, reference: data.reference, paid_on: data.paidOn, recorded_by: data.recordedBy },
        });
        return;
      case 'PayoutFailed':
        follows('checked', 'paid');
        need(data.wasPaid === (step === 'paid'), 'The event does not say truly whether the payout was paid.');
        if (step === 'paid') this.paidCents -= payout.amountCents;
        moveTo('failed');
        this.close(payoutId, { ...payout, step: 'failed' });
        return;
      case 'PayoutCancelled':
        follows('drafted', 'fixed', 'checked');
        moveTo('cancelled');
        this.close(payoutId, { ...payout, step: 'cancelled' });
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

  private close(payoutId: string, payout: AuditedPayout): void {
    this.payouts.set(payoutId, payout);
    if (this.open === payoutId) this.open = null;
  }
}
