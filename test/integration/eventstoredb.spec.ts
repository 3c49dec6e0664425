import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/load-config.js';
import {
  type NewEvent,
  EventStoreUnavailableError,
  InvalidEventError,
  NO_STREAM,
  UnknownOutcomeError,
} from '../../src/platform/event-store/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/event-store/eventstoredb-event-store.js';
import { EventStoreSettingError, openEventStore } from '../../src/platform/event-store/open-event-store.js';
import { newEvent, readToEnd } from '../contract/event-store.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';

jest.setTimeout(60_000);

const PROMISED_MS = 5_000;

describe('the EventStoreDB adapter', () => {
  let server: EventStoreDbServer;
  let store: EventStoreDbEventStore;

  beforeAll(async () => {
    server = await EventStoreDbServer.start();
    store = new EventStoreDbEventStore(server.url);
  });

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  async function timed<T>(work: Promise<T>): Promise<{ outcome: T | Error; ms: number }> {
    const began = performance.now();
    const outcome = await work.catch((error: unknown) => error as Error);
    return { outcome, ms: performance.now() - began };
  }

  it('sends each append as a call of its own, though the server offers batches', async () => {
    await store.append(`single-${randomUUID()}`, NO_STREAM, [newEvent()]);
    expect(server.calls).toContain('Append');
    expect(server.calls).not.toContain('GetSupportedMethods');
  });

  it('leaves no rejection unhandled when the connection breaks under load', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const data = { text: 'x'.repeat(20_000) };
    await store.append(`load-${randomUUID()}`, NO_STREAM, [newEvent(data)]);
    const appends = Array.from({ length: 200 }, () =>
      store.append(`load-${randomUUID()}`, NO_STREAM, [newEvent(data)]),
    );
    const settled = Promise.allSettled(appends);
    await server.fail();
    const results = await settled;
    // One more turn: rejections that are still unhandled are reported then.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    await server.recover();
    for (const result of results) {
      if (result.status === 'rejected')
        expect(['UnknownOutcomeError', 'EventStoreUnavailableError']).toContain((result.reason as Error).name);
    }
    expect(unhandled).toEqual([]);
  });

  it('gives up an append that is not answered, and does not claim to know', async () => {
    const stream = `slow-${randomUUID()}`;
    const batch = [newEvent()];
    await store.readStream(stream);
    server.slowAppends(6_000);
    const { outcome, ms } = await timed(store.append(stream, NO_STREAM, batch));
    server.slowAppends(0);
    expect(outcome).toBeInstanceOf(UnknownOutcomeError);
    expect(ms).toBeLessThan(PROMISED_MS);
    expect(await store.append(stream, NO_STREAM, batch)).toMatchObject({ version: 0 });
  });

  it('gives up reads that are not answered, and reads that come late are right', async () => {
    const stream = `slow-${randomUUID()}`;
    await store.append(stream, NO_STREAM, [newEvent()]);
    server.slowReads(6_000);
    const results = await Promise.all(
      [
        store.readStream(stream),
        store.readAll({ after: null, limit: 1 }),
        store.lastPosition('none-'),
        store.lastEvents([stream]),
      ].map((work) => timed<unknown>(work)),
    );
    for (const { outcome, ms } of results) {
      expect(outcome).toBeInstanceOf(EventStoreUnavailableError);
      expect(ms).toBeLessThan(PROMISED_MS);
    }
    server.slowReads(300);
    expect(await store.readStream(stream)).toHaveLength(1);
    server.slowReads(0);
  });

  it('gives up on a host that takes connections and says nothing', async () => {
    const sockets = new Set<Socket>();
    const deaf = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const lonely = new EventStoreDbEventStore(`esdb://127.0.0.1:${(deaf.address() as AddressInfo).port}?tls=false`);
    const append = await timed(lonely.append('x-1', NO_STREAM, [newEvent()]));
    expect((append.outcome as Error).name).toMatch(/UnknownOutcomeError|EventStoreUnavailableError/);
    expect(append.ms).toBeLessThan(PROMISED_MS);
    const read = await timed(lonely.readStream('x-1'));
    expect(read.outcome).toBeInstanceOf(EventStoreUnavailableError);
    expect(read.ms).toBeLessThan(PROMISED_MS);
    await lonely.close();
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });

  it('finds its server by discovery, and says within five seconds that it cannot', async () => {
    const url = `esdb+discover://127.0.0.1:${server.port}?tls=false`;
    const found = new EventStoreDbEventStore(url);
    const stream = `discovered-${randomUUID()}`;
    expect(await found.append(stream, NO_STREAM, [newEvent()])).toMatchObject({ version: 0 });
    expect(server.calls).toContain('Gossip');
    await server.fail();
    const append = await timed(found.append(stream, 0, [newEvent()]));
    const again = await timed(found.append(stream, 0, [newEvent()]));
    expect([append.outcome, again.outcome].map((error) => (error as Error).name)).toEqual([
      expect.stringMatching(/UnknownOutcomeError|EventStoreUnavailableError/),
      'EventStoreUnavailableError',
    ]);
    expect(Math.max(append.ms, again.ms)).toBeLessThan(PROMISED_MS);
    await server.recover();
    expect(await found.readStream(stream)).toHaveLength(1);
    await found.close();
  });

  it('sends an append again that a node refused because it is not the leader', async () => {
    const stream = `led-${randomUUID()}`;
    server.redirectAppends();
    expect(await store.append(stream, NO_STREAM, [newEvent()])).toMatchObject({ version: 0 });
    expect(await store.readStream(stream)).toHaveLength(1);
  });

  it('names an append that the server finds too large', async () => {
    const stream = `large-${randomUUID()}`;
    const large = newEvent({ text: 'x'.repeat(1024 * 1024) });
    await expect(store.append(stream, NO_STREAM, [large])).rejects.toBeInstanceOf(InvalidEventError);
    expect(await store.readStream(stream)).toEqual([]);
  });

  it('does not read again what it has skipped of others', async () => {
    const [mine, others] = [`mine-${randomUUID()}`, `others-${randomUUID()}`];
    const many: NewEvent[] = Array.from({ length: 2_500 }, () => newEvent());
    await store.append(mine, NO_STREAM, [newEvent()]);
    await store.append(others, NO_STREAM, many);
    const reads = (): number => server.calls.filter((call) => call === 'Read $all').length;
    const [first] = await readToEnd(store, null, mine);
    const before = reads();
    for (let n = 0; n < 5; n += 1) {
      expect(await store.readAll({ after: first?.position ?? null, limit: 100, streamPrefix: mine })).toEqual([]);
      expect(await store.lastPosition(mine)).toBe(first?.position);
    }
    // One read each way for the looks that find nothing; only the first look back passes the others.
    expect(reads() - before).toBeLessThanOrEqual(10 + 4);
    const { position } = await store.append(mine, 0, [newEvent()]);
    expect(await readToEnd(store, first?.position ?? null, mine)).toMatchObject([{ position }]);
    expect(await store.lastPosition(mine)).toBe(position);
  });
});

