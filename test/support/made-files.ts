import { type KeyObject } from 'node:crypto';
import { v7 } from 'uuid';
import { ExportLines } from '../../src/audit/export/ledger-export.js';
import { signedCheckpoint, tlogProof } from '../../src/audit/log/checkpoint.js';
import { entriesTile } from '../../src/audit/log/tile-path.js';
import { MerkleRoot } from '../../src/audit/seals/merkle-root.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { canonicalJson, chainEvent } from '../../src/platform/event-store/hash-chain.js';
import { type JsonObject } from '../../src/platform/json.js';

/** An event before it has its place: type, data, and time (ISO 8601). */
export type MadeEvent = readonly [type: string, data: JsonObject, occurredAt: string];

/** The events of a stream with their hashes, as a store would have them. @param ids new ones by default */
export function madeStream(stream: string, events: readonly MadeEvent[], ids: readonly string[] = []): StoredEvent[] {
  let last: string | null = null;
  return events.map(([type, data, occurredAt], version) => {
    const id = ids[version] ?? v7({ msecs: Date.parse(occurredAt), seq: version });
    const metadata: JsonObject = { eventId: id, correlationId: id, causationId: id, actorId: 'system', occurredAt };
    const event = { stream, version, id, type, data: { schemaVersion: 1, ...data }, metadata };
    last = chainEvent(last, event).hash;
    return { ...event, position: `${version}`, recordedAt: new Date(occurredAt) };
  });
}

/** An export of these events, stream by stream, as `exportLedger` writes it. */
export function madeExport(events: readonly StoredEvent[], key: KeyObject, startedAt: string): string {
  const lines = new ExportLines({ startedAt });
  const texts = events.flatMap((event) => lines.add(event));
  return [...texts, ...lines.finish(key, new Date(startedAt))].map((line) => `${line}\n`).join('');
}

/** A log of fewer than 256 entries, and its signed checkpoint. */
export interface MadeLog {
  readonly checkpoint: string;
  readonly kept: readonly string[];
  readonly read: (name: string) => Promise<Uint8Array>;
}

const ORIGIN = 'localhost:3000/ledger';

/** The log of these events in this order. */
export function madeLog(events: readonly StoredEvent[], key: KeyObject, origin = ORIGIN): MadeLog {
  const entries = events.map(({ metadata }) => Buffer.from(metadata.hash as string, 'hex'));
  const tree = new MerkleRoot();
  for (const entry of entries) tree.add(entry);
  const root = Buffer.from(tree.root(), 'hex');
  const checkpoint = signedCheckpoint({ origin, size: entries.length, root }, key);
  return { checkpoint, kept: [], read: () => Promise.resolve(entriesTile(entries)) };
}

/** The statement of a stream. Its log has the last event alone. @param statedAt any text */
export function madeStatement(
  events: readonly StoredEvent[],
  key: KeyObject,
  statedAt: string,
  origin = ORIGIN,
): string {
  const { checkpoint } = madeLog(events.slice(-1), key, origin);
  const head = { format: 'fanvas-statement', formatVersion: 1, stream: events[0]?.stream ?? '', at: statedAt };
  const lines = events.map(({ stream, version, id, type, data, metadata }) => {
    return { event: { stream, version, id, type, data, metadata } };
  });
  const all: readonly JsonObject[] = [{ statement: head }, ...lines, { proof: tlogProof(0, [], checkpoint) }];
  return all.map((line) => `${canonicalJson(line)}\n`).join('');
}
