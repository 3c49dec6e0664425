import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { exportLedger, makeSeal, type LedgerProblem } from '../../src/audit/index.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { type RunResult } from '../../src/audit/runs/run-threads.js';
import { RunThreads } from '../../src/audit/runs/run-threads.js';
import { findEvents, mentionsOf } from '../../src/audit/search/find-events.js';
import { ExportPages } from '../../src/audit/export/export-pages.js';
import { addressOf } from '../../src/platform/database/pool.js';
import { connectToEventStoreDb } from '../../src/platform/event-store/eventstoredb-client.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/event-store/eventstoredb-event-store.js';
import { Locks } from '../../src/platform/locks.js';
import { asOwner } from '../support/database.js';
import { EventStoreDbCluster } from '../support/eventstoredb-cluster.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { type LedgerApp, startLedger } from '../support/ledger-app.js';
import { RUN_THREAD } from '../support/compiled-threads.js';

const streamOf = (user: string): string => `creditAccount-${user}`;

/** Another program with the server's password changes the ledger. */
describe('ledger on EventStoreDB', () => {
  let server: EventStoreDbServer;
  let ledger: LedgerApp;
  let intruder: EventStoreDBClient;
  let folder: string;
  const key = generateKeyPairSync('ed25519').privateKey;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-deleted-'));
    server = await EventStoreDbServer.start();
    ledger = await startLedger(new EventStoreDbEventStore(server.url));
    server.log.now = () => ledger.clock.now().getTime();
    intruder = connectToEventStoreDb(server.url);
    for (const user of ['alice', 'bob', 'carol', 'dora', 'emil', 'zoe']) await ledger.eventfulAccount(user);
  });

  afterAll(async () => {
    await intruder.dispose();
    await ledger.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function problemsOf(user: string): Promise<LedgerProblem[]> {
    return (await ledger.verify()).filter(({ stream }) => stream === streamOf(user));
  }

  async function balanceOf(user: string): Promise<number> {
    const { rows } = await ledger.database.pool.query<{ total: number }>(
      'select (daily + bonus + paid)::int as total from credit_balance where user_id = $1',
      [user],
    );
    return rows[0]?.total ?? NaN;
  }

  it('has no problem at first', async () => {
    expect(await ledger.verify()).toEqual([]);
  });

  it('verifies each new event once', async () => {
    const sources = { pool: ledger.database.pool, eventStore: ledger.eventStore };
    const options = { now: () => ledger.clock.now(), maxEvents: 1000 };
    expect(await verifyNewEvents(sources, options)).toMatchObject({ accounts: 6, startedAgain: false, problems: 0 });
    await ledger.gift('alice', 5);
    await ledger.project();
    const next = { events: 1, accounts: 1, verifiedCompletely: 0, startedAgain: false, problems: 0 };
    expect(await verifyNewEvents(sources, options)).toEqual(next);
  });

  it('logs every event in the public log, continues where it ended, and verifies leaves and events one to one', async () => {
    const { pool } = ledger.database;
    const sources = { pool, eventStore: ledger.eventStore };
    const keys = [createPublicKey(key)];
    const publish = async (): Promise<number> => {
      const { added } = await sequenceEvents(sources);
      const now = (): Date => ledger.clock.now();
      const file = join(folder, 'checkpoint');
      await signCheckpoint({ pool, origin: 'localhost:3000/ledger', key, accepted: keys, file, now });
      return added;
    };
    const stored = await ledger.eventStore.readAll({ after: null, limit: 10_000 });
    const ofLedger = stored.filter(({ stream }) => stream.startsWith('creditAccount-'));
    expect(await publish()).toBe(ofLedger.length);
    await intruder.appendToStream('other-program', jsonEvent({ type: 'Other', data: {} }), {
      expectedRevision: NO_STREAM,
    });
    await ledger.gift('alice', 5);
    expect(await publish()).toBe(1);
    expect(await publish()).toBe(0);
    await ledger.project();
    const kept = { note: readFileSync(join(folder, 'checkpoint'), 'utf8'), location: 'the copy' };
    expect(await ledger.verify(undefined, { keys, keptCheckpoints: [kept] })).toEqual([]);
    const owner = asOwner(ledger.database);
    await owner.query(`update log_leaf set hash = sha256('x') where stream = '${streamOf('alice')}' and version = 1`);
    expect(await ledger.verify(undefined, { keys })).toContainEqual(
      expect.objectContaining({ stream: streamOf('alice'), version: 1, kind: 'log' }),
    );
    await owner.query('truncate log_leaf, log_node, log_checkpoint');
  });

  it('verifies in a thread of its own, as a run that an auditor requests, and names a changed row', async () => {
    const { pool } = ledger.database;
    const address = { databaseUrl: addressOf(pool), readOnly: true, eventStoreUrl: server.url, images: null };
    const clockOffsetMs = ledger.clock.now().getTime() - Date.now();
    const start = { address, clockOffsetMs, keys: [], sealFile: null, checkpoints: [] };
    const run = (): Promise<RunResult> => new RunThreads(RUN_THREAD).start(start, () => undefined).result;
    const accounts = 6;
    expect(await run()).toMatchObject({ problems: 0, result: { compared: { accounts }, first: [] } });
    await pool.query(`update credit_balance set bonus = bonus + 1 where user_id = 'alice'`);
    const changed = await run();
    await pool.query(`update credit_balance set bonus = bonus - 1 where user_id = 'alice'`);
    expect(changed.result.first).toEqual([
      expect.objectContaining({ stream: streamOf('alice'), kind: 'projection' }),
      // The sum of the rows, which Postgres makes
      expect.objectContaining({ stream: '*', what: expect.stringContaining('credits_held') }),
    ]);
  });

  it('searches only the account of a generation over HTTP, and all events on the command line', async () => {
    const { pool } = ledger.database;
    const sources = { pool, eventStore: ledger.eventStore };
    const { rows } = await pool.query<{ id: string }>(
      `select id from generation where user_id = 'alice' and status = 'completed'`,
    );
    const id = rows[0]?.id ?? '';
    const types = ['CreditsDeducted', 'DeductionSettled'];
    const found = await findEvents(sources, id, { after: null, limit: 1 });
    expect(found).toMatchObject({ complete: false, events: [{ type: types[0], stream: streamOf('alice') }] });
    const rest = await findEvents(sources, id, { after: found.next, limit: 1 });
    expect(rest).toMatchObject({ complete: false, next: null, events: [{ type: types[1] }] });
    const [event] = found.events;
    expect(await findEvents(sources, event?.id ?? '', { after: null, limit: 9 })).toMatchObject({ events: [] });
    const seen: StoredEvent[] = [];
    for await (const { events } of mentionsOf(sources, event?.id ?? '')) seen.push(...events);
    expect(seen).toEqual([event]);
  });

  it('refuses an event that is more than a minute ahead of the server', async () => {
    const before = (await ledger.eventStore.readStream(streamOf('alice'))).length;
    const now = ledger.clock.now();
    server.log.now = () => now.getTime();
    ledger.clock.advance(40 * 86_400_000);
    await expect(ledger.gift('alice', 5)).rejects.toThrow('The event store does not answer.');
    ledger.clock.set(now);
    await ledger.gift('alice', 5);
    server.log.now = () => ledger.clock.now().getTime();
    expect(await ledger.eventStore.readStream(streamOf('alice'))).toHaveLength(before + 1);
    await ledger.project();
  });

  describe('hard delete', () => {
    const gone = { stream: streamOf('bob'), version: null, kind: 'version' };

    beforeAll(() => intruder.tombstoneStream(streamOf('bob')));

    it('refuses the commands of this account only, and projects the others', async () => {
      await expect(ledger.gift('bob', 5)).rejects.toMatchObject({ name: 'AccountDeletedError', kind: 'gone' });
      await expect(ledger.daily('bob')).rejects.toMatchObject({ name: 'AccountDeletedError', kind: 'gone' });
      const before = await balanceOf('alice');
      await ledger.gift('alice', 5);
      await ledger.project();
      expect(await balanceOf('alice')).toBe(before + 5);
    });

    it('verifies the other accounts and reports this one, before and after a scavenge', async () => {
      const sentence = 'The stream was deleted in the event store: all its events are missing.';
      expect((await problemsOf('bob')).filter(({ kind }) => kind === 'version')).toEqual([{ ...gone, what: sentence }]);
      expect(await problemsOf('alice')).toEqual([]);
      server.log.scavenge();
      expect((await problemsOf('bob')).filter(({ kind }) => kind === 'version')).toEqual([{ ...gone, what: sentence }]);
      expect(await problemsOf('zoe')).toEqual([]);
    });

    it('seals the other accounts and reports this one', async () => {
      const { pool } = ledger.database;
      const now = (): Date => ledger.clock.now();
      const { manifest, missing } = await makeSeal({ pool, eventStore: ledger.eventStore, key, now, folder });
      expect(missing).toEqual([streamOf('bob')]);
      expect(manifest.streams).toBe(5);
    });

    it('exports the other accounts and reports this one', async () => {
      const file = join(folder, 'ledger.ndjson');
      const problems: LedgerProblem[] = [];
      const now = (): Date => ledger.clock.now();
      const onProblem = (problem: LedgerProblem): void => void problems.push(problem);
      const manifest = await exportLedger({ eventStore: ledger.eventStore }, file, { key, now, onProblem });
      const sentence = 'The stream is not in the export: all its events were deleted in the event store.';
      expect(problems).toEqual([{ ...gone, what: sentence }]);
      expect(manifest.streams).toBe(5);
      expect(readFileSync(file, 'utf8')).not.toContain(streamOf('bob'));
    });

    it('names the account once in an export of pages', async () => {
      const pages = new ExportPages(ledger.eventStore, ledger.clock, {
        initial: key,
        current: () => Promise.resolve(key),
      });
      const missing: string[] = [];
      let cursor: string | null = null;
      for (let count = 0; count < 50; count += 1) {
        const page = await pages.page(cursor, 7);
        missing.push(...page.missing);
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(cursor).toBeNull();
      expect(missing).toEqual([streamOf('bob')]);
    });
  });

  it('records each share of a creator once, also after a lost position and with several workers at once', async () => {
    const own = { creatorId: 'creator_9', ownGeneration: false };
    const idsOf = async (): Promise<string[]> =>
      (await ledger.eventStore.readStream('creatorEarnings-creator_9')).map(({ id }) => id);
    await ledger.purchase('paula', 'cs_paula', 90);
    await ledger.generation('paula', 'delivered', 45, own);
    await ledger.project();
    const [first] = await idsOf();
    await asOwner(ledger.database).query('delete from earning_position; delete from earning_head');
    await ledger.generation('paula', 'delivered', 5, own);
    await ledger.project();
    const unlocked = Object.assign(new Locks(ledger.database.pool), {
      withLock: <T>(_name: string, run: () => Promise<T>): Promise<T> => run(),
    });
    await Promise.all([1, 2, 3].map(() => ledger.earningPoster(undefined, unlocked).runOnce()));
    await ledger.project();
    expect(await idsOf()).toEqual([first, expect.any(String)]);
    const later = new Date(ledger.clock.now().getTime() + 3_600_000);
    expect((await ledger.verify(later)).filter(({ kind }) => kind === 'earning')).toEqual([]);
  });

  it('names an account whose stream was deleted softly', async () => {
    await intruder.deleteStream(streamOf('carol'));
    expect(await problemsOf('carol')).toContainEqual(
      expect.objectContaining({ kind: 'version', what: expect.stringContaining('all its events are missing') }),
    );
  });

  it.each([
    ['dora', '$maxCount', { maxCount: 2 }],
    ['emil', '$tb', { truncateBefore: 3 }],
  ])('names the account %s whose first events are hidden by %s', async (user, _name, metadata) => {
    await intruder.setStreamMetadata(streamOf(user), metadata, { expectedRevision: NO_STREAM });
    expect(await problemsOf(user)).toContainEqual(expect.objectContaining({ kind: 'version' }));
    expect(await problemsOf('zoe')).toEqual([]);
  });

  it('names a forged event', async () => {
    const stream = streamOf('zoe');
    const last = (await ledger.eventStore.readStream(stream)).at(-1);
    const forged = jsonEvent({
      type: 'CreditsGranted',
      data: { ...last?.data, lotId: 'forged', kind: 'bonus', amount: 1_000, unitPriceCents: 0, expiresAt: null },
      metadata: { ...last?.metadata },
    });
    await intruder.appendToStream(stream, forged, { expectedRevision: BigInt(last?.version ?? 0) });
    expect(await problemsOf('zoe')).toContainEqual(
      expect.objectContaining({ kind: 'chain', version: (last?.version ?? 0) + 1 }),
    );
  });
});

describe('ledger on a cluster of EventStoreDB', () => {
  let cluster: EventStoreDbCluster;
  let ledger: LedgerApp;

  beforeAll(async () => {
    cluster = await EventStoreDbCluster.start();
    const url = `esdb://${cluster.hosts}?tls=false&discoveryInterval=5&maxDiscoverAttempts=2`;
    ledger = await startLedger(new EventStoreDbEventStore(url, { pauseMs: 5 }));
    cluster.log.now = () => ledger.clock.now().getTime();
  });

  afterAll(async () => {
    await ledger.close();
    await cluster.stop();
  });

  it('executes commands and projects their events during elections', async () => {
    await ledger.gift('alice', 5);
    for (const election of [
      { stale: 3, notReady: 4, leaderless: 8 },
      { stale: 2, notReady: 8, leaderless: 0 },
    ]) {
      await cluster.killLeader(election);
      // The first user is in memory, so only the append meets the election. The others are read first.
      await Promise.all(['alice', 'bob', 'carol'].map((user) => ledger.gift(user, 7)));
      await ledger.project();
    }
    expect(await ledger.verify()).toEqual([]);
    const { rows } = await ledger.database.pool.query('select user_id, bonus from credit_balance order by user_id');
    expect(rows).toEqual([
      { user_id: 'alice', bonus: 19 },
      { user_id: 'bob', bonus: 14 },
      { user_id: 'carol', bonus: 14 },
    ]);
  });
});
