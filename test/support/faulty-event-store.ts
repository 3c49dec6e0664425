import {
  EventStore,
  EventStoreUnavailableError,
  InvalidEventError,
  StreamDeletedError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
  type AppendResult,
  type NewEvent,
  type StoredEvent,
} from '../../src/platform/event-store/event-store.js';

/** Faults of an append. */
export type Fault = 'answer lost' | 'request lost' | 'another writer was first' | 'unreachable';

/** An in-memory event store with one stream. Each append takes the next of `faults`, and fails unless it is null. */
export class FaultyEventStore extends EventStore {
  readonly events: StoredEvent[] = [];
  readonly faults: (Fault | null)[] = [];
  appends = 0;
  inFlight = 0;
  maxInFlight = 0;
  reads = 0;
  /** True for events that the store refuses. */
  refuse: (event: NewEvent) => boolean = () => false;
  /** True after another program has deleted the stream. */
  deleted = false;
  /** Awaited twice in each append and read: before its effect, and before its answer. */
  pause = (): Promise<unknown> => Promise.resolve();
  private hanging: Promise<void> = Promise.resolve();
  private hangingReads: Promise<void> = Promise.resolve();

  constructor(
    private readonly stream: string,
    private readonly recordedAt: Date,
  ) {
    super();
  }

  /** Holds back appends until the returned function is called. */
  hang(): () => void {
    let release = (): void => undefined;
    this.hanging = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Holds back reads until the returned function is called. */
  hangReads(): () => void {
    let release = (): void => undefined;
    this.hangingReads = new Promise((resolve) => (release = resolve));
    return release;
  }

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    this.appends += 1;
    this.inFlight += 1;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    await this.hanging;
    await this.pause();
    this.inFlight -= 1;
    if (this.deleted) throw new StreamDeletedError(stream);
    if (events.some((event) => this.refuse(event))) throw new InvalidEventError('Not storable.');
    const fault = this.faults.shift();
    if (fault === 'request lost') throw new UnknownOutcomeError(stream, new Error('connection reset'));
    if (fault === 'unreachable') throw new EventStoreUnavailableError(new Error('connection refused'));
    if (fault === 'another writer was first') throw new WrongExpectedVersionError(stream, expectedVersion);
    const known = events.every(({ id }) => this.events.some((stored) => stored.id === id));
    if (!known) {
      if (this.events.length - 1 !== expectedVersion) throw new WrongExpectedVersionError(stream, expectedVersion);
      for (const event of events) {
        const { recordedAt } = this;
        const version = this.events.length;
        this.events.push({ ...event, stream, version, position: String(version), recordedAt });
      }
    }
    const last = this.events.findIndex(({ id }) => id === events.at(-1)?.id);
    await this.pause();
    if (fault === 'answer lost') throw new UnknownOutcomeError(stream, new Error('connection reset'));
    return { version: last, position: String(last) };
  }

  override async readStream(stream: string, { fromVersion = 0, limit = Infinity } = {}): Promise<StoredEvent[]> {
    this.reads += 1;
    await this.hangingReads;
    await this.pause();
    if (this.deleted) throw new StreamDeletedError(stream);
    const page = stream === this.stream ? this.events.slice(fromVersion, fromVersion + limit) : [];
    await this.pause();
    return page;
  }

  override async lastEvents(): Promise<StoredEvent[]> {
    return Promise.resolve(this.events.slice(-1));
  }

  override async readAll(): Promise<StoredEvent[]> {
    return Promise.resolve(this.events);
  }

  override async lastPosition(streamPrefix = ''): Promise<string | null> {
    const last = this.stream.startsWith(streamPrefix) ? this.events.at(-1) : undefined;
    return Promise.resolve(last?.position ?? null);
  }

  override comparePositions(a: string, b: string): number {
    return Number(a) - Number(b);
  }

  override async *streams(prefix: string): AsyncGenerator<string[]> {
    if (this.stream.startsWith(prefix)) yield await Promise.resolve([this.stream]);
  }

  override async missingStreams(): Promise<string[]> {
    return Promise.resolve([]);
  }

  override onAppended(): () => void {
    return () => undefined;
  }

  override async close(): Promise<void> {}
}
