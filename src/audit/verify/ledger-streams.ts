import { type EventStore } from '../../platform/event-store/event-store.js';
import { compareNames } from '../seals/signed-file.js';
import { STREAM_KINDS, streamsOf } from './stream-kinds.js';

/**
 * The names of all streams of the ledger in byte order, in pages. Deleted streams may be listed.
 * @param after only names that sort after this one; all by default
 */
export async function* ledgerStreams(
  eventStore: Pick<EventStore, 'streams' | 'readStream'>,
  after: string | null = null,
): AsyncGenerator<string[]> {
  for (const kind of STREAM_KINDS) {
    const { prefix, isSingle } = kind;
    if (after === null || compareNames(after, prefix) < 0) yield* streamsOf(eventStore, kind);
    else if (!isSingle && after.startsWith(prefix)) yield* streamsOf(eventStore, kind, after);
  }
}
