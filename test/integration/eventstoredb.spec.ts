import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '../../src/platform/config/load-config.js';
import {
  type NewEvent,
  EventStoreUnavailableError,
  InvalidEventError,
  NO_STREAM,
  StreamDeletedError,
  UnknownOutcomeError,
} from '../../src/platform/event-store/event-store.js';
import { connectToEventStoreDb } from '../../src/platform/event-store/eventstoredb-client.js';
import { EventStoreDbEventStore } from '../../src/platform/event-store/eventstoredb-event-store.js';
import { EventStoreSettingError, openEventStore } from '../../src/platform/event-store/open-event-store.js';
import { newEvent, readToEnd } from '../contract/event-store.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { EventStoreDbCluster } from '../support/eventstoredb-cluster.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { failureWithin, resumeTime, stopTime } from '../support/stopped-time.js';

jest.setTimeout(60_000);

/** Maximum time that a caller waits (milliseconds). */
const AT_MOST_MS = 5_000;

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

  afterEach(() => {
    resumeTime();
    server.slowAppends(0);
    server.slowReads(0);
  });

  it('sends each append as a separate call, although the server offers batches', async () => {
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

  it('gives up an append without an answer and reports an unknown outcome', async () => {
    const stream = `slow-${randomUUID()}`;
    const batch = [newEvent()];
    await store.readStream(stream);
    server.slowAppends(6_000);
    stopTime();
    const appended = store.append(stream, NO_STREAM, batch);
    expect(await failureWithin(AT_MOST_MS, appended)).toBeInstanceOf(UnknownOutcomeError);
    resumeTime();
    server.slowAppends(0);
    expect(await store.append(stream, NO_STREAM, batch)).toMatchObject({ version: 0 });
  });

  it('gives up reads without an answer, and returns the right events for late answers', async () => {
    const stream = `slow-${randomUUID()}`;
    await store.append(stream, NO_STREAM, [newEvent()]);
    server.slowReads(6_000);
    stopTime();
    const reads: (() => Promise<unknown>)[] = [
      () => store.readStream(stream),
      () => store.readAll({ after: null, limit: 1 }),
      () => store.lastPosition('none-'),
      () => store.lastEvents([stream]),
    ];
    for (const read of reads) {
      expect(await failureWithin(AT_MOST_MS, read())).toBeInstanceOf(EventStoreUnavailableError);
    }
    resumeTime();
    server.slowReads(300);
    expect(await store.readStream(stream)).toHaveLength(1);
    server.slowReads(0);
  });

  it.each(['esdb', 'esdb+discover'])(
    'gives up on a host that accepts connections and never answers, by %s',
    async (scheme) => {
      const sockets = new Set<Socket>();
      const deaf = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
      await once(deaf, 'listening');
      const { port } = deaf.address() as AddressInfo;
      const lonely = new EventStoreDbEventStore(`${scheme}://127.0.0.1:${port}?tls=false`);
      stopTime();
      const appended = lonely.append('x-1', NO_STREAM, [newEvent()]);
      expect(await failureWithin(AT_MOST_MS, appended)).toMatchObject({
        name: expect.stringMatching(/UnknownOutcomeError|EventStoreUnavailableError/),
      });
      expect(await failureWithin(AT_MOST_MS, lonely.readStream('x-1'))).toBeInstanceOf(EventStoreUnavailableError);
      resumeTime();
      await lonely.close();
      for (const socket of sockets) socket.destroy();
      deaf.close();
    },
  );

  it('finds its server by discovery, and reports that it cannot', async () => {
    const url = `esdb+discover://127.0.0.1:${server.port}?tls=false&discoveryInterval=5`;
    const found = new EventStoreDbEventStore(url, { pauseMs: 5 });
    const stream = `discovered-${randomUUID()}`;
    expect(await found.append(stream, NO_STREAM, [newEvent()])).toMatchObject({ version: 0 });
    expect(server.calls).toContain('Gossip');
    await server.fail();
    stopTime();
    const refused = { name: expect.stringMatching(/UnknownOutcomeError|EventStoreUnavailableError/) };
    for (let time = 0; time < 2; time += 1) {
      expect(await failureWithin(AT_MOST_MS, found.append(stream, 0, [newEvent()]))).toMatchObject(refused);
    }
    expect(await failureWithin(AT_MOST_MS, found.readStream(stream))).toBeInstanceOf(EventStoreUnavailableError);
    resumeTime();
    await server.recover();
    const again = new EventStoreDbEventStore(url);
    expect(await again.readStream(stream)).toHaveLength(1);
    await again.close();
    await found.close();
  });

  it('sends a call again that a node refused because it is not the leader', async () => {
    const stream = `led-${randomUUID()}`;
    server.redirect();
    const { position } = await store.append(stream, NO_STREAM, [newEvent()]);
    server.redirect();
    expect(await store.readStream(stream)).toMatchObject([{ position }]);
    server.redirect();
    expect(await store.lastPosition(stream)).toBe(position);
    server.redirect();
    expect(await store.lastEvents([stream])).toHaveLength(1);
  });

  it('names an append that the server finds too large', async () => {
    const stream = `large-${randomUUID()}`;
    const large = newEvent({ text: 'x'.repeat(1024 * 1024) });
    await expect(store.append(stream, NO_STREAM, [large])).rejects.toBeInstanceOf(InvalidEventError);
    expect(await store.readStream(stream)).toEqual([]);
  });

  it('reports an event as invalid when the server finds it too large', async () => {
    const stream = `large-${randomUUID()}`;
    server.limitEvents(1_000);
    await expect(store.append(stream, NO_STREAM, [newEvent({ text: 'x'.repeat(1_000) })])).rejects.toBeInstanceOf(
      InvalidEventError,
    );
    server.limitEvents(Infinity);
    expect(await store.readStream(stream)).toEqual([]);
  });

  it('sends events again when the server dropped them because the same events were not committed yet', async () => {
    const stream = `twice-${randomUUID()}`;
    const batch = [newEvent(), newEvent()];
    server.slowCommits(40, 80);
    const appends = () => server.calls.filter((call) => call === 'Append').length;
    const before = appends();
    const [first, second] = await Promise.all([
      store.append(stream, NO_STREAM, batch),
      store.append(stream, NO_STREAM, batch),
    ]);
    server.slowCommits(0);
    expect(second).toEqual(first);
    expect(await store.readStream(stream)).toHaveLength(2);
    expect(appends() - before).toBe(3);
  });

  it('sends events again that the server did not commit in time', async () => {
    const stream = `aborted-${randomUUID()}`;
    server.abortAppends(2, 5);
    expect(await store.append(stream, NO_STREAM, [newEvent()])).toMatchObject({ version: 0 });
    expect(await store.readStream(stream)).toHaveLength(1);
  });

  it('reports an unknown outcome when another writer is first after a timeout of the server', async () => {
    const stream = `taken-${randomUUID()}`;
    server.abortAppends(1, 50);
    const aborted = store.append(stream, NO_STREAM, [newEvent()]);
    // The connection carries the appends in order.
    const other = store.append(stream, NO_STREAM, [newEvent()]);
    await expect(aborted).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await other).toMatchObject({ version: 0 });
  });

  describe('hard delete of a stream', () => {
    const prefix = `deleted-${randomUUID()}-`;
    const gone = `${prefix}a`;
    const kept = `${prefix}b`;
    let last: string;

    beforeAll(async () => {
      await store.append(gone, NO_STREAM, [newEvent({ n: 0 }), newEvent({ n: 1 })]);
      last = (await store.append(kept, NO_STREAM, [newEvent({ n: 2 })])).position;
      const client = connectToEventStoreDb(server.url);
      await client.tombstoneStream(gone);
      await client.dispose();
    });

    it('fails reads and appends of the stream with a StreamDeletedError', async () => {
      await expect(store.readStream(gone)).rejects.toMatchObject({ name: 'StreamDeletedError', stream: gone });
      await expect(store.append(gone, 1, [newEvent()])).rejects.toBeInstanceOf(StreamDeletedError);
      await expect(store.append(gone, NO_STREAM, [newEvent()])).rejects.toBeInstanceOf(StreamDeletedError);
    });

    it('skips the stream in reads of several streams, and lists it', async () => {
      const found = await store.readStreams([gone, kept], { after: null, limit: 10 });
      expect(found.map(({ stream }) => stream)).toEqual([kept]);
      expect((await store.lastEvents([gone, kept])).map(({ stream }) => stream)).toEqual([kept]);
      expect(await store.missingStreams([gone, kept])).toEqual([gone]);
      expect(await pagesOf(store.streams(prefix))).toEqual([gone, kept]);
    });

    it('returns the earlier events to followers, never the tombstone, and lists the stream after a scavenge', async () => {
      expect((await readToEnd(store, null, prefix)).map(({ data }) => data['n'])).toEqual([0, 1, 2]);
      expect(await store.lastPosition(prefix)).toBe(last);
      server.log.scavenge();
      expect(
        (await readToEnd(new EventStoreDbEventStore(server.url), null, prefix)).map(({ data }) => data['n']),
      ).toEqual([2]);
      expect(await pagesOf(store.streams(prefix))).toEqual([gone, kept]);
    });
  });

  it('does not read skipped events of other prefixes again', async () => {
    const mine = `mine-${randomUUID()}`;
    const others = `others-${randomUUID()}`;
    // On a busy machine, a call that passes all these events takes longer than a call of the app may.
    const patient = new EventStoreDbEventStore(server.url, { callMs: 30_000 });
    const many: NewEvent[] = Array.from({ length: 2_500 }, () => newEvent());
    await patient.append(mine, NO_STREAM, [newEvent()]);
    await patient.append(others, NO_STREAM, many);
    const reads = (): number => server.calls.filter((call) => call === 'Read $all').length;
    const [first] = await readToEnd(patient, null, mine);
    const before = reads();
    for (let n = 0; n < 5; n += 1) {
      expect(await patient.readAll({ after: first?.position ?? null, limit: 100, streamPrefix: mine })).toEqual([]);
      expect(await patient.lastPosition(mine)).toBe(first?.position);
    }
    // One read in each direction per poll that finds nothing. Only the first backward read passes the other events.
    expect(reads() - before).toBeLessThanOrEqual(10 + 4);
    const { position } = await patient.append(mine, 0, [newEvent()]);
    expect(await readToEnd(patient, first?.position ?? null, mine)).toMatchObject([{ position }]);
    expect(await patient.lastPosition(mine)).toBe(position);
    await patient.close();
  });
});

