import { setTimeout } from 'node:timers/promises';
import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { type HistoryImported, type PolicyStore } from '../../credits/index.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { Locks } from '../../platform/locks.js';
import { lastSeal, SEAL_LOCK } from '../seals/ledger-seals.js';
import { compareNames } from '../seals/signed-file.js';
import { fingerprintOf, isSignedBy, signText } from '../seals/signing-key.js';
import { textIn, timeOf } from '../verify/read-account.js';
import { STREAM_KINDS } from '../verify/stream-kinds.js';

/** The streams that can have a past, in the order of their names. */
const PREFIXES = STREAM_KINDS.filter(({ hasPast }) => hasPast).map(({ prefix }) => prefix);
/** Events read at once. */
const EVENTS_PER_READ = 1000;
/** Streams in one event, so that no store finds it too large. */
const STREAMS_PER_PART = 500;

/** History cannot be imported, or not be recorded. The message is a sentence. */
class ImportError extends Error {}

export interface ImportContext {
  readonly pool: Pool;
  readonly eventStore: EventStore;
  readonly policies: Pick<PolicyStore, 'change'>;
  readonly key: KeyObject;
}

export interface ImportOptions {
  /** Identifies the import. A repeated id records nothing again. */
  readonly importId: string;
  /** Stored permanently: must not name a person. */
  readonly reason: string;
  /**
   * The record covers all events of the store, also those of an earlier attempt that was interrupted. By default it
   * covers the events that `work` appends.
   */
  readonly fromBeginning?: boolean;
}

/** The events that an import appended to one stream. */
type ImportedRange = HistoryImported['streams'][number];

/**
 * Imports events with times of the past. `work` appends them, for example by commands on a clock that runs from then to
 * now. A signed record in the stream `policy` then names exactly these events; without it, `verify` reports each of
 * them. No other process may write to accounts, payouts and earnings meanwhile. No seal can be made meanwhile.
 * @throws ImportError when the ledger has a seal, which closes the past; when another process seals it; or when the
 *   store does not show all events yet, and then the import must be repeated with `fromBeginning`
 */
export async function importHistory<T>(
  { pool, eventStore, policies, key }: ImportContext,
  options: ImportOptions,
  work: () => Promise<T>,
): Promise<T> {
  const done = await new Locks(pool).withLock(SEAL_LOCK, async () => {
    if ((await lastSeal(pool)) !== null) {
      throw new ImportError('The ledger has a seal, which closes the past: history can no longer be imported.');
    }
    const after = new Map<string, string | null>();
    for (const prefix of PREFIXES) {
      after.set(prefix, options.fromBeginning ? null : await eventStore.lastPosition(prefix));
    }
    const result = await work();
    const imported: Imported[] = [];
    for (const prefix of PREFIXES)
      imported.push(...(await importedSince(eventStore, prefix, after.get(prefix) ?? null)));
    const record = signedRecord(imported, options, key);
    await policies.change('operator', ({ importIds }) =>
      importIds.includes(options.importId) ? [] : record.map((data) => ({ type: 'HistoryImported' as const, data })),
    );
    return { result };
  });
  if (!done) throw new ImportError('The ledger is being sealed by another process; try again when it is done.');
  return done.result;
}

/** True when one of these keys signed the record of an import. */
export function isSignedRecord({ signature, ...content }: HistoryImported, keys: readonly KeyObject[]): boolean {
  const text = canonicalJson(content);
  return typeof signature === 'string' && keys.some((key) => isSignedBy(text, signature, key));
}

interface Imported {
  readonly range: ImportedRange;
  readonly from: number;
  readonly to: number;
}

/** Reads of the newest imported events, with a pause after each: older transactions that still run hide them. */
const MOST_READS = 300;
const PAUSE_MS = 200;

/** The events of these streams after a position, by stream in byte order. @throws ImportError */
async function importedSince(eventStore: EventStore, streamPrefix: string, after: string | null): Promise<Imported[]> {
  const streams = new Map<string, Imported>();
  let position = after;
  let reads = 0;
  for (;;) {
    const page = await eventStore.readAll({ after: position, limit: EVENTS_PER_READ, streamPrefix });
    for (const stored of page) {
      const { stream, version } = stored;
      const at = timeOf(stored);
      const known = streams.get(stream);
      const hash = textIn(stored.metadata.hash) ?? '';
      const range = { stream, fromVersion: known?.range.fromVersion ?? version, toVersion: version, hash };
      streams.set(stream, { range, from: Math.min(known?.from ?? at, at), to: Math.max(known?.to ?? at, at) });
      ({ position } = stored);
    }
    if (page.length === EVENTS_PER_READ) continue;
    const last = await eventStore.lastPosition(streamPrefix);
    if (last === null || (position !== null && eventStore.comparePositions(position, last) >= 0)) break;
    reads += 1;
    if (reads === MOST_READS) {
      throw new ImportError('The store does not show all imported events yet: repeat the import from the beginning.');
    }
    await setTimeout(PAUSE_MS);
  }
  return [...streams.values()].sort((a, b) => compareNames(a.range.stream, b.range.stream));
}

function signedRecord(
  imported: readonly Imported[],
  { importId, reason }: ImportOptions,
  key: KeyObject,
): HistoryImported[] {
  const parts = Math.ceil(imported.length / STREAMS_PER_PART);
  return Array.from({ length: parts }, (_, index) => {
    const chunk = imported.slice(index * STREAMS_PER_PART, (index + 1) * STREAMS_PER_PART);
    const streams = chunk.map(({ range }) => range);
    const content = {
      schemaVersion: 1 as const,
      importId,
      part: index + 1,
      parts,
      reason,
      from: new Date(Math.min(...chunk.map(({ from }) => from))).toISOString(),
      to: new Date(Math.max(...chunk.map(({ to }) => to))).toISOString(),
      events: streams.reduce((sum, { fromVersion, toVersion }) => sum + toVersion - fromVersion + 1, 0),
      streams,
      keyFingerprint: fingerprintOf(key),
    };
    return { ...content, signature: signText(canonicalJson(content), key) };
  });
}
