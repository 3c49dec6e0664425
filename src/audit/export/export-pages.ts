import { createHmac, createPrivateKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { ExportLines, type ExportState } from './ledger-export.js';
import { ledgerStreams } from '../verify/stream-kinds.js';
import { parseObject } from '../seals/signed-file.js';
import { LedgerKeys } from '../seals/ledger-keys.js';

/** Fewer streams than these are read together with the next ones, which are often of another kind. */
const FEW_STREAMS = 100;

/** The cursor was not issued by this ledger, or was changed. */
export class CursorError extends Error {}

/** A page of an export. `verify-export` accepts a file of the lines of all pages, each ended by a line feed. */
export interface ExportPage {
  readonly lines: readonly string[];
  /** Cursor of the next page; null after the last page, which ends with the manifest. */
  readonly nextCursor: string | null;
  /** Streams that this page would hold, and whose events were deleted in the event store. */
  readonly missing: readonly string[];
}

/**
 * Exports the ledger a page at a time. The server keeps no state between pages: the cursor carries the state of the
 * export, authenticated with a code derived from the ledger's key.
 */
@Injectable()
export class ExportPages {
  private readonly secret: Buffer;

  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    @Inject(LedgerKeys) private readonly keys: Pick<LedgerKeys, 'initial' | 'current'>,
  ) {
    // Cursors stay valid during a rotation of the key.
    const der = createPrivateKey(keys.initial.export({ type: 'pkcs8', format: 'pem' })).export({
      type: 'pkcs8',
      format: 'der',
    });
    this.secret = Buffer.from(hkdfSync('sha256', der, '', 'fanvas ledger export cursor', 32));
  }

  /**
   * @param cursor null for the first page
   * @param limit events in the page
   * @throws CursorError
   */
  async page(cursor: string | null, limit: number): Promise<ExportPage> {
    const lines = new ExportLines(cursor === null ? { startedAt: this.clock.now().toISOString() } : this.open(cursor));
    const { events, missing } = await this.eventsAfter(lines.last, limit);
    const made = events.flatMap((event) => lines.add(event));
    if (events.length < limit) {
      const key = await this.keys.current();
      return { lines: [...made, ...lines.finish(key, this.clock.now())], nextCursor: null, missing };
    }
    return { lines: made, nextCursor: this.close(lines.save()), missing };
  }

  /**
   * The next events, over several streams if needed. Fewer than `limit` only at the end of the ledger.
   * @throws StreamDeletedError when the stream was deleted since the last page
   */
  private async eventsAfter(
    last: ExportState['head'],
    limit: number,
  ): Promise<{ readonly events: StoredEvent[]; readonly missing: readonly string[] }> {
    const events: StoredEvent[] = [];
    const missing: string[] = [];
    if (last) {
      const rest = { fromVersion: last.version + 1, limit };
      events.push(...(await this.eventStore.readStream(last.stream, rest)));
    }
    /** Reads the events of these streams. @returns whether the page is full */
    const read = async (streams: readonly string[]): Promise<boolean> => {
      const page = await this.eventStore.readStreams(streams, { after: null, limit: limit - events.length });
      events.push(...page);
      const found = new Set(page.map(({ stream }) => stream));
      const isFull = events.length === limit;
      // The next page begins after the last stream of this one.
      const passed = isFull ? streams.slice(0, streams.indexOf(page.at(-1)?.stream ?? '')) : streams;
      missing.push(...passed.filter((stream) => !found.has(stream)));
      return isFull;
    };
    if (events.length === limit) return { events, missing };
    let streams: string[] = [];
    for await (const names of ledgerStreams(this.eventStore, last?.stream ?? null)) {
      streams.push(...names);
      if (streams.length < FEW_STREAMS) continue;
      if (await read(streams)) return { events, missing };
      streams = [];
    }
    if (streams.length > 0) await read(streams);
    return { events, missing };
  }

  private close(state: ExportState): string {
    const text = Buffer.from(canonicalJson(state));
    return `${text.toString('base64url')}.${this.codeOf(text).toString('base64url')}`;
  }

  private open(cursor: string): ExportState {
    const [text = '', code = ''] = cursor.split('.').map((part) => Buffer.from(part, 'base64url'));
    const expectedCode = this.codeOf(Buffer.from(text));
    const givenCode = Buffer.from(code);
    if (givenCode.length !== expectedCode.length || !timingSafeEqual(givenCode, expectedCode))
      throw new CursorError('The cursor was not issued by this ledger.');
    return parseObject(text.toString()) as ExportState;
  }

  private codeOf(text: Buffer): Buffer {
    return createHmac('sha256', this.secret).update(text).digest();
  }
}
