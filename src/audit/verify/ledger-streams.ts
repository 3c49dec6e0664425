import { ACCOUNT_STREAM_PREFIX, POLICY_STREAM } from '../../credits/index.js';
import { EARNINGS_STREAM_PREFIX, PAYOUT_STREAM_PREFIX, PROCESSOR_STREAM } from '../../finance/index.js';
import { type EventStore, StreamDeletedError } from '../../platform/event-store/event-store.js';

/** Prefixes of the names of all streams but the policy and the processor, in byte order. */
const PREFIXES = [EARNINGS_STREAM_PREFIX, PAYOUT_STREAM_PREFIX, ACCOUNT_STREAM_PREFIX];

/**
 * The names of all streams of the ledger in byte order, in pages: those of earnings, payouts and accounts, then the
 * policy and the processor. Deleted streams may be listed.
 * @param after only names that sort after this one; all by default
 */
export async function* ledgerStreams(
  eventStore: Pick<EventStore, 'streams' | 'readStream'>,
  after: string | null = null,
): AsyncGenerator<string[]> {
  if (after === PROCESSOR_STREAM) return;
  if (after !== POLICY_STREAM) {
    const at = PREFIXES.findIndex((prefix) => after?.startsWith(prefix));
    for (const [index, prefix] of PREFIXES.entries()) {
      if (index >= at) yield* eventStore.streams(prefix, index === at ? after : null);
    }
    if (await hasPolicy(eventStore)) yield [POLICY_STREAM];
  }
  if (await hasProcessor(eventStore)) yield [PROCESSOR_STREAM];
}

/** True when the store has a policy, or had one that was deleted. */
export async function hasPolicy(eventStore: Pick<EventStore, 'readStream'>): Promise<boolean> {
  return hasStream(eventStore, POLICY_STREAM);
}

/** True when the store has events of the processor, or had some that were deleted. */
export async function hasProcessor(eventStore: Pick<EventStore, 'readStream'>): Promise<boolean> {
  return hasStream(eventStore, PROCESSOR_STREAM);
}

async function hasStream(eventStore: Pick<EventStore, 'readStream'>, stream: string): Promise<boolean> {
  try {
    return (await eventStore.readStream(stream, { limit: 1 })).length > 0;
  } catch (error) {
    if (error instanceof StreamDeletedError) return true;
    throw error;
  }
}
