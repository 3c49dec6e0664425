import { MAX_AMOUNT } from '../../contract/limits.js';
import { type CreditSettings } from '../account/constants.js';
import { DAY_MS, HOUR_MS } from '../../contract/durations.js';
import { FROM_THE_BEGINNING, type BundlePriced, type PolicyEvent } from './events.js';
import { currentPrice, type Policy } from './policy.js';

/**
 * The rules of the stream `policy`. Each function returns the events that follow: none when the policy says the same
 * already. `effectiveFrom` is the time of the event, or the beginning in a store without events of accounts.
 */

/** The situation in which a policy is decided. */
export interface PolicyMoment {
  readonly now: Date;
  /** True when no account has an event. */
  readonly isEmptyStore: boolean;
}

/** The price of a bundle that the operator sets. */
export type NewBundlePrice = Omit<BundlePriced, 'schemaVersion' | 'effectiveFrom'>;

/**
 * Adopts the revenue rules once: from the beginning in an empty store, otherwise from the first UTC midnight that is at
 * least an hour ahead, so that instances of an older program end before.
 */
export function adoptRevenueRule(policy: Policy, { now, isEmptyStore }: PolicyMoment): PolicyEvent[] {
  if (policy.revenueRule.cumulativeFrom !== null) return [];
  const midnight = Math.ceil((now.getTime() + HOUR_MS) / DAY_MS) * DAY_MS;
  const effectiveFrom = isEmptyStore ? FROM_THE_BEGINNING : new Date(midnight).toISOString();
  return [{ type: 'RevenueRuleAdopted', data: { schemaVersion: 1, rule: 'cumulative-with-clawback', effectiveFrom } }];
}

/** Adopts the operator's settings where they differ from the policy. */
export function adoptSettings(policy: Policy, moment: PolicyMoment, settings: CreditSettings): PolicyEvent[] {
  const { dailyGrantCredits, adminGrantLimitCredits } = settings;
  const events: PolicyEvent[] = [];
  if (policy.dailyAmounts.at(-1)?.amount !== dailyGrantCredits) {
    const effectiveFrom = startOf(moment);
    events.push({ type: 'DailyGrantAmountSet', data: { schemaVersion: 1, amount: dailyGrantCredits, effectiveFrom } });
  }
  if (policy.adminGrantLimits.at(-1)?.amount !== adminGrantLimitCredits) {
    const effectiveFrom = startOf(moment);
    events.push({
      type: 'AdminGrantLimitSet',
      data: { schemaVersion: 1, amount: adminGrantLimitCredits, effectiveFrom },
    });
  }
  return events;
}

/** Prices bundles. @throws RangeError for credits or a price that are not positive integers */
export function priceBundles(policy: Policy, moment: PolicyMoment, prices: readonly NewBundlePrice[]): PolicyEvent[] {
  return prices.flatMap(({ bundleId, credits, priceCents, onSale }): PolicyEvent[] => {
    for (const value of [credits, priceCents]) {
      if (!Number.isSafeInteger(value) || value < 1 || value > MAX_AMOUNT) {
        throw new RangeError(`Bundle ${bundleId} cannot be sold as ${credits} credits for ${priceCents} cents.`);
      }
    }
    const known = currentPrice(policy, bundleId);
    if (known?.credits === credits && known.priceCents === priceCents && known.onSale === onSale) return [];
    const data = { schemaVersion: 1 as const, bundleId, credits, priceCents, onSale, effectiveFrom: startOf(moment) };
    return [{ type: 'BundlePriced', data }];
  });
}

function startOf({ now, isEmptyStore }: PolicyMoment): string {
  return isEmptyStore ? FROM_THE_BEGINNING : now.toISOString();
}
