import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type EventStore,
  type NewEvent,
  type StoredEvent,
  InvalidEventError,
  NO_STREAM,
  WrongExpectedVersionError,
} from '../../src/platform/event-store/event-store.js';
import type { Json, JsonObject } from '../../src/platform/json.js';
import { until } from '../support/until.js';

/** Gives the suite access to an adapter. */
export interface EventStoreHarness {
  /** Another instance on the same events, as in another process. `close` closes all instances. */
  open(): Promise<EventStore>;
  close(): Promise<void>;
}

/** An event with this data and a fresh id. */
export function newEvent(data: JsonObject = {}, type = 'Happened'): NewEvent {
  return { id: randomUUID(), type, data, metadata: { actorId: 'tester' } };
}

/** Reads all visible events after a position, page by page. */
export async function readToEnd(
  store: EventStore,
  after: string | null,
  prefix: string,
  limit = 100,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let pages = 0; pages < 1_000; pages += 1) {
    const page = await store.readAll({ after: all.at(-1)?.position ?? after, limit, streamPrefix: prefix });
    if (page.length === 0) return all;
    all.push(...page);
  }
  throw new Error(`The events of ${prefix} have no end.`);
}

/** Follows a prefix until this many events were read. */
async function followUntil(store: EventStore, prefix: string, count: number): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  await until(async () => {
    seen.push(...(await store.readAll({ after: seen.at(-1)?.position ?? null, limit: 50, streamPrefix: prefix })));
    return seen.length >= count;
  }, `${count} events`);
  return seen;
}

