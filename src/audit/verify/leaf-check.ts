import { type Pool } from 'pg';
import { ACCOUNT_STREAM_PREFIX, accountStream, userOfStream } from '../../credits/index.js';
import { inPages } from '../../platform/database/in-pages.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { type AccountCheck, type GroupCheck, type OnDifference, type ProjectionCheck } from './projection-check.js';
import { eventAt, timeOf } from './read-account.js';

/** Leaves read at once: usually all of a group of accounts. */
const LEAVES_PER_READ = 4000;
/** Streams listed at once. */
const STREAMS_PER_READ = 2000;
/** A running app logs an event within a minute. One that the log passed by for this long is a problem. Milliseconds. */
const LOGGED_WITHIN_MS = 10 * 60_000;

/** A leaf of the public log. */
interface Leaf {
  readonly version: number;
  readonly index: number;
  readonly eventId: string;
  /** In hex. */
  readonly hash: string;
}

/** Leaves of one stream in order, one in each line: version, index, id of the event, hash in hex. */
interface Chunk {
  /** Index of the stream. */
  readonly index: number;
  readonly leaves: number;
  readonly text: string;
}

/**
 * Compares the leaves of the public log with the events, stream by stream: each leaf has its event with the same id,
 * version and hash, each event that is old enough has its leaf, and the leaves of a stream are in its order. A ledger
 * whose log is empty is not compared: the audit of the log's tree knows whether it may be empty.
 */
export class LeafCheck implements ProjectionCheck {
  readonly kind = 'log';
  readonly projection = { name: 'log_leaf', version: 1 };
  compared = 0;
  differs = false;
  isComplete = true;

  /** @param dueUntil events up to this instant must have a leaf, epoch milliseconds; null while the log is empty */
  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
    readonly dueUntil: number | null,
  ) {}

  static async open(pool: Pool, eventStore: EventStore): Promise<LeafCheck> {
    const { rows } = await pool.query<{ used: boolean; signed_at: Date | null }>(
      `select exists (select from log_leaf) or exists (select from log_checkpoint) as used,
         (select signed_at from log_checkpoint order by number desc limit 1) as signed_at`,
    );
    const last = rows[0]?.signed_at?.getTime() ?? Number.NEGATIVE_INFINITY;
    return new LeafCheck(pool, eventStore, rows[0]?.used ? last - LOGGED_WITHIN_MS : null);
  }

  /** Reads the first leaves: events can then only be newer. */
  async begin(users: readonly string[]): Promise<GroupCheck> {
    const streams = users.map(accountStream);
    const leaves = new LeafPages(this.pool, this.dueUntil === null ? [] : streams);
    await leaves.read();
    return {
      account: (index, _audit, onDifference) => this.stream(streams[index] ?? '', { leaves, index }, onDifference),
    };
  }

  /** The comparison of one stream of a group. */
  stream(
    stream: string,
    from: { readonly leaves: LeafPages; readonly index: number },
    onDifference: OnDifference,
  ): AccountCheck {
    const { dueUntil, eventStore } = this;
    if (dueUntil === null) return NOTHING;
    const count = (): void => {
      this.compared += 1;
    };
    return new LeafComparison({ stream, dueUntil, eventStore, count, ...from }, onDifference);
  }

  /** Users with leaves. */
  async *users(): AsyncGenerator<string[]> {
    for await (const streams of streamsOfLog(this.pool, ACCOUNT_STREAMS)) yield streams.map(userOfStream);
  }
}

/** The range of the names of all accounts' streams, in byte order. */
export const ACCOUNT_STREAMS = {
  from: ACCOUNT_STREAM_PREFIX,
  before:
    ACCOUNT_STREAM_PREFIX.slice(0, -1) +
    String.fromCharCode(ACCOUNT_STREAM_PREFIX.charCodeAt(ACCOUNT_STREAM_PREFIX.length - 1) + 1),
};

const NOTHING: AccountCheck = { add: () => undefined, end: () => Promise.resolve() };

/**
 * The names of streams of the log, in byte order, in pages. Reads one entry of the index for each.
 * @param range names from `from` on and before `before`; all by default
 */
export async function* streamsOfLog(
  pool: Pool,
  { from = '', before = null }: { readonly from?: string; readonly before?: string | null } = {},
): AsyncGenerator<string[]> {
  const pages = inPages<{ readonly stream: string }>(STREAMS_PER_READ, async (last, limit) => {
    const { rows } = await pool.query<{ stream: string }>(
      `with recursive found (stream, n) as (
         (select stream, 1 from log_leaf
           where stream >= $1 and stream is distinct from $4 and ($3::text is null or stream < $3)
           order by stream limit 1)
         union all
         select (select stream from log_leaf l where l.stream > found.stream and ($3::text is null or l.stream < $3)
           order by l.stream limit 1), n + 1
         from found where found.stream is not null and n < $2)
       select stream from found where stream is not null`,
      [last?.stream ?? from, limit, before, last?.stream ?? null],
    );
    return rows;
  });
  for await (const rows of pages) yield rows.map(({ stream }) => stream);
}

/**
 * Reads the leaves of several streams, one stream after the other, in order of their versions. Those of a stream are
 * one value: this costs two thirds of reading rows. Keeps one page.
 */
export class LeafPages {
  private page: readonly Chunk[] = [];
  private at = 0;
  /** Lines of the chunk, and the index of the next one. */
  private lines: readonly string[] = [];
  private line = 0;
  private leaf: Leaf | null = null;
  private ended: boolean;

