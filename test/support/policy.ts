import { DEFAULT_CREDIT_SETTINGS, type CreditSettings } from '../../src/credits/account/constants.js';
import { adoptRevenueRule, adoptSettings } from '../../src/credits/policy/decide.js';
import { PolicyStore } from '../../src/credits/policy/policy-store.js';
import { type Clock } from '../../src/platform/clock.js';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';

/** Writes the policy that the app adopts at its start on this store. Later calls write only what has changed. */
export async function adoptPolicy(
  eventStore: EventStore,
  clock: Clock,
  settings: CreditSettings = DEFAULT_CREDIT_SETTINGS,
): Promise<PolicyStore> {
  const store = new PolicyStore(eventStore, clock, new UuidGenerator(), settings);
  await store.change('system', (policy, moment) => [
    ...adoptRevenueRule(policy, moment),
    ...adoptSettings(policy, moment, settings),
  ]);
  return store;
}
