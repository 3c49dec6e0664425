import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { textIn } from '../verify/read-account.js';

/** An event with its place in the hash chain of its stream. */
export interface ChainedEvent {
  readonly stored: StoredEvent;
  /** As stored; null when the event has none. */
  readonly hash: string | null;
  /** Null for the first event of the stream. */
  readonly previousHash: string | null;
  /** Null for the last event of the stream. */
  readonly nextHash: string | null;
  /** Whether the content of the event and the hash before it give its hash. */
  readonly intact: boolean;
}

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
  const previousHash = textIn(at(version - 1)?.metadata.hash);
  const intact = verifyChain([stored], previousHash) === null;
  return {
    stored,
    hash: textIn(stored.metadata.hash),
    previousHash,
    nextHash: textIn(at(version + 1)?.metadata.hash),
    intact,
  };
}
