import type { AccountState } from '../account/state.js';

/** An account at a version of its stream. Its holder owns it exclusively and may mutate it. */
export interface LoadedAccount {
  readonly state: AccountState;
  /** Version of the last event folded; -1 for none. */
  version: number;
  /** Hash of that event; null for none. */
  lastHash: string | null;
  /** Version of its latest snapshot; -1 for none. */
  snapshotVersion: number;
  /** Ids of a few deductions that ended most recently, the latest last. */
  readonly recentlyEnded: string[];
  /** Highest id of all ended deductions. */
  newestEnded: string | null;
}

/**
 * Approximate V8 memory, measured with test/support/touch-accounts.ts: an account without content, each ended deduction
 * (most of an active account), and each lot, grant, purchase and so on.
 */
const BYTES_PER_ACCOUNT = 2_000;
const BYTES_PER_ENDED = 250;
export const BYTES_PER_ENTRY = 400;

/** Estimated memory of an account in bytes. */
export function estimateBytes({ lots, grants, purchases, reversals, adjustments, open, ended }: AccountState): number {
  const entries = lots.length + grants.size + purchases.size + reversals.size + adjustments.size + open.size;
  return BYTES_PER_ACCOUNT + entries * BYTES_PER_ENTRY + ended.size * BYTES_PER_ENDED;
}
