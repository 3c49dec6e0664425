import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { readPolicyEvent, type BundlePriced, type PolicyEvent } from './events.js';

/** A number of credits and the instant from which it holds. */
export interface DatedAmount {
  /** Credits. */
  readonly amount: number;
  readonly effectiveFrom: Date;
}

/** The price of a bundle and the instant from which it holds. */
export type BundlePrice = Pick<BundlePriced, 'bundleId' | 'credits' | 'priceCents' | 'onSale'> & {
  readonly effectiveFrom: Date;
  /** Version of its event in the stream. */
  readonly version: number;
};

/** The content of the stream `policy`. Lists are in the order of the stream: the last entry holds now. */
export interface Policy {
  /** Version of the last event; -1 without a stream. */
  readonly version: number;
  /** Hash of the last event; null without one. */
  readonly hash: string | null;
  /** Time of the last event, epoch milliseconds; 0 without one. */
  readonly lastEventAt: number;
  /** The newer revenue rules hold for events that occurred from this instant on; null: for none. */
  readonly revenueRule: { readonly cumulativeFrom: Date | null };
  readonly dailyAmounts: readonly DatedAmount[];
  /** Credits that one admin may grant a UTC day. */
  readonly adminGrantLimits: readonly DatedAmount[];
  readonly bundlePrices: readonly BundlePrice[];
  /** Imports of history that are recorded. */
  readonly importIds: readonly string[];
}

/** A store without a stream `policy`. */
export const NO_POLICY: Policy = {
  version: -1,
  hash: null,
  lastEventAt: 0,
  revenueRule: { cumulativeFrom: null },
  dailyAmounts: [],
  adminGrantLimits: [],
  importIds: [],
  bundlePrices: [],
};

/**
 * Folds events of the stream `policy`.
 * @param start the policy before them; they must follow its version
 * @throws UnreadableEventError for an event of a newer program
 */
export function policyOf(
  events: readonly Pick<StoredEvent, 'type' | 'data' | 'metadata' | 'version'>[],
  start: Policy = NO_POLICY,
): Policy {
  let policy = start;
  for (const stored of events) {
    const { hash, occurredAt } = stored.metadata;
    policy = {
      ...policy,
      ...changeBy(policy, readPolicyEvent(stored), stored.version),
      version: stored.version,
      hash: typeof hash === 'string' ? hash : null,
      lastEventAt: typeof occurredAt === 'string' ? Date.parse(occurredAt) : policy.lastEventAt,
    };
  }
  return policy;
}

function changeBy(policy: Policy, { type, data }: PolicyEvent, version: number): Partial<Policy> {
  if (type === 'HistoryImported') return { importIds: [...policy.importIds, data.importId] };
  const effectiveFrom = new Date(data.effectiveFrom);
  switch (type) {
    case 'RevenueRuleAdopted':
      // The first one holds: what was earned under a rule keeps it.
      return policy.revenueRule.cumulativeFrom === null ? { revenueRule: { cumulativeFrom: effectiveFrom } } : {};
    case 'DailyGrantAmountSet':
      return { dailyAmounts: [...policy.dailyAmounts, { amount: data.amount, effectiveFrom }] };
    case 'AdminGrantLimitSet':
      return { adminGrantLimits: [...policy.adminGrantLimits, { amount: data.amount, effectiveFrom }] };
    case 'BundlePriced': {
      const { bundleId, credits, priceCents, onSale } = data;
      const price = { bundleId, credits, priceCents, onSale, effectiveFrom, version };
      return { bundlePrices: [...policy.bundlePrices, price] };
    }
  }
}

/** The price that a bundle has now; undefined when it never had one. */
export function currentPrice({ bundlePrices }: Policy, bundleId: string): BundlePrice | undefined {
  return bundlePrices.filter((price) => price.bundleId === bundleId).at(-1);
}
