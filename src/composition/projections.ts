import { accountProjection } from '../credits/index.js';
import { booksProjection, payoutsProjection, processorProjection } from '../finance/index.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { type Projection } from '../platform/projections/projection.js';
import {
  ACTIVITY_PROJECTION,
  activityProjection,
  policyRules,
  REVENUE_PROJECTION,
  revenueProjection,
} from '../revenue/index.js';

/** Names, versions and tables of every projection of the product. */
export const projections: readonly Omit<Projection<unknown>, 'apply'>[] = [
  accountProjection,
  REVENUE_PROJECTION,
  ACTIVITY_PROJECTION,
  booksProjection,
  payoutsProjection,
  processorProjection,
];

/** Every projection of the product, for the command line; the app has them from its modules. */
export function projectionsOf(eventStore: Pick<EventStore, 'readStream'>): readonly Projection<unknown>[] {
  const rules = policyRules(eventStore);
  return [
    accountProjection as unknown as Projection<unknown>,
    revenueProjection(rules) as unknown as Projection<unknown>,
    activityProjection(rules) as unknown as Projection<unknown>,
    booksProjection as unknown as Projection<unknown>,
    payoutsProjection as unknown as Projection<unknown>,
    processorProjection as unknown as Projection<unknown>,
  ];
}
