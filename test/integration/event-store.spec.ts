import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../src/platform/database/pool.js';
import {
  DuplicateEventError,
  EventStoreUnavailableError,
  type NewEvent,
  NO_STREAM,
  UnknownOutcomeError,
} from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { newEvent, readToEnd } from '../contract/event-store.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { seededRandom } from '../support/random.js';
import { recordStatements } from '../support/statements.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

/** Empty reads after the last write until a follower gives up. */
const IDLE_READS = 2_000;

/** Writes an event inside an open transaction, as no caller of the port can. */
async function insertRaw(client: pg.PoolClient, stream: string, version: number): Promise<string> {
  const id = randomUUID();
  await client.query(
    `insert into event (stream, version, event_id, type, data, metadata) values ($1, $2, $3, 'Raw', '{}', '{}')`,
    [stream, version, id],
  );
  return id;
}

describe('the Postgres event store', () => {
  let database: TestDatabase<unknown>;
  let store: PostgresEventStore;

  beforeAll(async () => {
    database = await withTestDatabase();
    store = new PostgresEventStore(database.pool);
  });
  afterAll(async () => {
    await store.close();
    await database.close();
  });

  describe('a follower', () => {
    it('returns no event behind a transaction that began earlier and is still open', async () => {
      const prefix = `open-${randomUUID()}`;
      const slow = await database.pool.connect();
      await slow.query('begin');
      const first = await insertRaw(slow, `${prefix}-a`, 0);
      const second = newEvent();
      const { position } = await store.append(`${prefix}-b`, NO_STREAM, [second]);
      expect(await store.readAll({ after: null, limit: 10, streamPrefix: prefix })).toEqual([]);
      expect(await store.lastPosition(prefix)).toBe(position);
      await slow.query('commit');
      slow.release();
      let seen: string[] = [];
      // Transactions of other databases on the same server hold followers back as well.
      await until(async () => {
        seen = (await readToEnd(store, null, prefix)).map(({ id }) => id);
        expect([[], [first], [first, second.id]]).toContainEqual(seen);
        return seen.length === 2;
      }, 'both events');
      expect(seen).toEqual([first, second.id]);
    });

    it('returns each event exactly once under 16 writers with long transactions and rollbacks', async () => {
      const prefix = `gap-${randomUUID()}`;
      const random = seededRandom(20260228);
      const pool = createPool(database.url, { max: 16 });
      const committed = new Set<string>();
      let writing = true;
      const seen: string[] = [];
      // Also reads in the naive way, to prove that this test detects lost events.
      const naive = new Set<string>();
      const following = (async () => {
        let after: string | null = null;
        let highest = 0;
        let idle = 0;
        while (idle < IDLE_READS) {
          const last = !writing && seen.length >= committed.size;
          const page = await store.readAll({ after, limit: 40, streamPrefix: prefix });
          seen.push(...page.map(({ id }) => id));
          after = page.at(-1)?.position ?? after;
          const { rows } = await database.pool.query<{ position: number; event_id: string }>(
            'select position, event_id from event where position > $1 and starts_with(stream, $2) order by position limit 40',
            [highest, prefix],
          );
          for (const row of rows) naive.add(row.event_id);
          highest = rows.at(-1)?.position ?? highest;
          if (last && page.length === 0 && rows.length === 0) return;
          idle = writing || page.length > 0 ? 0 : idle + 1;
        }
      })();
      await Promise.all(
        Array.from({ length: 16 }, async (_, writer) => {
          const client = await pool.connect();
          for (let n = 0; n < 40; n += 1) {
            await client.query('begin');
            const stream = `${prefix}-${writer}-${n}`;
            const ids = [await insertRaw(client, stream, 0), await insertRaw(client, stream, 1)];
            if (random() < 0.3) await client.query('select pg_sleep($1)', [random() / 100]);
            if (random() < 0.05) {
              await client.query('rollback');
            } else {
              await client.query('commit');
              for (const id of ids) committed.add(id);
            }
          }
          client.release();
        }),
      );
      writing = false;
      await following;
      await pool.end();
      expect(seen).toHaveLength(committed.size);
      expect(new Set(seen)).toEqual(committed);
      expect(naive.size).toBeLessThan(committed.size);
    });
  });

  describe('group commit', () => {
    it('lets each append of a batch succeed or fail on its own', async () => {
      const name = (kind: string): string => `gather-${kind}-${randomUUID()}`;
      const fresh = name('new');
      const long = name('long');
      const repeated = name('repeated');
      const outdated = name('outdated');
      const again = [newEvent(), newEvent()];
      await store.append(repeated, NO_STREAM, again);
      await store.append(outdated, NO_STREAM, [newEvent()]);
      const answers = await Promise.allSettled([
        store.append(fresh, NO_STREAM, [newEvent()]),
        store.append(outdated, NO_STREAM, [newEvent(), newEvent()]),
        store.append(
          long,
          NO_STREAM,
          Array.from({ length: 2_500 }, () => newEvent()),
        ),
        store.append(repeated, NO_STREAM, again),
        store.append(outdated, 7, [newEvent()]),
      ]);
      expect(answers).toMatchObject([
        { value: { version: 0 } },
        { reason: { name: 'WrongExpectedVersionError' } },
        { value: { version: 2_499 } },
        { value: { version: 1 } },
        { reason: { name: 'WrongExpectedVersionError' } },
      ]);
      for (const [stream, length] of [[fresh, 1] as const, [outdated, 1] as const, [long, 2_500] as const]) {
        const events = await store.readStream(stream);
        expect(events.map(({ version }) => version)).toEqual(Array.from({ length }, (_, index) => index));
        expect(events.map(({ position }) => position)).toEqual(
          events.map(({ position }) => position).sort((a, b) => store.comparePositions(a, b)),
        );
      }
    });

    it('answers many reads at once, each with the events of its stream', async () => {
      const lengths = [0, 1, 3, 250];
      const streams = lengths.map(() => `read-${randomUUID()}`);
      for (const [index, stream] of streams.entries()) {
        const events = Array.from({ length: lengths[index] ?? 0 }, (_, n) => newEvent({ n }));
        if (events.length > 0) await store.append(stream, NO_STREAM, events);
      }
      const wanted = Array.from({ length: 100 }, (_, n) => ({
        length: lengths[n % 4] ?? 0,
        stream: streams[n % 4] ?? '',
        fromVersion: n % 7,
        limit: [undefined, 2, 120, 1000][n % 5],
      }));
      const found = await Promise.all(
        wanted.map(({ stream, fromVersion, limit }) =>
          store.readStream(stream, limit === undefined ? { fromVersion } : { fromVersion, limit }),
        ),
      );
      expect(found.map((events) => events.map(({ stream, version }) => [stream, version]))).toEqual(
        wanted.map(({ length, stream, fromVersion, limit = 1000 }) =>
          Array.from({ length: Math.max(0, Math.min(length - fromVersion, limit)) }, (_, n) => [
            stream,
            fromVersion + n,
          ]),
        ),
      );
    });

    it('writes the other appends once when the database refuses one of a batch', async () => {
      const one = new PostgresEventStore(database.pool, { lanes: 1 });
      const streams = Array.from({ length: 40 }, () => `neighbour-${randomUUID()}`);
      const taken = newEvent();
      await one.append(`taken-${randomUUID()}`, NO_STREAM, [taken]);
      const answers = await Promise.allSettled(
        streams.map((stream, index) =>
          one.append(stream, NO_STREAM, index % 10 === 3 ? [newEvent(), taken] : [newEvent(), newEvent()]),
        ),
      );
      for (const [index, answer] of answers.entries()) {
        if (index % 10 === 3) expect(answer).toMatchObject({ reason: { name: 'DuplicateEventError' } });
        else expect(answer).toMatchObject({ value: { version: 1 } });
        expect(await one.readStream(streams[index] ?? '')).toHaveLength(index % 10 === 3 ? 0 : 2);
      }
      await one.close();
    });

    it('never deadlocks several instances on the same streams', async () => {
      const streams = Array.from({ length: 12 }, () => `circle-${randomUUID()}`);
      const stores = Array.from({ length: 3 }, () => new PostgresEventStore(database.pool, { lanes: 2 }));
      let won = 0;
      let lost = 0;
      for (let version = NO_STREAM; version < 8; version += 1) {
        const answers = await Promise.allSettled(
          stores.flatMap((each, index) =>
            (index % 2 ? [...streams].reverse() : streams).map((stream) => each.append(stream, version, [newEvent()])),
          ),
        );
        won += answers.filter(({ status }) => status === 'fulfilled').length;
        for (const answer of answers) {
          if (answer.status === 'fulfilled') continue;
          lost += 1;
          expect(answer.reason).toMatchObject({ name: 'WrongExpectedVersionError' });
        }
      }
      expect([won, lost]).toEqual([streams.length * 9, streams.length * 18]);
      for (const each of stores) await each.close();
    });
  });

  describe('duplicate event id', () => {
    it('refuses it in another stream and at another version, and writes nothing of the batch', async () => {
      const stream = `dup-${randomUUID()}`;
      const other = `dup-${randomUUID()}`;
      const event = newEvent();
      await store.append(stream, NO_STREAM, [event]);
      await expect(store.append(other, NO_STREAM, [newEvent(), event])).rejects.toBeInstanceOf(DuplicateEventError);
      await expect(store.append(stream, 0, [event])).rejects.toBeInstanceOf(DuplicateEventError);
      expect(await store.readStream(other)).toEqual([]);
      expect(await store.readStream(stream)).toHaveLength(1);
    });
  });

  describe('broken connection', () => {
    it('reports an unknown outcome in the middle of an append, and the retry writes once', async () => {
      const stream = `cut-${randomUUID()}`;
      const blocker = await database.pool.connect();
      await blocker.query('begin');
      await insertRaw(blocker, stream, 0);
      const batch = [newEvent()];
      const cut = store.append(stream, NO_STREAM, batch).catch((error: unknown) => error);
      await until(async () => {
        const { rowCount } = await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into event%'`,
        );
        return rowCount;
      }, 'the append that waits');
      expect(await cut).toBeInstanceOf(UnknownOutcomeError);
      await blocker.query('rollback');
      blocker.release();
      expect(await store.append(stream, NO_STREAM, batch)).toMatchObject({ version: 0 });
      expect(await store.readStream(stream)).toMatchObject([{ id: batch[0]?.id }]);
    });
  });

  describe('the time of the store', () => {
    const now = new Date('2026-03-10T09:00:00Z');
    const occurring = (seconds: number, type = 'Happened'): NewEvent => {
      const occurredAt = new Date(now.getTime() + seconds * 1000).toISOString();
      return { ...newEvent({}, type), metadata: { actorId: 'tester', occurredAt } };
    };
    let timed: PostgresEventStore;
    beforeAll(() => {
      timed = new PostgresEventStore(database.pool, { lanes: 1, now: () => now });
    });
    afterAll(() => timed.close());

    it('refuses events that occur more than a minute later, and stores the others of the same statement', async () => {
      const prefix = `timed-${randomUUID()}`;
      const appends = [occurring(60), occurring(61), occurring(-86_400)].map((event, index) =>
        timed.append(`${prefix}-${index}`, NO_STREAM, [event]),
      );
      const results = await Promise.allSettled(appends);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: { name: 'EventStoreUnavailableError' } });
      const [stored] = await timed.readStream(`${prefix}-0`);
      expect(stored?.recordedAt).toEqual(now);
      expect(await timed.readStream(`${prefix}-1`)).toEqual([]);
    });

    it('takes the clock of the server by default', async () => {
      const stream = `untimed-${randomUUID()}`;
      await expect(
        store.append(stream, NO_STREAM, [{ ...newEvent(), metadata: { occurredAt: '2999-01-01T00:00:00.000Z' } }]),
      ).rejects.toBeInstanceOf(EventStoreUnavailableError);
    });

    it('reads the events of some types in a period, from the index of purchases', async () => {
      // The first instant includes streams whose names sort before letters.
      const streamPrefix = `1-occurred-${randomUUID()}`;
      const types = ['CreditsPurchased', 'PurchaseReversed', 'PurchaseReinstated'];
      await timed.append(`${streamPrefix}-a`, NO_STREAM, [
        ...[occurring(-2, 'CreditsPurchased'), occurring(-1, 'CreditsPurchased'), occurring(-1, 'CreditsGranted')],
        ...[occurring(0, 'PurchaseReversed')],
      ]);
      await timed.append(`${streamPrefix}-b`, NO_STREAM, [occurring(-1, 'PurchaseReinstated')]);
      const period = { from: new Date(now.getTime() - 1000), to: now };
      const found: string[] = [];
      const recorder = recordStatements();
      for await (const page of timed.occurred({ types, ...period, streamPrefix })) {
        found.push(...page.map(({ stream, version }) => `${stream.at(-1)}${version}`));
      }
      recorder.stop();
      expect(found).toEqual(['a1', 'b0']);
      const [sent] = recorder.all.filter(({ text }) => text.includes('from event e'));
      const client = await database.pool.connect();
      await client.query('begin');
      // The table of the test is so small that a scan is cheaper than any index.
      await client.query('set local enable_seqscan = off');
      const { rows } = await client.query(`explain ${sent?.text}`, [...(sent?.values ?? [])]);
      await client.query('rollback');
      client.release();
      expect(JSON.stringify(rows)).toMatch(/Index Scan (using|on) event_purchase_time/);
    });
  });

  it('reports an unavailable store when the server cancels an append that waits too long', async () => {
    const stream = `slow-${randomUUID()}`;
    const blocker = await database.pool.connect();
    await blocker.query('begin');
    await insertRaw(blocker, stream, 0);
    const pool = createPool(database.url, { statementTimeoutMs: 1_000 });
    const impatient = new PostgresEventStore(pool);
    await expect(impatient.append(stream, NO_STREAM, [newEvent()])).rejects.toMatchObject({
      name: 'EventStoreUnavailableError',
      cause: { code: '57014' },
    });
    await blocker.query('rollback');
    blocker.release();
    expect(await store.readStream(stream)).toEqual([]);
    await impatient.close();
    await pool.end();
  });
});
