import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { leafHash } from '../seals/merkle-root.js';
import { eventAt, type LedgerStores } from '../verify/read-account.js';
import { kindOf } from '../verify/stream-kinds.js';
import { addLeaves, lastLeaf, LedgerLogError, loggedVersions, type LogLeaf, readHashes } from './log-store.js';
import { GrowingTree, rangesOfRoot } from './tree-hashes.js';

/** Events of one statement. */
const EVENTS_PER_STATEMENT = 1000;

/**
 * Gives each event of the ledger that has no leaf yet the next one, in the order of the event store: below the oldest
 * running transaction, old events first, versions rising within a stream. One process at a time should run it; of two,
 * one fails without an effect. A crash leaves complete pages.
 * @returns the number of new leaves, and the position up to which the log has all events; null while the store is empty
 * @throws LedgerLogError when the newest leaf is no event of the store, or an event cannot be the next of its stream
 */
export async function sequenceEvents({
  pool,
  eventStore,
}: LedgerStores): Promise<{ readonly added: number; readonly position: string | null }> {
  const last = await lastLeaf(pool);
  let after = last && (await positionOf(eventStore, last));
  const size = last ? last.index + 1 : 0;
  const tree = new GrowingTree(size, await readHashes(pool, rangesOfRoot(size)));
  let added = 0;
  for (;;) {
    const page = await eventStore.readAll({ after, limit: EVENTS_PER_STATEMENT });
    // An EventStoreDB may have streams of other programs.
    const events = page.filter(({ stream }) => kindOf(stream));
    const versions = await loggedVersions(pool, [...new Set(events.map(({ stream }) => stream))]);
    const first = tree.size;
    const leaves = events.map((event, offset) => leafOf(event, first + offset, versions));
    const nodes = leaves.flatMap(({ hash }) => tree.add(leafHash(hash)));
    if (leaves.length > 0) await addLeaves(pool, leaves, nodes);
    added += leaves.length;
    after = page.at(-1)?.position ?? after;
    if (page.length < EVENTS_PER_STATEMENT) return { added, position: after };
  }
}

/** The position of a leaf's event. It is looked up, because positions change when a dump is restored. */
async function positionOf(eventStore: EventStore, leaf: LogLeaf): Promise<string> {
  const { stream, version, eventId, hash } = leaf;
  const event = await eventAt(eventStore, stream, version);
  if (event?.id === eventId && hashIn(event)?.equals(hash)) return event.position;
  throw new LedgerLogError(
    `The newest leaf of the log is event ${version} of ${stream}, which the event store does not have as it was logged: the store was restored or changed.`,
  );
}

function leafOf(event: StoredEvent, index: number, versions: Map<string, number>): LogLeaf {
  const { stream, version, id } = event;
  const next = (versions.get(stream) ?? -1) + 1;
  if (version !== next) {
    throw new LedgerLogError(`The log expects event ${next} of ${stream} next, but the event store gives ${version}.`);
  }
  const hash = hashIn(event);
  if (!hash) throw new LedgerLogError(`Event ${version} of ${stream} has no hash: it cannot be logged.`);
  versions.set(stream, version);
  return { index, eventId: id, stream, version, hash };
}

function hashIn({ metadata: { hash } }: StoredEvent): Buffer | null {
  return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, 'hex') : null;
}
