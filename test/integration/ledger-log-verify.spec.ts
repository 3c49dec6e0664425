import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type LedgerProblem } from '../../src/audit/index.js';
import { logSize } from '../../src/audit/log/log-store.js';
import { CHECKPOINT_FILE, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { logAllEvents } from '../support/log-all-events.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(120_000);

const STREAM = 'creditAccount-mallory';
const MINUTE_MS = 60_000;
const key = generateKeyPairSync('ed25519').privateKey;
const keys = [createPublicKey(key)];

let ledger: LedgerApp;
let folder: string;

beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  await ledger.clear();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-log-'));
  for (const user of ['alice', 'mallory']) await ledger.eventfulAccount(user);
  await publish();
  // Grants only, with a checkpoint for each: enough leaves for a full tile.
  for (let n = 0; n < 2; n += 1) {
    await ledger.gift('alice', 5);
    await publish();
  }
  ledger.clock.advance(11 * MINUTE_MS);
  await ledger.gift('alice', 5);
  await publish();
  await ledger.project();
  expect(await verify()).toEqual([]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const publish = async (): Promise<void> => {
  const { pool } = ledger.database;
  await logAllEvents({ pool, eventStore: ledger.eventStore });
  const file = join(folder, CHECKPOINT_FILE);
  const now = (): Date => ledger.clock.now();
  await signCheckpoint({ pool, origin: 'localhost:3000/ledger', key, accepted: keys, file, now });
};
const verify = (): Promise<LedgerProblem[]> => ledger.verify(undefined, { keys });
const ofLog = (problems: readonly LedgerProblem[]): string[] =>
  problems
    .filter(({ kind }) => kind === 'log')
    .map(({ stream, version, what: sentence }) => `${stream}@${version}: ${sentence}`);
const query = async (...statements: string[]): Promise<void> => {
  const owner = asOwner(ledger.database);
  for (const statement of statements) await owner.query(statement);
};
/** Index of the leaf of an event. */
const leafOf = async (stream: string, version: number): Promise<number> => {
  const { rows } = await ledger.database.pool.query<{ index: number }>(
    'select index from log_leaf where stream = $1 and version = $2',
    [stream, version],
  );
  return rows[0]?.index ?? NaN;
};
describe('ledger verify and the public log', () => {
  it('counts leaves and checkpoints, also when the newest events are not logged yet', async () => {
    await ledger.gift('mallory', 5);
    const { pool } = ledger.database;
    const { problems, summary } = await verifiedLedger({ ...ledger, pool }, () => ledger.clock.now(), { keys });
    expect(problems).toEqual([]);
    const leaves = await logSize(pool);
    expect(summary).toMatchObject({ events: leaves + 1, log: { leaves, checkpoints: 4 }, rows: { log_leaf: leaves } });
  });

  it('accepts events that were written and logged while it ran', async () => {
    const { eventStore } = ledger;
    const scanStreams = eventStore.scanStreams.bind(eventStore);
    const spy = jest.spyOn(eventStore, 'scanStreams').mockImplementation(async (...args) => {
      const page = await scanStreams(...args);
      await ledger.gift('mallory', 5);
      await publish();
      return page;
    });
    expect(ofLog(await verify())).toEqual([]);
    spy.mockRestore();
  });

  it('says nothing about a ledger that was never logged', async () => {
    await query('truncate log_leaf, log_node, log_checkpoint');
    expect(await verify()).toEqual([]);
  });

  it('names a leaf that was dropped', async () => {
    const index = await leafOf(STREAM, 2);
    await query(`delete from log_leaf where index = ${index}`);
    const found = ofLog(await verify());
    expect(found).toContain(`${STREAM}@2: The event has no leaf in the public log, but a later one of its stream has.`);
    expect(found).toContain(`log@null: Leaf ${index} of the log is missing: leaf ${index + 1} follows.`);
  });

  it('names events whose leaves were dropped from the end, and the checkpoints that cover them', async () => {
    const size = await logSize(ledger.database.pool);
    await query(`delete from log_leaf where index >= ${size - 3}`);
    const found = ofLog(await verify());
    expect(found).toContainEqual(expect.stringMatching(/^creditAccount-alice@\d+: The event has no leaf/));
    expect(found).toContain(
      `log@null: The log has ${size - 3} leaves, but checkpoint 4 covers ${size}: leaves are lost.`,
    );
  });

  it('names leaves that have changed their hashes, their ids and their streams', async () => {
    await query(
      `update log_leaf set hash = sha256('x') where stream = '${STREAM}' and version = 1`,
      `update log_leaf set event_id = gen_random_uuid() where stream = '${STREAM}' and version = 3`,
      `update log_leaf set stream = 'creditAccount-nobody' where stream = '${STREAM}' and version = 4`,
      `update log_leaf set stream = 'other' where stream = '${STREAM}' and version = 5`,
    );
    const found = ofLog(await verify());
    for (const [start, words] of [
      [`${STREAM}@1`, 'has another hash than the event'],
      [`${STREAM}@3`, 'of the public log is for the event'],
      [`${STREAM}@4`, 'The event has no leaf'],
      [`${STREAM}@5`, 'The event has no leaf'],
      ['creditAccount-nobody@4', 'is for this event, which does not exist'],
      ['other@null', 'which does not belong to the ledger'],
      ['log@null', 'have another root than checkpoint 1'],
    ]) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${start}: .*${words}`)));
    }
  });

  it.each<[string, string, RegExp]>([
    [
      'was replaced by an earlier one',
      `update log_checkpoint c set note = e.note, size = e.size, root = e.root from log_checkpoint e where c.number = 3 and e.number = 1`,
      /^Checkpoint 3 covers less than an earlier one/,
    ],
    [
      'has another root',
      `update log_checkpoint set root = sha256('x') where number = 2`,
      /^Checkpoint 2 states another size or root/,
    ],
  ])('names a checkpoint that %s', async (_case, change, words) => {
    await query(change);
    expect((await verify()).map((problem) => problem.what)).toContainEqual(expect.stringMatching(words));
  });

  it('names a node that was changed or dropped', async () => {
    for (let n = 0; n < 260; n += 1) await ledger.gift('alice', 1);
    await publish();
    expect(ofLog(await verify())).toEqual([]);
    await query(`update log_node set hash = sha256('x')`);
    expect(ofLog(await verify())).toEqual([
      'log@null: Node 0 of level 1 of the log has another hash than its leaves give.',
    ]);
    await query('truncate log_node');
    expect(ofLog(await verify())).toEqual(['log@null: Node 0 of level 1 is missing: the log cannot serve this tile.']);
  });

  it('names a node whose hashes of groups were changed, dropped or put in another order', async () => {
    for (let n = 0; n < 260; n += 1) await ledger.gift('alice', 1);
    await publish();
    for (const groups of [
      `overlay(groups placing sha256('x') from 481)`,
      `''`,
      `substr(groups, 33) || substr(groups, 1, 32)`,
    ]) {
      const { rows } = await asOwner(ledger.database).query<{ groups: Buffer }>('select groups from log_node');
      await query(`update log_node set groups = ${groups}`);
      expect(ofLog(await verify())).toEqual([
        'log@null: Node 0 of level 1 of the log has other hashes of groups than its leaves give.',
      ]);
      await asOwner(ledger.database).query('update log_node set groups = $1', [rows[0]?.groups]);
    }
    expect(ofLog(await verify())).toEqual([]);
  });
});
