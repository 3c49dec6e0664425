import type { AccountState } from './account.js';

/** An account as its stream had it at a version. Whoever holds it may change it; nobody else has it then. */
export interface LoadedAccount {
  readonly state: AccountState;
  /** Of the last event folded; -1 for none. */
  version: number;
  /** Of that event; null for none. */
  lastHash: string | null;
  /** Version of its latest snapshot; -1 for none. */
  photographedAt: number;
  /** Ids of the latest deductions that have ended, the latest last; a few. */
  readonly recentlyEnded: string[];
  /** Highest id of all deductions that have ended. */
  newestEnded: string | null;
}

/**
 * What V8 takes, roughly (test/support/touch-accounts.ts measures it): for an account without anything, and for each lot, grant,
 * deduction and so on in it.
 */
const BYTES_OF_ACCOUNT = 2_000;
const BYTES_OF_ENTRY = 400;

/** Bytes that an account takes in memory, estimated. */
function estimateBytes({ lots, grants, purchases, reversals, adjustments, open, ended }: AccountState): number {
  const entries =
    lots.length + grants.size + purchases.size + reversals.size + adjustments.size + open.size + ended.size;
  return BYTES_OF_ACCOUNT + entries * BYTES_OF_ENTRY;
}

/** Accounts that nothing is under way for, as many as fit; the one that was not used for longest goes first. */
export class AccountCache {
  /** In the order of their last use. */
  private readonly entries = new Map<string, { readonly account: LoadedAccount; readonly bytes: number }>();
  private held = 0;

  constructor(private readonly mostBytes: number) {}

  /** Number of accounts, and what they take by estimate. */
  get size(): { readonly accounts: number; readonly bytes: number } {
    return { accounts: this.entries.size, bytes: this.held };
  }

  /** Hands the account over: it is the caller's until it is put back. */
  take(userId: string): LoadedAccount | null {
    const entry = this.entries.get(userId);
    if (!entry) return null;
    this.entries.delete(userId);
    this.held -= entry.bytes;
    return entry.account;
  }

  put(userId: string, account: LoadedAccount): void {
    const bytes = estimateBytes(account.state);
    this.take(userId);
    this.entries.set(userId, { account, bytes });
    this.held += bytes;
    while (this.held > this.mostBytes) {
      const [oldest] = this.entries.keys();
      if (oldest === undefined) return;
      this.take(oldest);
    }
  }
}
