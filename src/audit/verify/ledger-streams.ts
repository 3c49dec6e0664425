import { ACCOUNT_STREAM_PREFIX, POLICY_STREAM } from '../../credits/index.js';
import { PAYOUT_STREAM_PREFIX } from '../../finance/index.js';
import { type EventStore, StreamDeletedError } from '../../platform/event-store/event-store.js';

/**
 * The names of all streams of the ledger in byte order, in pages: those of the payouts, of the accounts, then
 * the policy. Deleted streams may be listed.
 * @param after only names that sort after this one; all by default
 */
export async function* ledgerStreams(
  eventStore: Pick<EventStore, 'streams' | 'readStream'>,
  after: string | null = null,
): AsyncGenerator<string[]> {
  if (after === POLICY_STREAM) return;
  const inAccounts = after?.startsWith(ACCOUNT_STREAM_PREFIX) ?? false;
  if (!inAccounts) yield* eventStore.streams(PAYOUT_STREAM_PREFIX, after);
  yield* eventStore.streams(ACCOUNT_STREAM_PREFIX, inAccounts ? after : null);
  if (await hasPolicy(eventStore)) yield [POLICY_STREAM];
}

/** True when the store has a policy, or had one that was deleted. */
export async function hasPolicy(eventStore: Pick<EventStore, 'readStream'>): Promise<boolean> {
  try {
    return (await eventStore.readStream(POLICY_STREAM, { limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof StreamDeletedError) return true;
    throw error;
  }
}
