import { type AccountAudit } from '../verify/account-audit.js';
import { purchaseMismatch, purchasesAfter } from '../verify/checkout-purchases.js';
import { type AgedPage, type AgedCursor, chargeMismatch, chargesAfter } from '../verify/generation-charges.js';
import { AccountState } from './account-state.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { suspect } from './suspects.js';
import { cursorOf, readAccounts, readProgress } from './verification-store.js';

/** Generations or checkouts read at once. */
const STREAMS_PER_READ = 1000;
/** A generation and its credits end within an hour. Milliseconds. */
const CHARGES_END_WITHIN_MS = 70 * 60_000;
/** A checkout is in the ledger before it is credited. Milliseconds. */
const PURCHASES_END_WITHIN_MS = 10 * 60_000;

/**
 * Compares every generation with its deduction once, when both must have ended.
 * @param most generations of one call
 */
export async function checkEndedCharges(
  sources: ContinuousSources,
  verifiedUntil: Date,
  most: number,
  now: Date,
): Promise<void> {
  const until = new Date(verifiedUntil.getTime() - CHARGES_END_WITHIN_MS);
  await checkEnded(
    sources,
    'charges',
    { most, now },
    {
      read: (after) => chargesAfter(sources.pool, { after, until, limit: STREAMS_PER_READ }, now),
      differs: (charge, audit) => chargeMismatch(charge, audit?.deductions.get(charge.deductionId)) !== null,
    },
  );
}

/**
 * Compares every credited checkout with its purchase once.
 * @param most checkouts of one call
 */
export async function checkEndedPurchases(
  sources: ContinuousSources,
  verifiedUntil: Date,
  most: number,
  now: Date,
): Promise<void> {
  const until = new Date(verifiedUntil.getTime() - PURCHASES_END_WITHIN_MS);
  await checkEnded(
    sources,
    'purchases',
    { most, now },
    {
      read: (after) => purchasesAfter(sources.pool, { after, until, limit: STREAMS_PER_READ }),
      differs: (purchase, audit) => purchaseMismatch(purchase, audit ?? { purchases: new Map() }) !== null,
    },
  );
}

/** Goes on behind the last record that was compared. Accounts with a record that differs become suspect. */
async function checkEnded<Found extends { readonly userId: string }>(
  sources: ContinuousSources,
  name: 'charges' | 'purchases',
  { most, now }: { readonly most: number; readonly now: Date },
  {
    read,
    differs,
  }: {
    readonly read: (after: AgedCursor | null) => Promise<AgedPage<Found>>;
    readonly differs: (found: Found, audit: AccountAudit | undefined) => boolean;
  },
): Promise<void> {
  const { pool } = sources;
  let after = cursorOf(await readProgress(pool), name);
  for (let checked = 0; checked < most; checked += STREAMS_PER_READ) {
    const { found, last } = await read(after);
    if (!last) return;
    const known = await readAccounts(pool, usersOf(found));
    const audits = new Map([...known].map(([user, { state }]) => [user, new AccountState(user, state).audit]));
    const differing = usersOf(found.filter((each) => differs(each, audits.get(each.userId))));
    await suspect(sources, differing, known, now);
    const text = `update ledger_verification set ${name}_until = $1, ${name}_until_id = $2`;
    await pool.query(text, [last.at, last.id]);
    if (found.length < STREAMS_PER_READ) return;
    after = last;
  }
}

function usersOf(rows: readonly { readonly userId: string }[]): string[] {
  return [...new Set(rows.map(({ userId }) => userId))];
}
