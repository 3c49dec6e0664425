import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { timeOf } from '../verify/read-account.js';
import { type SealedHead, type SealedHeads, type SealTime } from './seal-file.js';
import { type Report } from '../verify/problem-reports.js';

/** Compares streams with the heads of seals. Streams must come in byte order. */
export class SealComparison {
  /** Heads compared so far. */
  compared = 0;

  constructor(
    private readonly sealed: SealedHeads | undefined,
    private readonly report: Report,
  ) {}

  /** Starts a stream. See {@link heads}. */
  async begin(stream: string): Promise<SealedStream> {
    return new SealedStream(await this.heads(stream), this.sealed?.times ?? []);
  }

  /**
   * The heads of the next stream. Reports sealed streams that were skipped.
   * @param stream null after the last stream
   */
  async heads(stream: string | null): Promise<SealedHead[]> {
    const heads: SealedHead[] = [];
    for await (const head of this.sealed?.upTo(stream) ?? []) {
      this.compared += 1;
      if (head.stream === stream) heads.push(head);
      else {
        const sentence = `The stream is missing: seal ${head.seal} covers it up to event ${head.version}.`;
        this.report({ stream: head.stream, version: head.version, kind: 'seal', what: sentence });
      }
    }
    return heads;
  }
}

/** Version of the head of a stream in a seal; -1 when the seal does not contain the stream. */
type Closing = SealTime & { readonly version: number };

/** Compares the events of one stream with all seals, in order. */
export class SealedStream {
  /** Events so far that the newest seal does not cover; 0 without seals. */
  beyondNewest = 0;
  /** Version up to which the newest seal covers the stream; infinity without seals. */
  private readonly covered: number;
  /** By version, the lowest first. */
  private readonly closings: readonly Closing[];
  private next = 0;
  /** The seal that closed the most time, of those whose head lies before the current event. */
  private closing: Closing | null = null;
  /** The first event in closed time that the seal of that time does not cover. */
  private late: { readonly version: number; readonly at: number; readonly closing: Closing } | null = null;
  private lateEvents = 0;

  constructor(
    private readonly heads: readonly SealedHead[],
    times: readonly SealTime[],
  ) {
    const versions = new Map(heads.map(({ seal, version }) => [seal, version]));
    this.closings = times
      .map((time) => ({ ...time, version: versions.get(time.number) ?? -1 }))
      .sort((a, b) => a.version - b.version);
    const newest = Math.max(...times.map(({ number }) => number));
    this.covered = times.length === 0 ? Number.POSITIVE_INFINITY : (versions.get(newest) ?? -1);
  }

  /** @param hash the stored hash of the event */
  add(stored: StoredEvent, hash: string | null, report: Report): void {
    const { stream, version } = stored;
    if (version > this.covered) this.beyondNewest += 1;
    for (const head of this.heads) {
      if (version !== head.version || hash === head.hash) continue;
      const sentence = `The event differs from the one that seal ${head.seal} covers: it or an earlier event was changed, and the hashes were recomputed.`;
      report({ stream, version, kind: 'seal', what: sentence });
    }
    for (let passed = this.closings[this.next]; passed && passed.version < version; passed = this.closings[this.next]) {
      if (!this.closing || passed.closedUntil > this.closing.closedUntil) this.closing = passed;
      this.next += 1;
    }
    const at = timeOf(stored);
    if (!this.closing || at >= this.closing.closedUntil) return;
    this.late ??= { version, at, closing: this.closing };
    this.lateEvents += 1;
  }

  /** Called after the last event. Reports a stream that ends before a sealed head, and events in closed time. */
  end(stream: string, lastVersion: number, report: Report): void {
    for (const head of this.heads) {
      if (lastVersion >= head.version) continue;
      const sentence = `The stream ends at ${lastVersion}, but seal ${head.seal} covers it up to event ${head.version}: its end is missing.`;
      report({ stream, version: lastVersion + 1, kind: 'seal', what: sentence });
    }
    if (!this.late) return;
    const { version, at, closing } = this.late;
    const others = this.lateEvents === 1 ? '' : ` The same is true for ${this.lateEvents - 1} more of its events.`;
    const known = closing.version < 0 ? 'does not contain the stream' : `covers it up to event ${closing.version} only`;
    const sentence = `The event says that it occurred at ${new Date(at).toISOString()}, and seal ${closing.number}, which closed that time, ${known}.${others}`;
    report({ stream, version, kind: 'seal', what: sentence });
  }
}