  constructor(
    private readonly pool: Pool,
    private readonly streams: readonly string[],
  ) {
    this.ended = streams.length === 0;
  }

  /** The next leaf of this stream; null when it has no more, undefined when more must be read first. */
  peek(index: number): Leaf | null | undefined {
    for (;;) {
      const chunk = this.page[this.at];
      if (!chunk) return this.ended ? null : undefined;
      if (chunk.index > index) return null;
      const text = this.lines[this.line];
      if (chunk.index === index && text !== undefined) return (this.leaf ??= parseLeaf(text));
      this.open(this.at + 1);
    }
  }

  /** Consumes the leaf that `peek` returned. */
  take(): void {
    this.line += 1;
    this.leaf = null;
  }

  /** Reads the next page. */
  async read(): Promise<void> {
    if (this.ended) return;
    const last = this.page.at(-1);
    const lastLine = last?.text.slice(last.text.lastIndexOf('\n') + 1);
    // As text: a forged version may be too large for a number.
    const after = lastLine?.slice(0, lastLine.indexOf(' ')) ?? '-1';
    // The inner limit lets Postgres read each stream by the index.
    const { rows } = await this.pool.query<Chunk>({
      name: 'audit-leaves',
      text: `select index, count(*)::int as leaves, string_agg(text, e'\\n' order by version) as text from (
          select (wanted.ordinal - 1)::int as index, leaf.version,
            concat_ws(' ', leaf.version, leaf.index, leaf.event_id, encode(leaf.hash, 'hex')) as text
          from unnest($1::text[]) with ordinality as wanted (stream, ordinal)
          cross join lateral (
            select l.version, l.index, l.event_id, l.hash from log_leaf l
            where l.stream = wanted.stream
              and l.version > case when wanted.ordinal - 1 = $2 then $3::bigint else -1 end
            order by l.version limit $4) as leaf
          where wanted.ordinal - 1 >= $2 order by wanted.ordinal, leaf.version limit $4
        ) as page group by index order by index`,
      values: [this.streams, last?.index ?? 0, after, LEAVES_PER_READ],
    });
    this.page = rows;
    this.open(0);
    let leaves = 0;
    for (const chunk of rows) leaves += chunk.leaves;
    this.ended = leaves < LEAVES_PER_READ;
  }

  /** Continues with the first leaf of a chunk. */
  private open(at: number): void {
    this.at = at;
    this.lines = this.page[at]?.text.split('\n') ?? [];
    this.line = 0;
    this.leaf = null;
  }
}

function parseLeaf(text: string): Leaf {
  const [version, index, eventId = '', hash = ''] = text.split(' ');
  return { version: Number(version), index: Number(index), eventId, hash };
}

interface Comparison {
  readonly stream: string;
  readonly leaves: LeafPages;
  readonly index: number;
  readonly dueUntil: number;
  readonly eventStore: EventStore;
  readonly count: () => void;
}

/** Compares the leaves of one stream with its events. Both are in order. */
class LeafComparison implements AccountCheck {
  private lastIndex = -1;
  private lastVersion = -1;

  constructor(
    private readonly comparison: Comparison,
    private readonly onDifference: OnDifference,
  ) {}

  add(stored: StoredEvent): Promise<void> | undefined {
    const leaf = this.comparison.leaves.peek(this.comparison.index);
    if (leaf === undefined) return this.comparison.leaves.read().then(() => this.add(stored));
    this.lastVersion = stored.version;
    if (leaf === null) {
      if (this.isDue(stored)) this.onDifference(stored.version, 'The event has no leaf in the public log.');
      return undefined;
    }
    if (leaf.version < stored.version) {
      this.comparison.leaves.take();
      this.lacksEvent(leaf);
      return this.add(stored);
    }
    if (leaf.version > stored.version) {
      this.onDifference(stored.version, 'The event has no leaf in the public log, but a later one of its stream has.');
      return undefined;
    }
    this.comparison.leaves.take();
    this.comparison.count();
    this.compare(leaf, stored);
    return undefined;
  }

  /** Leaves without an event. The event may have been written after the last one was read: the store knows. */
  async end(): Promise<void> {
    const { leaves, index, eventStore, stream } = this.comparison;
    for (;;) {
      const leaf = leaves.peek(index);
      if (leaf === undefined) await leaves.read();
      else if (leaf === null) return;
      else {
        leaves.take();
        const later = leaf.version > this.lastVersion ? await eventAt(eventStore, stream, leaf.version) : null;
        if (later) this.compare(leaf, later);
        else this.lacksEvent(leaf);
      }
    }
  }

  /** Both times must be old: only the hash covers the first, and an import writes events of the past. */
  private isDue(stored: StoredEvent): boolean {
    return Math.max(timeOf(stored), stored.recordedAt.getTime()) <= this.comparison.dueUntil;
  }

  private compare({ index, version, eventId, hash }: Leaf, stored: StoredEvent): void {
    if (eventId !== stored.id) {
      const sentence = `Leaf ${index} of the public log is for the event ${eventId}, but here is ${stored.id}.`;
      this.onDifference(version, sentence);
    }
    if (hash !== stored.metadata.hash) {
      this.onDifference(version, `Leaf ${index} of the public log has another hash than the event.`);
    }
    if (index <= this.lastIndex) {
      this.onDifference(version, `Leaf ${index} of the public log lies before that of the event before it.`);
    }
    this.lastIndex = index;
  }

  private lacksEvent({ index, version }: Leaf): void {
    this.onDifference(version, `Leaf ${index} of the public log is for this event, which does not exist.`);
  }
}