/** Contract of every event store adapter. */
export function describeEventStore(adapter: string, start: () => Promise<EventStoreHarness>): void {
  describe(`EventStore on ${adapter}`, () => {
    let harness: EventStoreHarness;
    let store: EventStore;
    let other: EventStore;
    const fresh = (kind = 'thing'): string => `${kind}-${randomUUID()}`;

    beforeAll(async () => {
      harness = await start();
      store = await harness.open();
      other = await harness.open();
    });

    afterAll(() => harness.close());

    describe('append', () => {
      it('numbers the events of a stream from 0 without gaps and returns the last version', async () => {
        const stream = fresh();
        const first = await store.append(stream, NO_STREAM, [newEvent({ n: 0 }), newEvent({ n: 1 })]);
        const second = await store.append(stream, 1, [newEvent({ n: 2 })]);
        const events = await store.readStream(stream);
        expect([first.version, second.version]).toEqual([1, 2]);
        expect(events.map(({ version, data }) => [version, data['n']])).toEqual([
          [0, 0],
          [1, 1],
          [2, 2],
        ]);
        expect(events.map(({ position }) => position).slice(1)).toEqual([first.position, second.position]);
      });

      it.each([
        ['an existing stream as a new one', NO_STREAM],
        ['an older version', 0],
        ['the next version', 2],
        ['a version far ahead', 99],
      ])('refuses %s and stores nothing', async (_what, expected) => {
        const stream = fresh();
        await store.append(stream, NO_STREAM, [newEvent(), newEvent()]);
        await expect(store.append(stream, expected, [newEvent()])).rejects.toMatchObject({
          name: 'WrongExpectedVersionError',
          stream,
          expectedVersion: expected,
        });
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      it('refuses every expected version of a stream that does not exist', async () => {
        const stream = fresh();
        await expect(store.append(stream, 0, [newEvent()])).rejects.toBeInstanceOf(WrongExpectedVersionError);
        expect(await store.readStream(stream)).toEqual([]);
      });

      it('stores all events of a batch or none', async () => {
        const stream = fresh();
        const batches = [3, 4, 5].map((size) => Array.from({ length: size }, () => newEvent({ size })));
        const results = await Promise.allSettled(
          batches.map((batch, index) => (index % 2 ? store : other).append(stream, NO_STREAM, batch)),
        );
        const events = await store.readStream(stream);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(events).toHaveLength(Number(events[0]?.data['size']));
        expect(new Set(events.map(({ data }) => data['size'])).size).toBe(1);
      });

      it('accepts one of many concurrent writers for each version', async () => {
        const stream = fresh();
        for (let expected = NO_STREAM; expected < 3; expected += 1) {
          const results = await Promise.allSettled(
            Array.from({ length: 12 }, (_, index) =>
              (index % 2 ? store : other).append(stream, expected, [newEvent()]),
            ),
          );
          const refused = results
            .filter((result) => result.status === 'rejected')
            .map(({ reason }) => reason as unknown);
          expect(refused).toHaveLength(11);
          for (const reason of refused) expect(reason).toBeInstanceOf(WrongExpectedVersionError);
        }
        expect((await store.readStream(stream)).map(({ version }) => version)).toEqual([0, 1, 2, 3]);
      });

      it('separates streams whose names differ in case, in blanks or in one character', async () => {
        const base = fresh();
        for (const name of [base, base.toUpperCase(), `${base} `, `${base}é`, `${base}%`, `${base}_`]) {
          await store.append(name, NO_STREAM, [newEvent({ name })]);
          expect(await store.readStream(name)).toMatchObject([{ data: { name } }]);
        }
      });
    });

    describe('append with known ids', () => {
      it('answers a retry like the first call and stores nothing, on this and on another instance', async () => {
        const stream = fresh();
        const batch = [newEvent(), newEvent()];
        const first = await store.append(stream, NO_STREAM, batch);
        expect(await store.append(stream, NO_STREAM, batch)).toEqual(first);
        expect(await other.append(stream, NO_STREAM, batch)).toEqual(first);
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      it('recognises a retry after others have appended', async () => {
        const stream = fresh();
        await store.append(stream, NO_STREAM, [newEvent()]);
        const batch = [newEvent()];
        const first = await store.append(stream, 0, batch);
        await store.append(stream, 1, [newEvent()]);
        expect(await store.append(stream, 0, batch)).toEqual(first);
      });

      it('recognises a retry that runs at the same time as the first call', async () => {
        const stream = fresh();
        const batch = [newEvent(), newEvent()];
        const [a, b] = await Promise.all([
          store.append(stream, NO_STREAM, batch),
          other.append(stream, NO_STREAM, batch),
        ]);
        expect(a).toEqual(b);
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      it('refuses a retry that contains more events than the first call', async () => {
        const stream = fresh();
        const event = newEvent();
        await store.append(stream, NO_STREAM, [event]);
        await expect(store.append(stream, NO_STREAM, [event, newEvent()])).rejects.toBeInstanceOf(
          WrongExpectedVersionError,
        );
        expect(await store.readStream(stream)).toHaveLength(1);
      });
    });

    describe('readStream', () => {
      it('returns no events for a stream that does not exist', async () => {
        expect(await store.readStream(fresh())).toEqual([]);
      });

      it('starts and stops at the given versions', async () => {
        const stream = fresh();
        await store.append(
          stream,
          NO_STREAM,
          Array.from({ length: 10 }, (_, n) => newEvent({ n })),
        );
        const numbers = async (options: { fromVersion?: number; limit?: number }): Promise<Json[]> =>
          (await store.readStream(stream, options)).map(({ data }) => data['n'] ?? null);
        expect(await numbers({ fromVersion: 7 })).toEqual([7, 8, 9]);
        expect(await numbers({ limit: 2 })).toEqual([0, 1]);
        expect(await numbers({ fromVersion: 4, limit: 3 })).toEqual([4, 5, 6]);
        expect(await numbers({ fromVersion: 10 })).toEqual([]);
      });

      it('returns JSON unchanged: text, numbers, nesting, empty and odd member names', async () => {
        const data: JsonObject = {
          text: 'Ümläut, 日本語, 👩‍🚀, "quotes", back\\slash, \n\t\u0001\u007f\u2028',
          numbers: [0, -1, 1.5, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 9007199254740991, -9007199254740991],
          nested: { a: [{ b: [[], {}, null, true, false] }], deep: { er: { still: ['x'] } } },
          '': 'empty name',
          'b "odd" name': 1,
          toString: 'inherited name',
          z: 1,
          a: 2,
        };
        const stream = fresh();
        const event = { ...newEvent(data, 'Ereignis-é'), metadata: { hash: 'ab', nothing: null, list: [1, [2]] } };
        const { position } = await store.append(stream, NO_STREAM, [event]);
        const [back] = await store.readStream(stream);
        expect(back).toEqual({ ...event, stream, version: 0, position, recordedAt: expect.any(Date) });
        expect(await readToEnd(store, null, stream)).toEqual([back]);
      });

      it('returns ids in lower case', async () => {
        const stream = fresh();
        const event = newEvent();
        const first = await store.append(stream, NO_STREAM, [{ ...event, id: event.id.toUpperCase() }]);
        expect(await store.readStream(stream)).toMatchObject([{ id: event.id }]);
        expect(await store.append(stream, NO_STREAM, [event])).toEqual(first);
      });
    });

    describe('readStreams', () => {
      const numbered = (length: number): NewEvent[] => Array.from({ length }, (_, n) => newEvent({ n }));

      it('returns only the given streams, one after the other, in pages of any size', async () => {
        const kind = fresh();
        // Byte order: capitals before small letters
        const [empty, ...names] = ['Zoe', 'adam', 'adam-2', 'Bea', 'eve'].map((name) => `${kind}-${name}`);
        for (const [index, stream] of names.entries()) await store.append(stream, NO_STREAM, numbered(index * 3 + 1));
        const wanted = names.filter((name) => !name.endsWith('eve'));
        const sorted = [empty ?? '', ...wanted].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const due = [`${kind}-Bea`, `${kind}-adam`, `${kind}-adam-2`].flatMap((stream) =>
          Array.from({ length: wanted.indexOf(stream) * 3 + 1 }, (_, version) => `${stream} ${version}`),
        );
        for (const limit of [1, 3, 1000]) {
          const seen: StoredEvent[] = [];
          while (seen.length <= due.length) {
            const last = seen.at(-1);
            const after = last ? { stream: last.stream, version: last.version } : null;
            const page = await other.readStreams(sorted, { after, limit });
            expect([...(await other.scanStreams(sorted, { after, limit }))]).toEqual(page);
            seen.push(...page);
            if (page.length < limit) break;
          }
          expect(seen.map(({ stream, version }) => `${stream} ${version}`)).toEqual(due);
          expect(seen[0]).toEqual((await store.readStream(`${kind}-Bea`))[0]);
        }
      });

      it('lists the streams of a prefix in byte order, optionally after a name', async () => {
        const kind = fresh();
        for (const name of ['Zoe', 'adam', 'Bea']) await store.append(`${kind}-${name}`, NO_STREAM, numbered(2));
        const named = async (after?: string): Promise<string[]> => {
          const names: string[] = [];
          for await (const page of other.streams(`${kind}-`, after)) names.push(...page);
          return names.map((name) => name.slice(kind.length + 1));
        };
        expect(await named()).toEqual(['Bea', 'Zoe', 'adam']);
        expect(await named(`${kind}-Bea`)).toEqual(['Zoe', 'adam']);
        expect(await named(`${kind}-Beatrix`)).toEqual(['Zoe', 'adam']);
        expect(await named(`${kind}-adam`)).toEqual([]);
      });

      it('returns the last event of each stream', async () => {
        const [one, many, none] = [fresh(), fresh(), fresh()] as const;
        await store.append(one, NO_STREAM, numbered(1));
        await store.append(many, NO_STREAM, numbered(1200));
        const found = await other.lastEvents([one, many, none]);
        const due = [...(await store.readStream(one)), ...(await store.readStream(many, { fromVersion: 1199 }))];
        expect(new Map(found.map((event) => [event.stream, event]))).toEqual(
          new Map(due.map((event) => [event.stream, event])),
        );
        expect(found).toHaveLength(2);
      });
    });

    describe('readAll', () => {
      it('returns events by position, and each stream by version', async () => {
        const prefix = fresh('order');
        for (let n = 0; n < 6; n += 1)
          await store.append(`${prefix}-${n % 2}`, Math.floor(n / 2) - 1, [newEvent({ n })]);
        const events = await readToEnd(other, null, prefix, 4);
        expect(events.map(({ data }) => data['n'])).toEqual([0, 1, 2, 3, 4, 5]);
        const sorted = [...events].reverse().sort((a, b) => store.comparePositions(a.position, b.position));
        expect(sorted).toEqual(events);
      });

      it('continues after any position, even inside a batch', async () => {
        const prefix = fresh('resume');
        await store.append(`${prefix}-a`, NO_STREAM, [newEvent({ n: 0 }), newEvent({ n: 1 }), newEvent({ n: 2 })]);
        await store.append(`${prefix}-b`, NO_STREAM, [newEvent({ n: 3 })]);
        const all = await readToEnd(store, null, prefix, 1);
        expect(all.map(({ data }) => data['n'])).toEqual([0, 1, 2, 3]);
        for (const [index, { position }] of all.entries()) {
          expect(await readToEnd(other, position, prefix)).toEqual(all.slice(index + 1));
        }
      });

      it('matches a prefix literally', async () => {
        const prefix = fresh('pre');
        for (const name of ['a_b-1', 'a_b-2', 'aXb-1', 'a%b-1', 'A_B-1']) {
          await store.append(`${prefix}${name}`, NO_STREAM, [newEvent({ name })]);
        }
        const found = async (streamPrefix: string): Promise<Json[]> =>
          (await readToEnd(store, null, streamPrefix)).map(({ data }) => data['name'] ?? null);
        expect(await found(`${prefix}a_b-`)).toEqual(['a_b-1', 'a_b-2']);
        expect(await found(`${prefix}a%`)).toEqual(['a%b-1']);
        expect(await found(`${prefix}`)).toHaveLength(5);
        expect(await found(`${prefix}none`)).toEqual([]);
      });

      it('returns the position of the last event of a prefix', async () => {
        const prefix = fresh('last');
        expect(await store.lastPosition(prefix)).toBeNull();
        await store.append(`${prefix}-a`, NO_STREAM, [newEvent()]);
        const { position } = await store.append(`${prefix}-b`, NO_STREAM, [newEvent(), newEvent()]);
        await store.append(fresh('elsewhere'), NO_STREAM, [newEvent()]);
        expect(await other.lastPosition(prefix)).toBe(position);
        const last = await store.lastPosition();
        expect(store.comparePositions(String(last), position)).toBeGreaterThan(0);
      });

      it('counts the events after a position up to a limit', async () => {
        const prefix = `${fresh('count')}-`;
        expect(await store.countAfter(null, { streamPrefix: prefix })).toBe(0);
        const { position } = await store.append(`${prefix}a`, NO_STREAM, [newEvent(), newEvent()]);
        await store.append(fresh('elsewhere'), NO_STREAM, [newEvent()]);
        await store.append(`${prefix}b`, NO_STREAM, [newEvent(), newEvent(), newEvent()]);
        await readToEnd(store, null, prefix);
        expect(await store.countAfter(null, { streamPrefix: prefix })).toBe(5);
        expect(await store.countAfter(position, { streamPrefix: prefix })).toBe(3);
        expect(await store.countAfter(null, { streamPrefix: prefix, atMost: 4 })).toBe(4);
      });

      it('finds the events that mention an id, in order', async () => {
        const id = fresh('id');
        const fields = [
          { part: 'metadata', names: ['actorId'] },
          { part: 'data', names: ['first', 'second'] },
        ] as const;
        const acted = { ...newEvent(), metadata: { actorId: id } };
        const events = [newEvent({ first: id }), newEvent(), newEvent({ second: id }), acted];
        await store.append(fresh(), NO_STREAM, [newEvent({ first: 'other', second: id }), newEvent({ third: id })]);
        const { position } = await store.append(fresh(), NO_STREAM, events);
        await readToEnd(store, position, '');
        const find = async (wanted: string, after: string | null = null): Promise<string[]> => {
          const found: string[] = [];
          for await (const page of other.mentioning({ id: wanted, fields, after, limit: 2 })) {
            found.push(...page.events.map((event) => event.id));
          }
          return found;
        };
        expect(await find(id)).toEqual([0, 2, 3].map((index) => events[index]?.id));
        expect(await find(acted.id.toUpperCase())).toEqual([acted.id]);
        expect(await find(id, position)).toEqual([]);
      });

      it('refuses a position that it did not issue', async () => {
        await expect(store.readAll({ after: 'nonsense', limit: 1 })).rejects.toThrow(RangeError);
        expect(() => store.comparePositions('nonsense', 'x')).toThrow(RangeError);
        const { position } = await store.append(fresh(), NO_STREAM, [newEvent()]);
        for (const other of [`x${position}`, `${position}x`, '1/9223372036854775808', '18446744073709551616/1']) {
          expect(() => store.comparePositions(position, other)).toThrow(RangeError);
        }
      });

      it('returns every event once to a follower while many writers append', async () => {
        const prefix = fresh('busy');
        const writers = 8;
        const each = 25;
        const following = followUntil(other, prefix, writers * each);
        await Promise.all(
          Array.from({ length: writers }, async (_, writer) => {
            for (let n = 0; n < each; n += 1) await store.append(`${prefix}-${writer}`, n - 1, [newEvent({ n })]);
          }),
        );
        const seen = await following;
        expect(new Set(seen.map(({ id }) => id)).size).toBe(writers * each);
        for (let writer = 0; writer < writers; writer += 1) {
          const numbers = seen.filter(({ stream }) => stream === `${prefix}-${writer}`).map(({ data }) => data['n']);
          expect(numbers).toEqual(Array.from({ length: each }, (_, n) => n));
        }
      });
    });

    describe('listStreams', () => {
      it('lists every stream of a prefix once, in byte order, in pages', async () => {
        const prefix = fresh('list');
        const names = [
          'é',
          'b',
          'B',
          'a',
          'a b',
          '\ufb33',
          '\u{1f600}',
          ...Array.from({ length: 230 }, (_, n) => `n${n}`),
        ];
        await Promise.all(names.map((name) => store.append(`${prefix}-${name}`, NO_STREAM, [newEvent(), newEvent()])));
        await store.append(`${prefix}-a`, 1, [newEvent()]);
        await store.append(fresh('list'), NO_STREAM, [newEvent()]);
        const pages: string[][] = [];
        for await (const page of other.streams(`${prefix}-`)) pages.push(page);
        expect(pages.every(({ length }) => length > 0 && length <= 200)).toBe(true);
        const inByteOrder = names.map((name) => Buffer.from(`${prefix}-${name}`)).sort((a, b) => Buffer.compare(a, b));
        expect(pages.flat()).toEqual(inByteOrder.map(String));
      });

      it('returns no page for a prefix without streams', async () => {
        for await (const page of store.streams(fresh('none'))) throw new Error(`There is a page: ${page.join()}`);
      });

      it('returns the names of streams that do not exist', async () => {
        const there = fresh();
        const gone = fresh();
        await store.append(there, NO_STREAM, [newEvent()]);
        expect(await store.missingStreams([gone, there])).toEqual([gone]);
        expect(await store.missingStreams([])).toEqual([]);
      });
    });

    describe('subscribe', () => {
      it('notifies listeners of the same and of another instance until they stop', async () => {
        const stream = fresh();
        let calls = 0;
        const stops: (() => void)[] = [];
        const heard = (from: EventStore): Promise<void> =>
          new Promise((resolve) => stops.push(from.onAppended(() => (resolve(), undefined))));
        const stopCounting = store.onAppended(() => (calls += 1));
        stopCounting();
        const own = heard(store);
        const others = heard(other);
        await store.append(stream, NO_STREAM, [newEvent()]);
        await Promise.all([own, others]);
        expect(calls).toBe(0);
        for (const stop of stops) stop();
      });
    });

    describe('invalid events', () => {
      const event = newEvent();
      it.each<[string, string, number, NewEvent[]]>([
        ['no events', 'bad-1', NO_STREAM, []],
        ['a stream without a name', '', NO_STREAM, [event]],
        ['a stream name of 501 characters', 'x'.repeat(501), NO_STREAM, [event]],
        ['a stream name with a NUL', 'bad\u0000', NO_STREAM, [event]],
        ['a stream name that begins with $', '$bad', NO_STREAM, [event]],
        ['a type that begins with $', 'bad-1', NO_STREAM, [{ ...event, type: '$bad' }]],
        ['a version below -1', 'bad-1', -2, [event]],
        ['a version that is not an integer', 'bad-1', 0.5, [event]],
        ['a version that is not a number', 'bad-1', NaN, [event]],
        ['an id that is not a UUID', 'bad-1', NO_STREAM, [{ ...event, id: '1' }]],
        ['an event twice in a batch', 'bad-1', NO_STREAM, [event, event]],
        ['an event without a type', 'bad-1', NO_STREAM, [{ ...event, type: '' }]],
        ['a NUL in a text', 'bad-1', NO_STREAM, [{ ...event, data: { a: ['x\u0000'] } }]],
        [
          'a NUL in JSON that was written before',
          'bad-1',
          NO_STREAM,
          [{ ...event, data: { a: 'x\u0000' }, json: { data: '{"a":"x\\u0000"}', metadata: '{}' } }],
        ],
        ['a NUL in a member name', 'bad-1', NO_STREAM, [{ ...event, metadata: { 'x\u0000': 1 } }]],
        ['half of a surrogate pair', 'bad-1', NO_STREAM, [{ ...event, data: { a: '\ud83d' } }]],
        ['an infinite number', 'bad-1', NO_STREAM, [{ ...event, data: { a: Infinity } }]],
        ['undefined', 'bad-1', NO_STREAM, [{ ...event, data: { a: undefined } as unknown as JsonObject }]],
        ['a date', 'bad-1', NO_STREAM, [{ ...event, data: { a: new Date(0) } as unknown as JsonObject }]],
        ['data that is a list', 'bad-1', NO_STREAM, [{ ...event, data: [1] as unknown as JsonObject }]],
        ['data that is null', 'bad-1', NO_STREAM, [{ ...event, data: null as unknown as JsonObject }]],
      ])('refuses %s', async (_what, stream, expected, events) => {
        await expect(store.append(stream, expected, events)).rejects.toBeInstanceOf(InvalidEventError);
        expect(await store.readStream('bad-1')).toEqual([]);
      });
    });
  });
}
