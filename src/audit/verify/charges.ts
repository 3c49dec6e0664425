import { isClosed } from '../../credits/account/state.js';
import type { AccountAudit, Fate } from './account-audit.js';

/** What a generation says of its credits; the ledger must say the same. */
export interface Charge {
  readonly userId: string;
  /** The generation's id. */
  readonly deductionId: string;
  readonly creatorId: string;
  readonly amount: number;
  /**
   * `delivered`: must be settled. `returned`: must be refunded. `nothing`: it failed before credits were taken, so the id must be
   * void, or have been too old by then for the ledger to take anything under it. `open`: not at its end yet. `stuck`: the same, for
   * longer than it may be.
   */
  readonly state: 'delivered' | 'returned' | 'nothing' | 'open' | 'stuck';
  /** When its credits were settled or given back; null before. */
  readonly closedAt: Date | null;
}

/** What a checkout session says of its credits; the ledger must say the same. */
export interface Purchase {
  readonly userId: string;
  /** The session's id. */
  readonly sessionId: string;
  readonly credits: number;
  /** What was paid for them, in US cents. */
  readonly amountCents: number;
  /**
   * `fulfilled`: must be in the ledger. `unpaid`: must not be. `open`: paid and not recorded yet, or nobody knows: may be there
   * or not. `stuck`: the same, for longer than it may be.
   */
  readonly state: 'fulfilled' | 'unpaid' | 'open' | 'stuck';
  /** US cents of it that went back by refunds and disputes that stand; null while that is being worked on, or not known. */
  readonly reversedCents: number | null;
}

/**
 * The other side of the books, which this context does not know: what deductions were made for (`Charge`), what purchases were
 * paid by (`Purchase`). The context that has it implements this over its own tables, and the command line hands it to
 * `verifyLedger` (`src/cli/ledger-verbs.ts`).
 */
export interface OtherSide<Entry> {
  /** All entries of these users, in any order, a page at a time; no more than a page should be in memory. */
  ofUsers(users: readonly string[]): AsyncIterable<readonly Entry[]>;
  /** All users with entries, a page at a time; the order is of no matter. */
  users(): AsyncIterable<readonly string[]>;
}

export type Charges = OtherSide<Charge>;
export type Purchases = OtherSide<Purchase>;

/** What does not fit between a generation and its deduction; null when they agree. */
export function chargeMismatch(
  { deductionId, creatorId, amount, state, closedAt }: Charge,
  fate: Fate | undefined,
): string | null {
  const outcome = fate?.outcome ?? 'never taken';
  const words = `Generation ${deductionId} `;
  switch (state) {
    case 'open':
      return null;
    case 'stuck':
      return `${words}is not at its end, long after it should be; its credits are ${outcome}.`;
    case 'nothing':
      // The ledger refuses an id that is too old instead of voiding it: nothing was taken, and nothing ever will be
      if (!fate && closedAt && isClosed(deductionId, closedAt.getTime())) return null;
      return outcome === 'voided' ? null : `${words}failed before anything was taken, and its credits are ${outcome}.`;
    case 'delivered':
    case 'returned': {
      const due = state === 'delivered' ? 'settled' : 'refunded';
      if (outcome !== due)
        return `${words}was ${state === 'delivered' ? state : 'refunded'}, and its credits are ${outcome}.`;
      if (fate?.amount === amount && fate.creatorId === creatorId) return null;
      return `${words}is about ${amount} credits of ${creatorId}, and its deduction about ${fate?.amount} of ${fate?.creatorId}.`;
    }
  }
}

/** What does not fit between a checkout session and what the account knows of it; null when they agree. */
export function purchaseMismatch(
  { sessionId, credits, amountCents, reversedCents, state }: Purchase,
  { purchases }: Pick<AccountAudit, 'purchases'>,
): string | null {
  const recorded = purchases.get(sessionId);
  const words = `Checkout session ${sessionId} `;
  if (!recorded) {
    if (state === 'stuck') return `${words}was paid, long ago, and its credits were never granted.`;
    return state === 'fulfilled' ? `${words}was fulfilled, and the ledger does not know it.` : null;
  }
  if (state === 'unpaid') return `${words}was not paid, and its credits were granted.`;
  if (recorded.credits !== credits || recorded.amountCents !== amountCents) {
    return `${words}is about ${credits} credits for ${amountCents} cents, and the ledger about ${recorded.credits} for ${recorded.amountCents}.`;
  }
  if (reversedCents === null || reversedCents === recorded.reversedCents) return null;
  return `${reversedCents} cents of checkout session ${sessionId} went back, and the ledger knows of ${recorded.reversedCents}.`;
}
