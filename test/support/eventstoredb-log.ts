import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';

/** Interval, in appends, at which the server writes an event of its own, as real ones do. */
const SYSTEM_EVENT_EVERY = 7;

/** Type of the tombstone, which a hard delete leaves in the deleted stream. */
const TOMBSTONE = '$streamDeleted';
/** Metadata that a soft delete writes. */
const SOFT_DELETED = '{"$tb":9223372036854775807}';

/** An event of an append. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  readonly metadata: string;
}

/** An event of the log. */
export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly at: number;
}

export type Expected = 'no stream' | number;
/** The last event of an append, or the revision at which the stream is (-1 without an event). */
export type Outcome = { readonly last: Recorded } | { readonly current: number } | 'deleted';
/** Readable events of a stream; null: it does not exist or was deleted softly. */
export type StreamContent = readonly Recorded[] | 'deleted' | null;

/** The events of the EventStoreDB emulator, in a file or in memory. The nodes of a cluster share it. */
export class EventStoreDbLog {
  /** All events in the order of `$all`. */
  readonly events: Recorded[] = [];
  /** The time of the server, epoch milliseconds. Tests move it with their clock. */
  now = (): number => Date.now();
  /** Emits `append`. */
  readonly appended = new EventEmitter().setMaxListeners(0);
  private readonly byStream = new Map<string, Recorded[]>();
  private end = 0;
  private appends = 0;

  constructor(private readonly file?: string) {
    this.load();
  }

  /** A repeat is recognised by the ids of the events at the expected versions. */
  append(stream: string, expected: Expected, proposed: readonly Proposed[]): Outcome {
    const before = this.byStream.get(stream) ?? [];
    if (before.at(-1)?.type === TOMBSTONE) return 'deleted';
    const from = expected === 'no stream' ? 0 : expected + 1;
    if (from !== before.length) {
      const stored = before.slice(from, from + proposed.length);
      const last = stored.at(-1);
      const repeated = stored.length === proposed.length && stored.every(({ id }, at) => id === proposed[at]?.id);
      return repeated && last ? { last } : { current: before.length - 1 };
    }
    const at = this.now();
    const recorded = proposed.map((one, index) => this.record(stream, from + index, at, one));
    this.keep(recorded);
    this.appends += 1;
    if (this.appends % SYSTEM_EVENT_EVERY === 0) this.recordOwnEvent(at);
    this.appended.emit('append');
    const last = recorded.at(-1);
    return last ? { last } : { current: before.length - 1 };
  }

  /** Deletes softly: the stream's metadata hides its events until a scavenge. */
  delete(stream: string): void {
    const metadata = `$$${stream}`;
    const data = Buffer.from(SOFT_DELETED).toString('base64');
    const event = { ...ofServer('$metadata'), data };
    this.keep([this.record(metadata, this.byStream.get(metadata)?.length ?? 0, this.now(), event)]);
    this.appended.emit('append');
  }

  /** Deletes permanently: the tombstone is in the stream itself. The events remain in `$all` until a scavenge. */
  tombstone(stream: string): void {
    this.keep([this.record(stream, this.byStream.get(stream)?.length ?? 0, this.now(), ofServer(TOMBSTONE))]);
    this.appended.emit('append');
  }

  /** Removes the events of deleted streams, and leaves the tombstones. */
  scavenge(): void {
    const remaining = this.events.filter((event) => {
      const content = this.read(event.stream);
      return event.type === TOMBSTONE || (content !== null && content !== 'deleted');
    });
    this.events.splice(0, Infinity, ...remaining);
  }

  /** The events of a stream that its metadata (`$tb`, `$maxCount`) does not hide. */
  read(stream: string): StreamContent {
    const events = this.byStream.get(stream);
    if (!events) return null;
    const last = events.at(-1);
    if (!last || last.type === TOMBSTONE) return 'deleted';
    const { $tb = 0, $maxCount = Infinity } = this.metadataOf(stream);
    if ($tb > Number.MAX_SAFE_INTEGER) return null;
    const first = Math.max($tb, last.revision - $maxCount + 1);
    return first <= 0 ? events : events.filter(({ revision }) => revision >= first);
  }

  /** Index in `events` of the first event at this position or behind it. */
  firstFrom(position: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private metadataOf(stream: string): { $tb?: number; $maxCount?: number } {
    const last = this.byStream.get(`$$${stream}`)?.at(-1);
    if (!last) return {};
    return JSON.parse(Buffer.from(last.data, 'base64').toString('utf8')) as { $tb?: number; $maxCount?: number };
  }

  private recordOwnEvent(at: number): void {
    const stream = '$stats-127.0.0.1:2113';
    const data = Buffer.from('{"es-queues":1}').toString('base64');
    const event = { ...ofServer('$statsCollected'), data };
    this.keep([this.record(stream, this.byStream.get(stream)?.length ?? 0, at, event)]);
  }

  private record(stream: string, revision: number, at: number, proposed: Proposed): Recorded {
    // Positions have gaps: they are places in a log of records of different lengths.
    this.end += 64 + proposed.data.length + proposed.metadata.length;
    return { ...proposed, stream, revision, position: this.end, at };
  }

  private keep(recorded: readonly Recorded[]): void {
    if (this.file) appendFileSync(this.file, `${JSON.stringify(recorded)}\n`);
    this.index(recorded);
  }

  private index(recorded: readonly Recorded[]): void {
    for (const event of recorded) {
      this.events.push(event);
      const events = this.byStream.get(event.stream);
      if (events) events.push(event);
      else this.byStream.set(event.stream, [event]);
      this.end = event.position;
    }
  }

  /** Cuts off a last line that a kill left half written: its append was never acknowledged. */
  private load(): void {
    if (!this.file || !existsSync(this.file)) return;
    const content = readFileSync(this.file);
    const completeBytes = content.lastIndexOf(0x0a) + 1;
    if (completeBytes < content.length) truncateSync(this.file, completeBytes);
    for (const line of content.subarray(0, completeBytes).toString('utf8').split('\n')) {
      if (line !== '') this.index(JSON.parse(line) as Recorded[]);
    }
  }
}

/** The revision as a real server gives it: a tombstone has the highest one. */
export function revisionOf({ type, revision }: Recorded): string {
  return type === TOMBSTONE ? '9223372036854775807' : String(revision);
}

/** An event that the server writes itself. */
function ofServer(type: string): Proposed {
  const isJson = type !== TOMBSTONE;
  const contentType = isJson ? 'application/json' : 'application/octet-stream';
  return { id: randomUUID(), type, contentType, data: '', metadata: '' };
}