describe('the EventStoreDB adapter in a cluster', () => {
  let cluster: EventStoreDbCluster;
  const stores: EventStoreDbEventStore[] = [];
  /** Opens the store like the app, with short pauses. */
  const open = (scheme: string): EventStoreDbEventStore => {
    const url = `${scheme}://${cluster.hosts}?tls=false&discoveryInterval=5&maxDiscoverAttempts=2`;
    const { eventStoreUrl } = loadConfig({ EVENTSTORE_URL: url }, '/');
    const store = new EventStoreDbEventStore(eventStoreUrl ?? '', { pauseMs: 5 });
    stores.push(store);
    return store;
  };

  beforeEach(async () => {
    cluster = await EventStoreDbCluster.start();
  });

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await cluster.stop();
  });

  it.each(['kurrentdb', 'kurrentdb+discover'])(
    'reaches the leader by %s when the first host is dead',
    async (scheme) => {
      await cluster.killLeader({ stale: 0, notReady: 0, leaderless: 0 });
      const store = open(scheme);
      const { position } = await store.append('c-1', NO_STREAM, [newEvent()]);
      expect(await store.readStream('c-1')).toMatchObject([{ position }]);
    },
  );

  it.each([
    ['the other nodes name the dead leader', { stale: 6, notReady: 0, leaderless: 0 }],
    ['the other nodes are not ready', { stale: 0, notReady: 6, leaderless: 0 }],
    ['no node knows a leader', { stale: 0, notReady: 0, leaderless: 12 }],
    ['an election takes all of these', { stale: 3, notReady: 4, leaderless: 8 }],
  ])('answers reads and appends while %s', async (_phase, election) => {
    const store = open('kurrentdb');
    const { position } = await store.append('c-1', NO_STREAM, [newEvent()]);
    await cluster.killLeader(election);
    const reads = await Promise.all([
      store.readStream('c-1'),
      store.readAll({ after: null, limit: 1, streamPrefix: 'c-' }),
      store.lastEvents(['c-1']),
    ]);
    for (const events of reads) expect(events).toMatchObject([{ position }]);
    await cluster.killLeader({ ...election, leaderless: 0 });
    expect(await store.lastPosition('c-')).toBe(position);
  });

  it('appends when an election ends', async () => {
    const store = open('kurrentdb');
    await store.append('c-1', NO_STREAM, [newEvent()]);
    const batch = [newEvent()];
    await cluster.killLeader({ stale: 3, notReady: 4, leaderless: 8 });
    // The connection may break while it carries the append. Then the caller sends the events again.
    const first = await store.append('c-1', 0, batch).catch((error: unknown) => error);
    if (first instanceof Error) expect(first).toBeInstanceOf(UnknownOutcomeError);
    expect(await store.append('c-1', 0, batch)).toMatchObject({ version: 1 });
  });

  it('reports that the store is unavailable when no election ends within the time of a call', async () => {
    const url = `esdb://${cluster.hosts}?tls=false&discoveryInterval=5&maxDiscoverAttempts=2`;
    const store = new EventStoreDbEventStore(url, { callMs: 200, pauseMs: 5 });
    stores.push(store);
    await cluster.killLeader({ stale: 0, notReady: 1e6, leaderless: 0 });
    await expect(store.readStream('c-1')).rejects.toBeInstanceOf(EventStoreUnavailableError);
    // The time may end during the last repeat.
    await expect(store.append('c-1', NO_STREAM, [newEvent()])).rejects.toMatchObject({
      name: expect.stringMatching(/EventStoreUnavailableError|UnknownOutcomeError/),
    });
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

  it('uses the server of EVENTSTORE_URL, or Postgres without it', async () => {
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

  it('refuses a server that ends before the last projected event', async () => {
    await follow('esdb:99999999/99999999');
    expect(await refusal(server.url)).toBe(
      `The event store at 127.0.0.1:${server.port} ends before the last event that this database has applied: it is another store, or an older copy.`,
    );
    await forget();
  });

  it('refuses a server for a database that contains events', async () => {
    const local = await openEventStore(settings(), database.pool);
    await local.append('x-1', NO_STREAM, [newEvent()]);
    await local.close();
    expect(await refusal(server.url)).toContain('keeps its events itself');
    await asOwner(database).query('truncate event');
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

async function pagesOf(pages: AsyncIterable<string[]>): Promise<string[]> {
  const names: string[] = [];
  for await (const page of pages) names.push(...page);
  return names;
}
