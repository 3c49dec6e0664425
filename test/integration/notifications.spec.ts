import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GenerationChanges } from '../../src/generation/workers/generation-changes.js';
import { Notifications } from '../../src/platform/database/notifications.js';
import { addressOf } from '../../src/platform/database/pool.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

describe('Notifications', () => {
  let database: TestDatabase<unknown>;
  let proxy: TcpProxy;
  let notifications: Notifications;

  beforeAll(async () => {
    database = await withTestDatabase();
    proxy = await startTcpProxy(addressOf(database.pool));
  });
  afterAll(async () => {
    await proxy.close();
    await database.close();
  });
  beforeEach(() => {
    // A busy machine may need most of a second to connect.
    notifications = new Notifications({ connectionString: proxy.url }, 1_000);
  });
  afterEach(async () => {
    proxy.resume();
    await notifications.close();
  });

  const announce = (channel: string, payload: string) =>
    database.pool.query('select pg_notify($1, $2)', [channel, payload]);
  const connections = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and application_name = 'fanvas-listener'`,
    );
    return rows[0]!.count;
  };

  it('delivers the channels of all listeners on one connection, until they are removed', async () => {
    const heard: string[] = [];
    const following = new Set<string>();
    const removals: (() => void)[] = [];
    for (const channel of ['event_appended', 'page_changed', 'generation_changed']) {
      const remove = await notifications.listen(channel, {
        notified: (payload) => heard.push(`${channel} ${payload}`),
        follow: (now) => now && following.add(channel),
      });
      removals.push(remove);
    }
    await until(() => following.size === 3, 'the connection');
    await announce('page_changed', 'home');
    await announce('generation_changed', 'g1');
    await announce('event_appended', '');
    await until(() => heard.length === 3, 'the notifications');
    expect(heard).toEqual(['page_changed home', 'generation_changed g1', 'event_appended ']);
    expect(await connections()).toBe(1);
    removals[0]?.();
    await announce('event_appended', 'unheard');
    await announce('page_changed', 'creators');
    await until(() => heard.length > 3, 'a later notification');
    expect(heard.slice(3)).toEqual(['page_changed creators']);
  });

  it('notices a connection that goes silent without closing, and reads what is open again', async () => {
    const followed: boolean[] = [];
    await notifications.listen('page_changed', {
      notified: () => undefined,
      follow: (following) => followed.push(following),
    });
    const changes = new GenerationChanges(notifications);
    const id = randomUUID();
    let reads = 0;
    await changes.listen(id, () => (reads += 1));
    await until(() => followed.at(-1) === true, 'the connection');
    // It is read when listening begins, too: only a further read is the answer to the announcement.
    const joined = reads;
    await announce('generation_changed', id);
    await until(() => reads > joined, 'the announced change');

    proxy.stallAnswers();
    const before = reads;
    followed.length = 0;
    await announce('generation_changed', id);
    await until(() => followed.length > 0, 'the probe');
    expect({ reads, following: followed.includes(true) }).toEqual({ reads: before, following: false });
    proxy.cut(); // the answers that were held are lost
    proxy.resume();
    await until(() => followed.at(-1) === true, 'another connection');
    expect(reads).toBeGreaterThan(before);
    const after = reads;
    await announce('generation_changed', id);
    await until(() => reads > after, 'a change on the new connection');
    changes.onModuleDestroy();
  });

  it('connects once the database can be reached, when it cannot at first', async () => {
    await proxy.fail();
    const heard: string[] = [];
    let listening = false;
    await notifications.listen('page_changed', {
      notified: (payload) => heard.push(payload),
      follow: (following) => (listening = following),
    });
    expect(listening).toBe(false);
    await proxy.listen();
    await until(() => listening, 'the connection');
    await announce('page_changed', 'home');
    await until(() => heard.length === 1, 'the notification');
  });

  it('has open generations read every 15 seconds, also when nothing is announced', async () => {
    jest.useFakeTimers();
    const changes = new GenerationChanges({ listen: () => Promise.resolve() } as unknown as Notifications);
    const read = jest.fn();
    const stop = await changes.listen('g1', read);
    jest.advanceTimersByTime(14_999);
    expect(read).not.toHaveBeenCalled();
    jest.advanceTimersByTime(30_001);
    expect(read).toHaveBeenCalledTimes(3);
    stop();
    jest.advanceTimersByTime(15_000);
    expect(read).toHaveBeenCalledTimes(3);
    changes.onModuleDestroy();
    jest.useRealTimers();
  });
});