describe('the choice of the event store', () => {
  let database: TestDatabase<unknown>;
  let server: EventStoreDbServer;
  const settings = (EVENTSTORE_URL = ''): { eventStoreUrl: string | null } => loadConfig({ EVENTSTORE_URL }, '/');

  beforeAll(async () => {
    database = await withTestDatabase();
    server = await EventStoreDbServer.start();
  });

  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  async function refusal(url = ''): Promise<string> {
    const error: unknown = await openEventStore(settings(url), database.pool).then(
      async (store) => {
        await store.close();
        return new Error('It was taken.');
      },
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EventStoreSettingError);
    return (error as Error).message;
  }

  const follow = (position: string): Promise<unknown> =>
    database.pool.query(
      `insert into projection_checkpoint (name, version, position) values ('p', 1, $1)
       on conflict do nothing`,
      [position],
    );
  const forget = (): Promise<unknown> => database.pool.query('delete from projection_checkpoint');

  it('takes the server of EVENTSTORE_URL, and Postgres without it', async () => {
    const remote = await openEventStore(settings(server.url), database.pool);
    expect(remote).toBeInstanceOf(EventStoreDbEventStore);
    const { position } = await remote.append('x-1', NO_STREAM, [newEvent()]);
    await follow(position);
    await remote.close();
    const again = await openEventStore(settings(server.url), database.pool);
    await again.close();
    await forget();
    const local = await openEventStore(settings(), database.pool);
    expect(await local.readStream('x-1')).toEqual([]);
    await local.close();
  });

  it('refuses Postgres for a database whose projections follow a server', async () => {
    await follow('esdb:100/100');
    expect(await refusal()).toContain('follow another kind of event store');
    await forget();
  });

  it('refuses a server that ends before what the projections have seen', async () => {
    await follow('esdb:99999999/99999999');
    expect(await refusal(server.url)).toBe(
      `The event store at 127.0.0.1:${server.port} ends before what this database has seen of it: it is another one, or an older copy.`,
    );
    await forget();
  });

  it('refuses a server for a database that keeps events itself', async () => {
    const local = await openEventStore(settings(), database.pool);
    await local.append('x-1', NO_STREAM, [newEvent()]);
    await local.close();
    expect(await refusal(server.url)).toContain('keeps its events itself');
    await database.pool.query('truncate event');
  });

  it('names the address that does not answer, without user and password', async () => {
    const url = `kurrentdb://somebody:secret@127.0.0.1:${server.port}?tls=false`;
    await server.fail();
    expect(await refusal(url)).toBe(
      `The event store at 127.0.0.1:${server.port} does not answer; check EVENTSTORE_URL.`,
    );
    await server.recover();
  });
});
