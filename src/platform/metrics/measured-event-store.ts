import { Logger } from '@nestjs/common';
import {
  DuplicateEventError,
  type EventStore,
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
 * spans of appends and of reads of streams. Everything else is the adapter's own: what it calls of itself is not
 * measured again. Its methods cannot be replaced: a spy belongs on the adapter.
 */
export function measureEventStore(inner: EventStore, metrics: Metrics): EventStore {
  const durations = metrics.histogram({
    name: 'fanvas_event_store_append_duration_seconds',
    help: 'Duration of one append, by outcome: stored, conflict, unknown, unavailable, duplicate, invalid, deleted or error.',
    labels: ['outcome'],
    buckets: SECONDS,
  });
  const appended = metrics.counter({
    name: 'fanvas_event_store_events_appended_total',
    help: 'Events stored by this process.',
  });
  const alarmIfDeleted = alarm(metrics);
  const measured: Pick<EventStore, 'append' | 'readStream' | 'readStreams'> = {
    append: async (stream, expectedVersion, events) => {
      const end = durations.startTimer();
      try {
        const result = await traced('event store append', spanOf(stream), () =>
          inner.append(stream, expectedVersion, events),
        );
        end({ outcome: 'stored' });
        appended.inc(events.length);
        return result;
      } catch (error) {
        end({ outcome: OUTCOMES.find(([type]) => error instanceof type)?.[1] ?? 'error' });
        alarmIfDeleted(error);
        throw error;
      }
    },
    readStream: async (stream, options) => {
      try {
        return await traced('event store read', spanOf(stream), () => inner.readStream(stream, options));
      } catch (error) {
        alarmIfDeleted(error);
        throw error;
      }
    },
    readStreams: (streams, options) => {
      const attributes = { 'fanvas.streams': streams.length };
      return traced('event store read', { attributes }, () => inner.readStreams(streams, options));
    },
  };
  return new Proxy(inner, {
    get: (_inner, name): unknown => {
      const owner = Object.hasOwn(measured, name) ? measured : inner;
      const member: unknown = Reflect.get(owner, name);
      return typeof member === 'function' ? member.bind(owner) : member;
    },
  });
}

/** Counts calls on deleted streams, and logs each such stream once. */
function alarm(metrics: Metrics): (error: unknown) => void {
  const deleted = metrics.counter({
    name: 'fanvas_event_store_deleted_stream_calls_total',
    help: 'Reads and appends that failed because another program deleted the stream. Any is an alarm.',
  });
  const logger = new Logger('EventStore');
  const logged = new Set<string>();
  return (error) => {
    if (!(error instanceof StreamDeletedError)) return;
    const { stream } = error;
    deleted.inc();
    if (logged.has(stream)) return;
    logged.add(stream);
    logger.error({ message: 'A stream was deleted in the event store; its account is out of service.', stream });
  };
}

/** A stream is named by its kind: its id may be that of a person. */
function spanOf(stream: string): SpanOptions {
  return { attributes: { 'fanvas.stream.kind': stream.split('-')[0] ?? '' } };
}
