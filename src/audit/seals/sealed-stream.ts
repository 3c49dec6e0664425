import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { timeOf } from '../verify/read-account.js';
import { type SealedHead, type SealedHeads, type SealTime } from './seal-file.js';

type Report = (problem: LedgerProblem) => void;

/** Compares streams with the heads of seals. Streams must come in byte order. */
export class SealComparison {
  /** Heads compared so far. */
  compared = 0;
  /** Events so far that the newest seal does not cover. */
  beyondNewest = 0;
  private readonly newest: number | null;

  constructor(
    private readonly sealed: SealedHeads | undefined,
    private readonly report: Report,
  ) {
    const numbers = (sealed?.times ?? []).map(({ number }) => number);
    this.newest = numbers.length === 0 ? null : Math.max(...numbers);
  }

  /**
   * Starts a stream: reports sealed streams that were skipped.
   * @param stream null after the last stream
   */
  async begin(stream: string | null): Promise<SealedStream> {
    const heads: SealedHead[] = [];
    for await (const head of this.sealed?.upTo(stream) ?? []) {
      this.compared += 1;
      if (head.stream === stream) heads.push(head);
      else {
        const sentence = `The stream is missing: seal ${head.seal} covers it up to event ${head.version}.`;
        this.report({ stream: head.stream, version: head.version, kind: 'seal', what: sentence });
      }
    }
    const { newest } = this;
    const covered = heads.find(({ seal }) => seal === newest)?.version ?? -1;
    return new SealedStream(heads, this.sealed?.times ?? [], (version) => {
      if (newest !== null && version > covered) this.beyondNewest += 1;
    });
  }
}

/** Version of the head of a stream in a seal; -1 when the seal does not contain the stream. */
type Closing = SealTime & { readonly version: number };

/** Compares the events of one stream with all seals, in order. */
export class SealedStream {
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
    private readonly onVersion: (version: number) => void,
  ) {
    const versions = new Map(heads.map(({ seal, version }) => [seal, version]));
    this.closings = times
      .map((time) => ({ ...time, version: versions.get(time.number) ?? -1 }))
      .sort((a, b) => a.version - b.version);
  }

  /** @param hash the stored hash of the event */
  add(stored: StoredEvent, hash: string | null, report: Report): void {
    const { stream, version } = stored;
    this.onVersion(version);
    for (const head of this.heads) {
      if (version !== head.version || hash === head.hash) continue;
      const sentence = `The event differs from the one that seal ${head.seal} covers: it or an earlier event was changed, and the hashes were recomputed.`;
      report({ stream, version, kind: 'seal', what: sentence });
    }
    for (let due = this.closings[this.next]; due && due.version < version; due = this.closings[this.next]) {
      if (!this.closing || due.closedUntil > this.closing.closedUntil) this.closing = due;
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
