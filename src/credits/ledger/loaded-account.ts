import type { AccountState } from '../account/state.js';

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
 * What V8 takes, roughly (test/support/touch-accounts.ts measures it): for an account without anything, for each deduction that has
 * ended, by far the most of an active account, and for each lot, grant, purchase and so on.
 */
const BYTES_OF_ACCOUNT = 2_000;
const BYTES_OF_ENDED = 250;
export const BYTES_OF_ENTRY = 400;

/** Bytes that an account takes in memory, estimated. */
export function estimateBytes({ lots, grants, purchases, reversals, adjustments, open, ended }: AccountState): number {
  const entries = lots.length + grants.size + purchases.size + reversals.size + adjustments.size + open.size;
  return BYTES_OF_ACCOUNT + entries * BYTES_OF_ENTRY + ended.size * BYTES_OF_ENDED;
}
