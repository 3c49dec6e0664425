import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  DuplicateEventError,
  EventStore,
  EventStoreUnavailableError,
  InvalidEventError,
  NO_STREAM,
  StreamDeletedError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../event-store/event-store.js';
import { measureEventStore } from './measured-event-store.js';
import { Metrics } from './metrics.js';

const EVENT = { id: '', type: 'Happened', data: {}, metadata: {} };

describe('measureEventStore', () => {
  it.each([
    ['conflict', new WrongExpectedVersionError('s', 0)],
    ['unknown', new UnknownOutcomeError('s', null)],
    ['unavailable', new EventStoreUnavailableError(null)],
    ['duplicate', new DuplicateEventError('s')],
    ['invalid', new InvalidEventError('s')],
    ['deleted', new StreamDeletedError('s')],
    ['error', new Error('s')],
  ])('counts an append with the outcome %s and rethrows its error', async (outcome, error) => {
    const metrics = new Metrics();
    const inner = { append: () => Promise.reject(error) } as unknown as EventStore;
    await expect(measureEventStore(inner, metrics).append('s', NO_STREAM, [EVENT])).rejects.toBe(error);
    const { body } = await metrics.text();
    expect(body).toContain(`fanvas_event_store_append_duration_seconds_count{outcome="${outcome}"} 1`);
    expect(body).toContain('fanvas_event_store_events_appended_total 0');
  });

  it('counts the events of an append that succeeded and returns its result', async () => {
    const metrics = new Metrics();
    const result = { version: 1, position: '1/1' };
    const inner = { append: () => Promise.resolve(result) } as unknown as EventStore;
    const store = measureEventStore(inner, metrics);
    expect(await store.append('s', NO_STREAM, [EVENT, EVENT])).toBe(result);
    const { body } = await metrics.text();
    expect(body).toContain('fanvas_event_store_append_duration_seconds_count{outcome="stored"} 1');
    expect(body).toContain('fanvas_event_store_events_appended_total 2');
  });

  // A default of the class that is not passed on would hide the faster way of the adapter.
  const defaults = Object.getOwnPropertyNames(EventStore.prototype).filter((name) => name !== 'constructor');
  it.each([...defaults, 'readAll', 'lastPosition', 'streams', 'close'])(
    'passes %s on to the adapter, with its answer',
    async (name) => {
      const answer = {};
      const call = jest.fn((_first: string, _second: string) => Promise.resolve(answer));
      const inner = { [name]: call } as unknown as EventStore;
      const passed = measureEventStore(inner, new Metrics()) as unknown as Record<string, typeof call>;
      expect(await passed[name]?.('first', 'second')).toBe(answer);
      expect(call.mock.calls).toEqual([['first', 'second']]);
      // As its own: what it calls of itself is not measured again.
      expect(call.mock.contexts[0]).toBe(inner);
    },
  );

  it('says of itself whether the adapter finds ids by an index', () => {
    const inner = { indexesIds: true } as unknown as EventStore;
    expect(measureEventStore(inner, new Metrics()).indexesIds).toBe(true);
  });

  it('counts each call on a deleted stream and logs the stream once', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const metrics = new Metrics();
    const error = new StreamDeletedError('creditAccount-a');
    const inner = { append: () => Promise.reject(error), readStream: () => Promise.reject(error) };
    const store = measureEventStore(inner as unknown as EventStore, metrics);
    await expect(store.readStream('creditAccount-a')).rejects.toBe(error);
    await expect(store.append('creditAccount-a', NO_STREAM, [EVENT])).rejects.toBe(error);
    expect((await metrics.text()).body).toContain('fanvas_event_store_deleted_stream_calls_total 2');
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ stream: 'creditAccount-a' }));
    logged.mockRestore();
  });
});
