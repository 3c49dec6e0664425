import { describe, expect, it } from '@jest/globals';
import {
  DuplicateEventError,
  type EventStore,
  EventStoreUnavailableError,
  InvalidEventError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../event-store/event-store.js';
import { MeasuredEventStore } from './measured-event-store.js';
import { Metrics } from './metrics.js';

const EVENT = { id: '', type: 'Happened', data: {}, metadata: {} };

describe('MeasuredEventStore', () => {
  it.each([
    ['conflict', new WrongExpectedVersionError('s', 0)],
    ['unknown', new UnknownOutcomeError('s', null)],
    ['unavailable', new EventStoreUnavailableError(null)],
    ['duplicate', new DuplicateEventError('s')],
    ['invalid', new InvalidEventError('s')],
    ['error', new Error('s')],
  ])('counts an append with the outcome %s and rethrows its error', async (outcome, error) => {
    const metrics = new Metrics();
    const inner = { append: () => Promise.reject(error) } as unknown as EventStore;
    await expect(new MeasuredEventStore(inner, metrics).append('s', NO_STREAM, [EVENT])).rejects.toBe(error);
    const { body } = await metrics.text();
    expect(body).toContain(`fanvas_event_store_append_duration_seconds_count{outcome="${outcome}"} 1`);
    expect(body).toContain('fanvas_event_store_events_appended_total 0');
  });

  it('counts the events of an append that succeeded and returns its result', async () => {
    const metrics = new Metrics();
    const result = { version: 1, position: '1/1' };
    const inner = { append: () => Promise.resolve(result) } as unknown as EventStore;
    const store = new MeasuredEventStore(inner, metrics);
    expect(await store.append('s', NO_STREAM, [EVENT, EVENT])).toBe(result);
    const { body } = await metrics.text();
    expect(body).toContain('fanvas_event_store_append_duration_seconds_count{outcome="stored"} 1');
    expect(body).toContain('fanvas_event_store_events_appended_total 2');
  });
});
