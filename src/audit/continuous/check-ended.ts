import { type Pool } from 'pg';
import { purchaseMismatch, purchasesAfter } from '../verify/checkout-purchases.js';
import { chargeMismatch, chargesAfter } from '../verify/generation-charges.js';
import { AccountState } from './account-state.js';
import { chargePlaceOf, purchasePlaceOf, readAccounts, readProgress, suspect } from './verification-store.js';

/** Generations or checkouts read at once. */
const PAGE = 1000;
/** A generation and its credits end within an hour. Milliseconds. */
const CHARGES_END_WITHIN_MS = 70 * 60_000;
/** A checkout is in the ledger before it is credited. Milliseconds. */
const PURCHASES_END_WITHIN_MS = 10 * 60_000;

/**
 * Compares every generation with its deduction once, when both must have ended.
 * @param most generations of one call
 */
export async function checkEndedCharges(pool: Pool, verifiedUntil: Date, most: number, now: Date): Promise<void> {
  const until = new Date(verifiedUntil.getTime() - CHARGES_END_WITHIN_MS);
  let after = chargePlaceOf(await readProgress(pool));
  for (let checked = 0; checked < most; checked += PAGE) {
    const { charges, last } = await chargesAfter(pool, { after, until, limit: PAGE }, now);
    if (!last) return;
    const states = await statesOf(pool, charges);
    const wrong = charges.filter(
      (charge) => chargeMismatch(charge, states.get(charge.userId)?.audit.deductions.get(charge.deductionId)) !== null,
    );
    await suspect(pool, usersOf(wrong));
    await pool.query('update ledger_verification set charges_until = $1, charges_until_id = $2', [last.at, last.id]);
    if (charges.length < PAGE) return;
    after = last;
  }
}

/**
 * Compares every credited checkout with its purchase once.
 * @param most checkouts of one call
 */
export async function checkEndedPurchases(pool: Pool, verifiedUntil: Date, most: number): Promise<void> {
  const until = new Date(verifiedUntil.getTime() - PURCHASES_END_WITHIN_MS);
  let after = purchasePlaceOf(await readProgress(pool));
  for (let checked = 0; checked < most; checked += PAGE) {
    const { purchases, last } = await purchasesAfter(pool, { after, until, limit: PAGE });
    if (!last) return;
    const states = await statesOf(pool, purchases);
    const none = { purchases: new Map() };
    const wrong = purchases.filter(
      (purchase) => purchaseMismatch(purchase, states.get(purchase.userId)?.audit ?? none) !== null,
    );
    await suspect(pool, usersOf(wrong));
    await pool.query('update ledger_verification set purchases_until = $1, purchases_until_id = $2', [
      last.at,
      last.id,
    ]);
    if (purchases.length < PAGE) return;
    after = last;
  }
}

type OfUser = { readonly userId: string };

const usersOf = (rows: readonly OfUser[]): string[] => [...new Set(rows.map(({ userId }) => userId))];

async function statesOf(pool: Pool, rows: readonly OfUser[]): Promise<ReadonlyMap<string, AccountState>> {
  const known = await readAccounts(pool, usersOf(rows));
  return new Map([...known].map(([user, { state }]) => [user, new AccountState(user, state)]));
}
