import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AppendResult,
  type EventStore,
  type NewEvent,
  type StoredEvent,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
} from '../../src/platform/event-store/event-store.js';
import { failureWithin, resumeTime, stopTime } from '../support/stopped-time.js';
import { until } from '../support/until.js';
import { type EventStoreHarness, newEvent, readToEnd } from './event-store.js';

/** Maximum time that a caller waits (milliseconds). */
const AT_MOST_MS = 5_000;

/** An event store server in which tests can cause faults. */
export interface FaultyHarness extends EventStoreHarness {
  /** Stores the append of this event, then cuts the connection instead of answering. */
  loseAnswerTo(eventId: string): void;
  /** Cuts all connections and refuses new ones until `recover`. */
  fail(): Promise<void>;
  recover(): Promise<void>;
  /** Stops the server and starts it again with its stored data. */
  restart?: () => Promise<void>;
}

/** Repeats an append until it is answered. A broken connection leaves the outcome unknown or the request unsent. */
async function appendSurely(
  store: EventStore,
  stream: string,
  expectedVersion: number,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  for (let sendings = 1; ; sendings += 1) {
    try {
      return await store.append(stream, expectedVersion, events);
    } catch (error) {
      const again = error instanceof UnknownOutcomeError || error instanceof EventStoreUnavailableError;
      if (!again || sendings === 50) throw error;
    }
  }
}

/**
 * Contract of every event store adapter for failing servers and connections.
 * @param options.restarts whether the harness can restart the server
 */
export function describeEventStoreFaults(
  adapter: string,
  start: () => Promise<FaultyHarness>,
  { restarts }: { readonly restarts: boolean } = { restarts: true },
): void {
  describe(`EventStore on ${adapter} with faults`, () => {
    let harness: FaultyHarness;
    let store: EventStore;
    let other: EventStore;

    beforeAll(async () => {
      harness = await start();
      store = await harness.open();
      other = await harness.open();
    });

    afterEach(resumeTime);
    afterAll(() => harness.close());

    it('reports an unknown outcome when the answer to an append is lost, and answers a retry like the first call', async () => {
      const stream = `lost-${randomUUID()}`;
      const batch = [newEvent({ n: 0 }), newEvent({ n: 1 })];
      await store.readStream(stream);
      harness.loseAnswerTo(batch[0]?.id ?? '');
      await expect(store.append(stream, NO_STREAM, batch)).rejects.toBeInstanceOf(UnknownOutcomeError);
      const retried = await store.append(stream, NO_STREAM, batch);
      const stored = await other.readStream(stream);
      expect(stored.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
      expect(retried).toEqual({ version: 1, position: stored[1]?.position });
      expect(await other.append(stream, NO_STREAM, batch)).toEqual(retried);
    });

    it('appends for other callers after an answer was lost', async () => {
      const streams = Array.from({ length: 30 }, () => `many-${randomUUID()}`);
      const unlucky = newEvent();
      harness.loseAnswerTo(unlucky.id);
      const results = await Promise.all(
        streams.map((stream, index) => appendSurely(store, stream, NO_STREAM, [index === 7 ? unlucky : newEvent()])),
      );
      expect(results.map(({ version }) => version)).toEqual(streams.map(() => 0));
      for (const stream of streams) expect(await other.readStream(stream)).toHaveLength(1);
    });

    it('refuses appends while there is no server, and works again afterwards', async () => {
      const stream = `down-${randomUUID()}`;
      const event = newEvent();
      await store.append(stream, NO_STREAM, [event]);
      await harness.fail();
      stopTime();
      // A connection that breaks leaves the outcome unknown; without a connection nothing was stored.
      const next = newEvent();
      await failureWithin(AT_MOST_MS, store.append(stream, 0, [next]));
      const refused = await failureWithin(AT_MOST_MS, store.append(stream, 0, [next]));
      expect(refused).toBeInstanceOf(EventStoreUnavailableError);
      await failureWithin(AT_MOST_MS, store.readStream(stream));
      await failureWithin(AT_MOST_MS, store.readAll({ after: null, limit: 1 }));
      resumeTime();
      await harness.recover();
      expect(await store.readStream(stream)).toMatchObject([{ id: event.id }]);
      expect(await store.append(stream, 0, [next])).toMatchObject({ version: 1 });
    });

    it('notifies listeners of new events again after an outage', async () => {
      let heard = (): void => undefined;
      const next = (): Promise<void> => new Promise((resolve) => (heard = resolve));
      const first = next();
      const stop = store.onAppended(() => heard());
      await appendSurely(other, `hint-${randomUUID()}`, NO_STREAM, [newEvent()]);
      await first;
      await harness.fail();
      const back = next();
      await harness.recover();
      // A new listener is notified once, because events may have arrived in the meantime.
      await back;
      const again = next();
      await appendSurely(other, `hint-${randomUUID()}`, NO_STREAM, [newEvent()]);
      await again;
      stop();
    });

    it('reads every event of a prefix once from a checkpoint through an outage and a restart', async () => {
      const prefix = `follow-${randomUUID()}`;
      const written: string[] = [];
      const seen: StoredEvent[] = [];
      const write = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n += 1) {
          const event = newEvent({ n: written.length });
          const stream = `${prefix}-${written.length % 3}`;
          await appendSurely(other, stream, Math.floor(written.length / 3) - 1, [event]);
          await appendSurely(other, `elsewhere-${randomUUID()}`, NO_STREAM, [newEvent()]);
          written.push(event.id);
        }
      };
      const follow = async (): Promise<void> => {
        // Like another process, which has only the checkpoint.
        const follower = await harness.open();
        await until(async () => {
          seen.push(...(await readToEnd(follower, seen.at(-1)?.position ?? null, prefix, 4)));
          return seen.length >= written.length;
        }, 'all events');
      };
      await write(7);
      await follow();
      await harness.fail();
      await expect(readToEnd(store, seen.at(-1)?.position ?? null, prefix)).rejects.toThrow();
      await harness.recover();
      await write(5);
      await follow();
      await harness.restart?.();
      await write(6);
      await follow();
      expect(seen.map(({ id }) => id)).toEqual(written);
      expect(await readToEnd(store, null, prefix, 50)).toEqual(seen);
      expect(await store.lastPosition(prefix)).toBe(seen.at(-1)?.position);
    });

    if (!restarts) return;

    it('keeps events, versions, positions and known ids through a restart', async () => {
      const stream = `kept-${randomUUID()}`;
      const batch = [newEvent({ text: 'Ümläut 👩‍🚀' }), newEvent({ n: 0.1 })];
      const first = await store.append(stream, NO_STREAM, batch);
      const before = await store.readStream(stream);
      await harness.restart?.();
      expect(await store.readStream(stream)).toEqual(before);
      expect(await appendSurely(store, stream, NO_STREAM, batch)).toEqual(first);
      expect(await store.append(stream, 1, [newEvent()])).toMatchObject({ version: 2 });
      const after = (await store.readStream(stream)).at(-1);
      expect(store.comparePositions(after?.position ?? '', first.position)).toBeGreaterThan(0);
    });
  });
}
