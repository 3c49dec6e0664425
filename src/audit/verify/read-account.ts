import { type Pool } from 'pg';
import { emptyIfDeleted, type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { GROUP_PAGE } from '../../platform/event-store/read-events.js';

/** The database and the events of a ledger. */
export interface LedgerStores {
  readonly pool: Pool;
  readonly eventStore: EventStore;
}

/** The event of a version; null when the stream has none there, or is deleted. */
export async function eventAt(eventStore: EventStore, stream: string, version: number): Promise<StoredEvent | null> {
  const [found] = await emptyIfDeleted(eventStore.readStream(stream, { fromVersion: version, limit: 1 }));
  return found?.version === version ? found : null;
}

/**
 * Reads the events of several streams in order, for a caller that takes the streams in the same order. Skips deleted
 * streams. Keeps one page.
 */
export class StreamReader {
  private page: Iterator<StoredEvent> | null = null;
  /** The event that was read and not taken yet; null at the end of the page. */
  private ahead: StoredEvent | null = null;
  private last: StoredEvent | null = null;
  /** Events of the page so far. */
  private taken = 0;
  private ended = false;

  /** @param streams in byte order */
  constructor(
    private readonly eventStore: EventStore,
    private readonly streams: readonly string[],
  ) {}

  /** Whether this stream has more events. Reads the next page at the end of one. */
  async has(stream: string): Promise<boolean> {
    while (!this.ahead && !this.ended) {
      const { last: after } = this;
      const page = await this.eventStore.scanStreams(this.streams, { after, limit: GROUP_PAGE });
      this.page = page[Symbol.iterator]();
      this.taken = 0;
      this.advance();
    }
    return this.ahead?.stream === stream;
  }

  /** The next events of this stream: at most those of one page. */
  *run(stream: string): Generator<StoredEvent> {
    for (let event = this.ahead; event?.stream === stream; event = this.ahead) {
      this.last = event;
      yield event;
      this.advance();
    }
  }

  private advance(): void {
    const next = this.page?.next();
    if (next && next.done !== true) {
      this.ahead = next.value;
      this.taken += 1;
      return;
    }
    this.ahead = null;
    this.ended = this.taken < GROUP_PAGE;
  }
}

/** A text in the metadata or the data of an event; null for everything else. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Every check asks for the time of the same event, so the last answers are kept. */
let lastText = '';
let lastTime = NaN;
let lastInstant = NaN;
let lastWritten = '';

/** The instant of an event in epoch milliseconds; NaN when the event has none. */
export function timeOf({ metadata: { occurredAt } }: StoredEvent): number {
  if (typeof occurredAt !== 'string') return NaN;
  if (occurredAt !== lastText) {
    lastText = occurredAt;
    lastTime = Date.parse(occurredAt);
  }
  return lastTime;
}

/** Writes an instant (epoch milliseconds) as the ledger writes times. @throws RangeError for NaN */
export function textOf(at: number): string {
  if (at !== lastInstant) {
    lastWritten = new Date(at).toISOString();
    lastInstant = at;
  }
  return lastWritten;
}
