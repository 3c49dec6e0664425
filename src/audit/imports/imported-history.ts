import { type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { POLICY_STREAM, readPolicyEvent, type HistoryImported } from '../../credits/index.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventsIfAny } from '../../platform/event-store/read-events.js';
import { parseSeal } from '../seals/seal-file.js';
import { type LedgerStores, timeOf } from '../verify/read-account.js';
import { isSignedRecord } from './history-import.js';
import { type Report } from '../verify/problem-reports.js';

/** Events of a stream that a record names. */
type ImportedRange = HistoryImported['streams'][number];

/**
 * The events that signed records of imports name. Their times may lie before their recording. Memory depends on the
 * number of imported streams.
 */
export class ImportedHistory {
  /** Streams of records of which every event was read. */
  readonly ended = new Set<string>();

  /** @param ranges the imported events, by stream */
  constructor(readonly ranges: ReadonlyMap<string, readonly ImportedRange[]> = new Map()) {}

  /**
   * Reads the records. One that no trusted key signed, or that was made after the first seal had closed the past,
   * exempts nothing and is a problem.
   * @param keys trusted public keys
   */
  static async read(
    { pool, eventStore }: LedgerStores,
    keys: readonly KeyObject[],
    report: Report,
  ): Promise<ImportedHistory> {
    const ranges = new Map<string, ImportedRange[]>();
    let sealedAt: number | undefined;
    for await (const stored of recordsOf(eventStore)) {
      const { version } = stored;
      const data = recordIn(stored);
      if (!data) continue;
      sealedAt ??= await firstSealAt(pool);
      if (!isSignedRecord(data, keys)) {
        const sentence = `No trusted key has signed the record of import ${data.importId}: it exempts no event.`;
        report({ stream: POLICY_STREAM, version, kind: 'time', what: sentence });
        continue;
      }
      if (!(timeOf(stored) <= sealedAt)) {
        const sentence = `The record of import ${data.importId} was made after the first seal, which closed the past: it exempts no event.`;
        report({ stream: POLICY_STREAM, version, kind: 'seal', what: sentence });
        continue;
      }
      for (const range of data.streams) ranges.set(range.stream, [...(ranges.get(range.stream) ?? []), range]);
    }
    return new ImportedHistory(ranges);
  }

  /** True when the store has a record of an import. */
  static async exists(eventStore: EventStore): Promise<boolean> {
    for await (const stored of recordsOf(eventStore)) if (recordIn(stored)) return true;
    return false;
  }

  has(stream: string, version: number): boolean {
    const ranges = this.ranges.get(stream) ?? [];
    return ranges.some(({ fromVersion, toVersion }) => fromVersion <= version && version <= toVersion);
  }

  /** Compares an event with the records that end with it. @param hash its stored hash */
  check({ stream, version }: StoredEvent, hash: string | null, report: Report): void {
    for (const range of this.ranges.get(stream) ?? []) {
      if (range.toVersion !== version || range.hash === hash) continue;
      const sentence = 'The event differs from the one that the record of its import names.';
      report({ stream, version, kind: 'time', what: sentence });
    }
  }

  /** Must be called after the last event of a stream. Reports a stream that ends before its record does. */
  end(stream: string, lastVersion: number, report: Report): void {
    const ranges = this.ranges.get(stream);
    if (!ranges) return;
    this.ended.add(stream);
    const toVersion = Math.max(...ranges.map((range) => range.toVersion));
    if (lastVersion >= toVersion) return;
    const sentence = `The record of its import names events up to ${toVersion}, but the stream ends at ${lastVersion}: its end is missing.`;
    report({ stream, version: lastVersion + 1, kind: 'version', what: sentence });
  }

  /** Must be called after the last stream. Reports the streams of records that no longer exist. */
  endAll(report: Report): void {
    for (const stream of this.ranges.keys()) if (!this.ended.has(stream)) this.end(stream, -1, report);
  }
}

/** None of a deleted stream: the audit of the policy reports it. */
async function* recordsOf(eventStore: EventStore): AsyncGenerator<StoredEvent> {
  for await (const stored of eventsIfAny(eventStore, POLICY_STREAM))
    if (stored.type === 'HistoryImported') yield stored;
}

/** Null for an event that cannot be read: the audit of the policy reports it. */
function recordIn(stored: StoredEvent): HistoryImported | null {
  try {
    const { type, data } = readPolicyEvent(stored);
    return type === 'HistoryImported' && Array.isArray(data.streams) ? data : null;
  } catch {
    return null;
  }
}

/** When the first seal was started, epoch milliseconds; Infinity before it. */
async function firstSealAt(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ line: string }>('select line from ledger_seal order by number limit 1');
  const seal = rows[0] && parseSeal(rows[0].line);
  return seal ? Date.parse(seal.manifest.startedAt) : Number.POSITIVE_INFINITY;
}
