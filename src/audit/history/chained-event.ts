import { type AccountEvent } from '../../contract/audit.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { textIn } from '../verify/read-account.js';

/** An event with its place in the hash chain of its stream. */
type ChainedEvent = Pick<AccountEvent, 'hash' | 'previous_hash' | 'next_hash' | 'intact'> & {
  readonly stored: StoredEvent;
};

/**
 * Reads an event with the events before and after it.
 * @returns null when the stream has no event of this version
 * @throws StreamDeletedError when another program deleted the stream
 */
export async function readChainedEvent(
  eventStore: EventStore,
  stream: string,
  version: number,
): Promise<ChainedEvent | null> {
  const fromVersion = Math.max(version - 1, 0);
  const events = await eventStore.readStream(stream, { fromVersion, limit: 3 });
  const at = (wanted: number): StoredEvent | undefined => events.find((event) => event.version === wanted);
  const stored = at(version);
  if (!stored) return null;
  const previous = textIn(at(version - 1)?.metadata.hash);
  return {
    stored,
    hash: textIn(stored.metadata.hash),
    previous_hash: previous,
    next_hash: textIn(at(version + 1)?.metadata.hash),
    intact: verifyChain([stored], previous) === null,
  };
}
