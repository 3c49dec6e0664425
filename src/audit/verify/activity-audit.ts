import { readCreditEvent } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import type { ActivityImageRow, ActivityPaymentTable } from '../../revenue/tables.js';
import { timeOf } from './read-account.js';

/**
 * Recomputes the delivered images and the payments of one account: the rows of `creator_activity_image` and
 * `creator_activity_payment`. It shares no code with the projection.
 */
export class ActivityAudit {
  private readonly payments = new Map<string, ActivityPaymentTable>();

  /** @param ownUntil own generations count until this instant; null: always */
  constructor(
    private readonly userId: string,
    private readonly ownUntil: Date | null,
  ) {}

  /** Adds the next event of the account. @returns the image that it delivers */
  add(stored: StoredEvent): ActivityImageRow[] {
    const time = timeOf(stored);
    if (Number.isNaN(time)) throw new Error('it has no valid time.');
    const { type, data } = readCreditEvent(stored);
    const at = new Date(time);
    if (type === 'CreditsPurchased') this.pay('purchase', data.lotId, at);
    if (type === 'PurchaseReversed') this.pay(data.cause, data.reversalId, at);
    if (type === 'PurchaseReinstated') {
      for (const cause of ['refund', 'dispute']) {
        const reversal = this.payments.get(`${cause} ${data.reversalId}`);
        if (reversal) reversal.undone_at = at;
      }
    }
    if (type !== 'DeductionSettled') return [];
    if (data.ownGeneration && this.ownUntil !== null && time >= this.ownUntil.getTime()) return [];
    let free = 0;
    let paid = false;
    for (const { kind, amount } of data.allocations) {
      if (kind === 'paid') paid = true;
      else free += amount;
    }
    const image: ActivityImageRow = {
      user_id: this.userId,
      version: stored.version,
      creator_id: data.creatorId,
      deduction_id: data.deductionId,
      paid,
      free_credits: free,
      occurred_at: at,
    };
    return [image];
  }

  rows(): Iterable<ActivityPaymentTable> {
    return this.payments.values();
  }

  private pay(kind: ActivityPaymentTable['kind'], id: string, at: Date): void {
    const row = { user_id: this.userId, kind, payment_id: id, occurred_at: at, undone_at: null };
    if (!this.payments.has(`${kind} ${id}`)) this.payments.set(`${kind} ${id}`, row);
  }
}
