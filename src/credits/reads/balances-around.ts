import { type EventStore } from '../../platform/event-store/event-store.js';
import { accountStream, readCreditEvent } from '../account/events.js';
import { accountTime, type Balances, balancesAt, emptyAccount, evolve } from '../account/state.js';

/** Events of one read. */
const EVENTS_PER_READ = 1_000;

/**
 * The balances of an account before its event `first` and after its event `last`, at the times of these events. Folds
 * the account from its first event.
 * @throws Error when the account has no such events
 */
export async function balancesAround(
  eventStore: EventStore,
  { userId, first, last }: { readonly userId: string; readonly first: number; readonly last: number },
): Promise<{ readonly before: Balances; readonly after: Balances }> {
  const stream = accountStream(userId);
  let state = emptyAccount();
  let before: Balances | null = null;
  for (let fromVersion = 0; fromVersion <= last; fromVersion += EVENTS_PER_READ) {
    const limit = Math.min(EVENTS_PER_READ, last + 1 - fromVersion);
    const page = await eventStore.readStream(stream, { fromVersion, limit });
    for (const stored of page) {
      const occurredAt = new Date(stored.metadata['occurredAt'] as string);
      if (stored.version === first) before = balancesAt(state, accountTime(state, occurredAt));
      state = evolve(state, readCreditEvent(stored), occurredAt);
      if (stored.version === last && before) {
        return { before, after: balancesAt(state, accountTime(state, occurredAt)) };
      }
    }
  }
  throw new Error(`The account ${userId} has no events ${first} to ${last}.`);
}
