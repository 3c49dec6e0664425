import { Logger } from '@nestjs/common';
import { type Counter, type Histogram } from 'prom-client';
import {
  type AppendResult,
  type Mentions,
  type MisplacedEvent,
  type NewEvent,
  type ReadAllOptions,
  type ReadMentioningOptions,
  type ReadOccurredOptions,
  type ReadStreamOptions,
  type ReadStreamsOptions,
  type StoredEvent,
  DuplicateEventError,
  EventStore,
  EventStoreUnavailableError,
  InvalidEventError,
  StreamDeletedError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../event-store/event-store.js';
import { type SpanOptions, traced } from '../tracing/spans.js';
import { type Metrics } from './metrics.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const OUTCOMES = [
  [WrongExpectedVersionError, 'conflict'],
  [UnknownOutcomeError, 'unknown'],
  [EventStoreUnavailableError, 'unavailable'],
  [DuplicateEventError, 'duplicate'],
  [InvalidEventError, 'invalid'],
  [StreamDeletedError, 'deleted'],
] as const;

/**
 * Decorates any adapter: counts the outcome and duration of each append, raises an alarm for deleted streams, and makes
 * spans of appends and of reads of streams. Everything else is passed through.
 */
export class MeasuredEventStore extends EventStore {
  override readonly indexesIds: boolean;
  private readonly durations: Histogram<'outcome'>;
  private readonly appended: Counter;
  private readonly deleted: Counter;
  private readonly logger = new Logger('EventStore');
  /** Deleted streams that were logged. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly inner: EventStore,
    metrics: Metrics,
  ) {
    super();
    this.indexesIds = inner.indexesIds;
    this.durations = metrics.histogram({
      name: 'fanvas_event_store_append_duration_seconds',
      help: 'Duration of one append, by outcome: stored, conflict, unknown, unavailable, duplicate, invalid, deleted or error.',
      labels: ['outcome'],
      buckets: SECONDS,
    });
    this.appended = metrics.counter({
      name: 'fanvas_event_store_events_appended_total',
      help: 'Events stored by this process.',
    });
    this.deleted = metrics.counter({
      name: 'fanvas_event_store_deleted_stream_calls_total',
      help: 'Reads and appends that failed because another program deleted the stream. Any is an alarm.',
    });
  }

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    const end = this.durations.startTimer();
    try {
      const result = await traced('event store append', spanOf(stream), () =>
        this.inner.append(stream, expectedVersion, events),
      );
      end({ outcome: 'stored' });
      this.appended.inc(events.length);
      return result;
    } catch (error) {
      end({ outcome: OUTCOMES.find(([type]) => error instanceof type)?.[1] ?? 'error' });
      this.alarmIfDeleted(error);
      throw error;
    }
  }

  override async readStream(stream: string, options?: ReadStreamOptions): Promise<StoredEvent[]> {
    try {
      return await traced('event store read', spanOf(stream), () => this.inner.readStream(stream, options));
    } catch (error) {
      this.alarmIfDeleted(error);
      throw error;
    }
  }

  override readStreams(streams: readonly string[], options: ReadStreamsOptions): Promise<StoredEvent[]> {
    const attributes = { 'fanvas.streams': streams.length };
    return traced('event store read', { attributes }, () => this.inner.readStreams(streams, options));
  }

  override scanStreams(streams: readonly string[], options: ReadStreamsOptions): Promise<Iterable<StoredEvent>> {
    return this.inner.scanStreams(streams, options);
  }

  override lastEvents(streams: readonly string[]): Promise<StoredEvent[]> {
    return this.inner.lastEvents(streams);
  }

  override readAll(options: ReadAllOptions): Promise<StoredEvent[]> {
    return this.inner.readAll(options);
  }

  override occurred(options: ReadOccurredOptions): AsyncGenerator<StoredEvent[]> {
    return this.inner.occurred(options);
  }

  override mentioning(options: ReadMentioningOptions): AsyncGenerator<Mentions> {
    return this.inner.mentioning(options);
  }

  override lastPosition(streamPrefix?: string): Promise<string | null> {
    return this.inner.lastPosition(streamPrefix);
  }

  override countAfter(after: string | null, options?: { streamPrefix?: string; atMost?: number }): Promise<number> {
    return this.inner.countAfter(after, options);
  }

  override misplacedEvents(options: { streamPrefix?: string; limit: number }): Promise<MisplacedEvent[]> {
    return this.inner.misplacedEvents(options);
  }

  override comparePositions(a: string, b: string): number {
    return this.inner.comparePositions(a, b);
  }

  override streams(prefix: string, after?: string | null): AsyncIterable<string[]> {
    return this.inner.streams(prefix, after);
  }

  override missingStreams(streams: readonly string[]): Promise<string[]> {
    return this.inner.missingStreams(streams);
  }

  override onAppended(listener: () => void): () => void {
    return this.inner.onAppended(listener);
  }

  override close(): Promise<void> {
    return this.inner.close();
  }

  private alarmIfDeleted(error: unknown): void {
    if (!(error instanceof StreamDeletedError)) return;
    const { stream } = error;
    this.deleted.inc();
    if (this.logged.has(stream)) return;
    this.logged.add(stream);
    this.logger.error({ message: 'A stream was deleted in the event store; its account is out of service.', stream });
  }
}

/** A stream is named by its kind: its id may be that of a person. */
function spanOf(stream: string): SpanOptions {
  return { attributes: { 'fanvas.stream.kind': stream.split('-')[0] ?? '' } };
}
