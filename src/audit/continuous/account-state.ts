import { type StoredEvent } from '../../platform/event-store/event-store.js';
import {
  accountStream,
  balanceAfter,
  type BalanceRow,
  emptyBalance,
  transactionOf,
  type TransactionRow,
} from '../../credits/index.js';
import { AccountAudit } from '../verify/account-audit.js';
import { isByAdmin } from '../verify/act-check.js';
import { RECORDED_WITHIN_MS } from '../verify/event-times.js';
import { compareRow } from '../verify/projection-check.js';
import { timeOf } from '../verify/read-account.js';

/** Rare events whose effects reach back into the whole history of an account. */
const REACHING_BACK: ReadonlySet<string> = new Set([
  'PurchaseReversed',
  'PurchaseReinstated',
  'DebtRepaid',
  'ClockRepaired',
]);

interface SavedState {
  readonly audit: string;
  readonly balance: Omit<BalanceRow, 'daily_expires_at'> & { readonly daily_expires_at: string | null };
}

/**
 * One account as the continuous verification knows it: the audit's own fold up to the last verified event. It decides
 * only whether an account needs a complete verification, and never misses a reason for one.
 */
export class AccountState {
  /** True when the events since the saved state need a complete verification of the account. */
  suspect = false;
  /** Rows that the new events make. */
  readonly lines: TransactionRow[] = [];
  /** Deductions and purchases that the new events concern. */
  readonly deductionIds = new Set<string>();
  readonly sessionIds = new Set<string>();
  /** New events that need an act in the log. */
  readonly byAdmin: StoredEvent[] = [];
  readonly audit: AccountAudit;
  private balance: BalanceRow;

  constructor(
    readonly userId: string,
    saved: string | null,
  ) {
    this.audit = new AccountAudit(accountStream(userId), () => {
      this.suspect = true;
    });
    this.balance = emptyBalance(userId);
    if (saved === null) return;
    const { audit, balance } = JSON.parse(saved) as SavedState;
    this.audit.restore(audit);
    const expiresAt = balance.daily_expires_at;
    this.balance = { ...balance, daily_expires_at: expiresAt === null ? null : new Date(expiresAt) };
  }

  save(): string {
    return JSON.stringify({ audit: this.audit.save(), balance: this.balance });
  }

  /** Adds the next event. @param now epoch milliseconds */
  add(stored: StoredEvent, now: number): void {
    if (REACHING_BACK.has(stored.type) || this.audit.mayHaveForgotten(stored)) this.suspect = true;
    if (isByAdmin(stored)) this.byAdmin.push(stored);
    const at = timeOf(stored);
    const gap = Math.abs(at - stored.recordedAt.getTime());
    if (!(gap <= RECORDED_WITHIN_MS) || at > now + RECORDED_WITHIN_MS) this.suspect = true;
    this.fold(stored);
  }

  /** Adds the next event without looking for reasons that the rules of the account do not give. */
  fold(stored: StoredEvent): void {
    this.audit.add(stored);
    const { deductionId, lotId } = stored.data;
    if (typeof deductionId === 'string') this.deductionIds.add(deductionId);
    if (stored.type === 'CreditsPurchased' && typeof lotId === 'string') this.sessionIds.add(lotId);
    const before = this.balance;
    try {
      this.balance = balanceAfter(before, stored);
      const line = transactionOf(before, stored, this.balance);
      if (line) this.lines.push(line);
    } catch {
      // The complete verification names the event.
      this.suspect = true;
    }
  }

  /** Must be called after the last new event. */
  end(): void {
    this.audit.end();
  }

  /** Compares the stored lines of the new events. */
  compareLines(found: readonly TransactionRow[]): void {
    if (found.length !== this.lines.length) this.suspect = true;
    for (const [index, line] of this.lines.entries()) {
      const row = found[index];
      if (row) compareRow('credit_transaction', row, line, this.differs);
    }
  }

  /** Compares the stored balance. @returns false when it is of another version, and cannot be compared now */
  compareBalance(found: BalanceRow | undefined): boolean {
    if (found?.version !== this.audit.version) return false;
    compareRow('credit_balance', found, this.balance, this.differs);
    const totals = this.audit.lots.recorded();
    if (totals.daily !== found.daily || totals.bonus !== found.bonus || totals.paid !== found.paid) this.suspect = true;
    return true;
  }

  private readonly differs = (): void => {
    this.suspect = true;
  };
}
