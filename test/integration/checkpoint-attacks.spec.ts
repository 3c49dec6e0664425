import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportLedger, publicPem, type LedgerProblem } from '../../src/audit/index.js';
import { signedCheckpoint } from '../../src/audit/log/checkpoint.js';
import { InclusionProofs } from '../../src/audit/log/inclusion-proofs.js';
import { leafWithCheckpoint, readTiles } from '../../src/audit/log/log-store.js';
import { provenStatement } from '../../src/audit/log/proven-statement.js';
import { CHECKPOINT_FILE, rootAt, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { checkPayout, draftPayout, fixPayout, payPayout } from '../../src/finance/payouts/decide.js';
import { payoutStream } from '../../src/finance/payouts/events.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { type PayoutState } from '../../src/finance/payouts/state.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { canonicalJson, eventHash } from '../../src/platform/event-store/hash-chain.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { rewriteStream } from '../support/forged-events.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { logAllEvents } from '../support/log-all-events.js';
import { copyLog } from '../support/log-copy.js';
import { adoptPolicy } from '../support/policy.js';
import { judgeExport, judgeStatement, runVerifier, type Judgement } from '../support/verifier.js';

/*
 * The claim: a person who has the database, but neither the signing key nor all copies of the checkpoints, cannot
 * change, drop, add or reorder anything that a checkpoint covers without both verifiers naming it. A person who has the
 * key too is found by anyone who has kept a checkpoint. The last group shows what no checkpoint covers.
 */

jest.setTimeout(120_000);

const ORIGIN = 'localhost:3000/ledger';
const CREATOR = '5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10';
const MALLORY = 'creditAccount-mallory';
const PAYOUTS = payoutStream(CREATOR);
const STREAMS = [MALLORY, PAYOUTS, 'policy'] as const;
const TABLES = ['event', 'log_leaf', 'log_node', 'log_checkpoint'] as const;
const { privateKey: key } = generateKeyPairSync('ed25519');
const { privateKey: otherKey } = generateKeyPairSync('ed25519');
const keys = [createPublicKey(key)];

let ledger: LedgerApp;
let folder: string;
/** The events of each attacked stream. The older checkpoint covers all of them. */
const sound = new Map<string, readonly StoredEvent[]>();
/** Index of each leaf, by stream and version. */
const leaves = new Map<string, number>();
/** The checkpoints that a third party has kept. Events of alice lie between them. */
let older: Awaited<ReturnType<typeof copyLog>>;
let newest: Awaited<ReturnType<typeof copyLog>>;

const at = (name: string): string => join(folder, name);
const now = (): Date => ledger.clock.now();
const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};
const leaf = (stream: string, version: number): number => leaves.get(`${stream} ${version}`) ?? NaN;
const eventsOf = (stream: string): readonly StoredEvent[] => sound.get(stream) ?? [];
const lastOf = (stream: string): number => eventsOf(stream).length - 1;

beforeAll(async () => {
  ledger = await startLedger();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-attacks-'));
  writeFileSync(at('key.pem'), publicPem(createPublicKey(key)));
  await adoptPolicy(ledger.eventStore, ledger.clock);
  await ledger.purchase('mallory', 'cs_1', 2400);
  await ledger.creditedCheckout('mallory', 'cs_1', 2400);
  // The bonus credits, which earn nothing
  await ledger.generation('mallory', 'delivered', 30);
  await ledger.generation('mallory', 'delivered', 2400, { creatorId: CREATOR, ownGeneration: false });
  await ledger.gift('mallory', 25);
  // Shares are payable after 30 days.
  ledger.clock.set(new Date('2026-04-20T09:00:00Z'));
  await ledger.project();
  await payCreator();
  older = await publish('older');
  ledger.clock.advance(3_600_000);
  for (const amount of [5, 6, 7]) await ledger.gift('alice', amount);
  ledger.clock.advance(3_600_000);
  await ledger.project();
  newest = await publish('newest');
  for (const stream of STREAMS) sound.set(stream, await ledger.eventStore.readStream(stream));
  const { rows } = await asOwner(ledger.database).query<{ stream: string; version: number; index: number }>(
    'select stream, version, index from log_leaf',
  );
  for (const { stream, version, index } of rows) leaves.set(`${stream} ${version}`, index);
  for (const table of TABLES) await query(`create table copy_of_${table} as table ${table}`);
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const copies = TABLES.map((table) => `insert into ${table} overriding system value select * from copy_of_${table}`);
  await asOwner(ledger.database).query([`truncate ${TABLES.join(', ')}`, ...copies].join('; '));
});

/** Pays a creator all that is payable. */
async function payCreator(): Promise<void> {
  const store = new PayoutStore(ledger.eventStore, ledger.clock, new UuidGenerator());
  const draft = {
    payoutId: 'p1',
    runId: 'run',
    cutoff: new Date('2026-04-20T00:00:00Z'),
    payableCents: 12_000,
    minimumCents: 2_500,
    draftedBy: 'finance_1',
    details: { changedAt: new Date(0), usableFrom: null },
  };
  const transfer = { amountCents: 12_000, reference: 'SEPA-1', paidOn: '2026-04-21', recordedBy: 'admin_1' };
  const steps: readonly (readonly [actorId: string, step: Parameters<PayoutStore['execute']>[2]])[] = [
    ['finance_1', (state: PayoutState, time: Date) => draftPayout(state, draft, time).events],
    ['finance_1', (state: PayoutState) => fixPayout(state, 'p1', 12_000)],
    ['admin_1', (state: PayoutState) => checkPayout(state, 'p1', 'admin_1')],
    ['admin_1', (state: PayoutState) => payPayout(state, { payoutId: 'p1', ...transfer })],
  ];
  for (const [index, [actorId, step]] of steps.entries()) {
    await store.execute(CREATOR, { actorId, causationId: `step ${index}`, correlationId: 'run' }, step);
  }
}

/** Signs a checkpoint over all events, and keeps a copy of the log. */
async function publish(name: string, signer = key): Promise<typeof older> {
  const { pool } = ledger.database;
  await logAllEvents({ pool, eventStore: ledger.eventStore });
  const file = at(`${name}-${CHECKPOINT_FILE}`);
  await signCheckpoint({ pool, origin: ORIGIN, key: signer, accepted: keys, file, now });
  return copyLog(pool, at(name));
}

/** Problems that `ledger verify` finds. @param kept checkpoints that a third party has kept */
const verify = (...kept: string[]): Promise<LedgerProblem[]> =>
  ledger.verify(undefined, { keys, keptCheckpoints: kept.map((note) => ({ note, location: 'the copy' })) });
const ofLog = (problems: readonly LedgerProblem[]): string[] =>
  problems.filter(({ kind }) => kind === 'log').map((problem) => problem.what);

interface Copy {
  /** A third party's checkpoints, which the log must continue. */
  readonly kept?: readonly string[];
  readonly allowNewer?: boolean;
}
/** The judgement of the independent verifier on a new export and this copy of the log. */
async function verifyFrom(log: string, copy: Copy = {}): Promise<Judgement> {
  rmSync(at('export.ndjson'), { force: true });
  await exportLedger({ eventStore: ledger.eventStore }, at('export.ndjson'), { key, now, onProblem: () => undefined });
  return judgeExport(at('export.ndjson'), { key: publicPem(createPublicKey(key)), log: at(log), ...copy });
}
/** The same, with the log that the attacked site serves. */
async function verifySite(copy: Copy = {}): Promise<Judgement> {
  await copyLog(ledger.database.pool, at('site'));
  return verifyFrom('site', copy);
}
/** Its judgement on a forged file and the newest copy of the log. */
const judgeForged = (): Promise<Judgement> =>
  judgeExport(at('forged.ndjson'), { key: publicPem(createPublicKey(key)), log: at('newest') });
const SOUND: Judgement = { code: 0, err: '' };
/** A refusal that names this; null: the copy has nothing to refuse. */
const refusal = (named: string | RegExp | null): object =>
  named === null ? SOUND : { code: expect.any(Number), err: expect.stringMatching(named) };

/** Recomputes the hashes of a stream. */
const rechain = (stream: string): Promise<void> => rewriteStream(ledger.eventStore, ledger.database, stream);
/** Makes the log from the events again. */
async function relog(): Promise<void> {
  await query('truncate log_leaf, log_node');
  await logAllEvents({ pool: ledger.database.pool, eventStore: ledger.eventStore });
}
/** Moves the events of a stream from a version on, by one. */
async function move(stream: string, from: number, by: 1 | -1): Promise<void> {
  const versions = eventsOf(stream).flatMap(({ version }) => (version >= from ? [version] : []));
  for (const version of by < 0 ? versions : versions.reverse()) {
    await query('update event set version = $3 where stream = $1 and version = $2', stream, version, version + by);
  }
}
const change = (stream: string): Promise<void> =>
  query(
    `update event set data = data || '{"reason":"Other","amountCents":99000}' where stream = $1 and version = 1`,
    stream,
  );
const drop = (stream: string, version: number): Promise<void> =>
  query('delete from event where stream = $1 and version = $2', stream, version);
const swap = async (stream: string): Promise<void> => {
  for (const [from, to] of [
    [1, 900],
    [2, 1],
    [900, 2],
  ]) {
    await query('update event set version = $3 where stream = $1 and version = $2', stream, from, to);
  }
};
const swapLeaves = async (one: number, other: number): Promise<void> => {
  for (const [from, to] of [
    [one, 900],
    [other, one],
    [900, other],
  ]) {
    await query('update log_leaf set index = $2 where index = $1', from, to);
  }
};
/** Inserts a copy of an event with another id: at another place, with its old times and an old position. */
async function insertCopy(original: StoredEvent, stream: string, version: number): Promise<void> {
  const id = v7();
  const data = { ...original.data, ...('lotId' in original.data ? { lotId: `grant:${id}` } : {}) };
  await query(
    `insert into event (stream, version, event_id, type, data, metadata, recorded_at, xid, position)
     overriding system value select $3, $4, $5, type, $6, $7, recorded_at, '3'::xid8, position from event where stream = $1 and version = $2`,
    ...[original.stream, original.version, stream, version, id, data, { ...original.metadata, eventId: id }],
  );
}

interface Named {
  /** The problem that `ledger verify` must report. */
  readonly verify: Pick<LedgerProblem, 'stream' | 'version' | 'kind'>;
  /** The words of the independent verifier, with the log of the attacked site. */
  readonly site: RegExp;
  /** The same with the older copy of a third party, which covers all events that exist in `sound`. */
  readonly older: RegExp | null;
}
type Attack = readonly [what: string, attack: (stream: string) => Promise<unknown>, named: (stream: string) => Named];

const missing = (stream: string, version: number): RegExp =>
  new RegExp(`\\d events of the log are missing: ${leaf(stream, version)}[,.]`);
const wrongHash = (stream: string, version: number): RegExp =>
  new RegExp(`^${stream} @ ${version}: The hash is not`, 'm');
const uncovered = (stream: string, version: number): RegExp =>
  new RegExp(`^The checkpoint does not cover \\d+ events: ${stream} @ ${version}[,.]`, 'm');
/** Leaves that are not those of a signed root: no one can say which one differs, only among how many. */
const otherLeaves = (size: number): RegExp => new RegExp(`^Leaves 0 to ${size - 1} are not those of a signed`, 'm');
const WHOLE_LOG = { stream: 'log', version: null, kind: 'log' } as const;

/** The event is another one than its leaf says. */
const lost = (stream: string, version: number): Named => ({
  verify: { stream, version, kind: 'log' },
  site: missing(stream, version),
  older: missing(stream, version),
});

const ATTACKS: readonly Attack[] = [
  [
    'an event that was changed',
    change,
    (stream) => ({
      verify: { stream, version: 1, kind: 'chain' },
      site: wrongHash(stream, 1),
      older: wrongHash(stream, 1),
    }),
  ],
  [
    'an event that was changed with all later hashes',
    async (stream) => {
      await change(stream);
      await rechain(stream);
    },
    (stream) => ({ ...lost(stream, 1), site: uncovered(stream, 1) }),
  ],
  [
    'an event that was changed with all later hashes and with the leaves',
    async (stream) => {
      await change(stream);
      await rechain(stream);
      await relog();
    },
    (stream) => ({ ...lost(stream, 1), verify: WHOLE_LOG, site: otherLeaves(newest.size) }),
  ],
  ['a last event that was dropped', (stream) => drop(stream, lastOf(stream)), (stream) => lost(stream, lastOf(stream))],
  [
    'a last event that was dropped with its leaf',
    async (stream) => {
      await drop(stream, lastOf(stream));
      await query('delete from log_leaf where index = $1', leaf(stream, lastOf(stream)));
    },
    (stream) => ({
      verify: WHOLE_LOG,
      site: new RegExp(`^The log has no ${newest.size} leaves from 0 on`),
      older: missing(stream, lastOf(stream)),
    }),
  ],
  [
    'an event in the middle that was dropped',
    (stream) => drop(stream, 1),
    (stream) => ({ ...lost(stream, 1), site: new RegExp(`^${stream} @ 0: Event 1 is missing`, 'm') }),
  ],
  [
    'an event in the middle that was dropped, with later versions and hashes that close the gap',
    async (stream) => {
      await drop(stream, 1);
      await move(stream, 2, -1);
      await rechain(stream);
    },
    (stream) => lost(stream, 1),
  ],
  [
    'a first event that was dropped, with later versions and hashes that close the gap',
    async (stream) => {
      await drop(stream, 0);
      await move(stream, 1, -1);
      await rechain(stream);
    },
    (stream) => lost(stream, 0),
  ],
  [
    'a stream that was dropped',
    (stream) => query('delete from event where stream = $1', stream),
    (stream) => lost(stream, 0),
  ],
  [
    'an event that was added at the end and dated in the past',
    async (stream) => {
      const last = eventsOf(stream).at(-1) as StoredEvent;
      await insertCopy(last, stream, last.version + 1);
      await rechain(stream);
      // The sequencer has passed its position.
      await logAllEvents({ pool: ledger.database.pool, eventStore: ledger.eventStore });
    },
    (stream) => ({
      verify: { stream, version: lastOf(stream) + 1, kind: 'log' },
      site: uncovered(stream, lastOf(stream) + 1),
      // A payout is not paid twice.
      older: stream === PAYOUTS ? /PayoutPaid cannot follow PayoutPaid/ : null,
    }),
  ],
  [
    'an event that was added in the middle and dated in the past',
    async (stream) => {
      await move(stream, 1, 1);
      await insertCopy(eventsOf(stream)[0] as StoredEvent, stream, 1);
      await rechain(stream);
    },
    (stream) => ({ ...lost(stream, 1), site: uncovered(stream, 1) }),
  ],
  [
    'two events that were swapped',
    swap,
    (stream) => ({ ...lost(stream, 1), site: wrongHash(stream, 1), older: wrongHash(stream, 1) }),
  ],
  [
    'two events that were swapped with all later hashes',
    async (stream) => {
      await swap(stream);
      await rechain(stream);
    },
    (stream) => lost(stream, 1),
  ],
  [
    'two leaves that were swapped',
    (stream) => swapLeaves(leaf(stream, 1), leaf(stream, 2)),
    // The copy and the events are as they were.
    (stream) => ({ verify: { stream, version: 2, kind: 'log' }, site: otherLeaves(newest.size), older: null }),
  ],
  [
    'a leaf with another hash',
    (stream) => query(`update log_leaf set hash = sha256('x') where index = $1`, leaf(stream, 1)),
    (stream) => ({ verify: { stream, version: 1, kind: 'log' }, site: otherLeaves(newest.size), older: null }),
  ],
];

describe('attacks with the database, but without the key', () => {
  it('finds nothing in a sound ledger', async () => {
    expect(await verify(older.note, newest.note)).toEqual([]);
    expect(await verifySite({ kept: [older.note, newest.note] })).toEqual(SOUND);
    expect(await verifyFrom('older', { allowNewer: true })).toEqual(SOUND);
  });

  it('the program ends with the exit code of its judgement', async () => {
    const run = (log: string, ...words: string[]): ReturnType<typeof runVerifier> =>
      runVerifier('export', at('export.ndjson'), '--key', at('key.pem'), '--log', at(log), ...words);
    const kept = ['--checkpoint', at('newest/checkpoint'), '--checkpoint', at('older/checkpoint')];
    await verifyFrom('newest');
    expect(await run('newest', ...kept)).toMatchObject({ code: 0, err: '' });
    const lostLeaves = `Leaves from ${older.size} to ${newest.size - 1} are missing.\n`;
    expect(await run('older', '--allow-newer', ...kept)).toMatchObject({ code: 1, err: lostLeaves });
    writeFileSync(at('statement.ndjson'), `${(await statementOf('mallory')).slice(2).join('\n')}\n`);
    const statement = await runVerifier('statement', at('statement.ndjson'), '--key', at('key.pem'));
    expect(statement).toEqual({ code: 2, out: '', err: 'This is no statement.\n' });
  });

  describe.each(STREAMS)('attacks on the stream %s', (stream) => {
    it.each(ATTACKS)('names %s in both verifiers', async (_what, attack, namedIn) => {
      await attack(stream);
      const named = namedIn(stream);
      expect(await verify()).toContainEqual(expect.objectContaining(named.verify));
      const site = await verifySite();
      expect(site).toEqual(refusal(named.site));
      expect(site.code).not.toBe(0);
      const copy = await verifyFrom('older', { allowNewer: true });
      expect(copy).toEqual(refusal(named.older));
      expect(copy.code === 0).toBe(named.older === null);
    });
  });

  it('both verifiers name a stream that was added and dated in the past', async () => {
    const gift = eventsOf(MALLORY).at(-1) as StoredEvent;
    await insertCopy(gift, 'creditAccount-nobody', 0);
    await rechain('creditAccount-nobody');
    const added = { stream: 'creditAccount-nobody', version: 0, kind: 'log' };
    expect(await verify()).toContainEqual(expect.objectContaining(added));
    expect(await verifySite()).toMatchObject({ code: 1, err: expect.stringMatching(uncovered(added.stream, 0)) });
  });

  it('both verifiers name the log when leaves of two streams were swapped', async () => {
    await swapLeaves(leaf(MALLORY, 1), leaf('creditAccount-alice', 1));
    expect(ofLog(await verify())).toContain(
      `The first ${newest.size} leaves of the log have another root than checkpoint 2.`,
    );
    expect(await verifySite()).toMatchObject({ code: 1, err: expect.stringMatching(otherLeaves(newest.size)) });
  });

  it('names a leaf without an event at the end of the log', async () => {
    await query(
      `insert into log_leaf (index, event_id, stream, version, hash) values ($1, $2, $3, $4, sha256('x'))`,
      ...[newest.size, v7(), MALLORY, lastOf(MALLORY) + 1],
    );
    const forged = `Leaf ${newest.size} of the public log is for this event, which does not exist.`;
    expect(ofLog(await verify())).toEqual([forged]);
    // The checkpoint does not cover it.
    expect(await verifySite()).toEqual(SOUND);
  });

  it('both verifiers refuse a checkpoint that another key has signed', async () => {
    const root = await rootAt(ledger.database.pool, newest.size);
    const note = signedCheckpoint({ origin: ORIGIN, size: newest.size, root }, otherKey);
    await query('update log_checkpoint set note = $1 where number = 2', note);
    expect(ofLog(await verify())).toEqual(['No trusted key has signed checkpoint 2.']);
    expect(await verifySite()).toEqual({ code: 2, err: 'No trusted key has signed the checkpoint.\n' });
    expect(ofLog(await verify(note))).toContain('No trusted key has signed the checkpoint in the copy.');
  });

  it.each([
    ['text', (note: string) => note.replace(/\n(\d+)\n/, (_line, size) => `\n${Number(size) - 1}\n`)],
    ['signature', (note: string) => note.replace(/.{6}=*\n$/, 'AAAAAA\n')],
  ])('both verifiers refuse a checkpoint with another %s', async (_part, forge) => {
    await query('update log_checkpoint set note = $1 where number = 2', forge(newest.note));
    expect(ofLog(await verify())).toEqual(['No trusted key has signed checkpoint 2.']);
    await copyLog(ledger.database.pool, at('site'));
    expect(await verifySite()).toEqual({ code: 2, err: 'No trusted key has signed the checkpoint.\n' });
  });

  it('names the leaf when an export of changed events was signed with another key', async () => {
    await change(PAYOUTS);
    await rechain(PAYOUTS);
    rmSync(at('forged.ndjson'), { force: true });
    const options = { key: otherKey, now, onProblem: () => undefined };
    await exportLedger({ eventStore: ledger.eventStore }, at('forged.ndjson'), options);
    const { code, err } = await judgeForged();
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(missing(PAYOUTS, 1)) });
    expect(err).toContain('No trusted key has signed the manifest.');
  });
});

describe('attacks on checkpoints, and a kept copy', () => {
  it('names the leaves that an older checkpoint lacks, by a kept one', async () => {
    await query('delete from log_checkpoint where number = 2');
    // The leaves still continue both checkpoints: nothing that they cover has changed.
    expect(await verify(newest.note)).toEqual([]);
    expect(await verifySite()).toMatchObject({
      code: 1,
      err: expect.stringMatching(uncovered('creditAccount-alice', 0)),
    });
    const lostLeaves = `Leaves from ${older.size} to ${newest.size - 1} are missing.\n`;
    expect(await verifySite({ allowNewer: true, kept: [newest.note] })).toEqual({
      code: 1,
      err: lostLeaves,
    });
  });

  it('names the leaves that an older database lacks, by a kept checkpoint', async () => {
    await query(`delete from event where stream = 'creditAccount-alice'`);
    await query('delete from log_leaf where index >= $1', older.size);
    await query('delete from log_checkpoint where number = 2');
    const lostLeaves = `The log has ${older.size} leaves, but the checkpoint in the copy has ${newest.size}: leaves are lost.`;
    expect(ofLog(await verify())).toEqual([]);
    expect(ofLog(await verify(newest.note))).toEqual([lostLeaves]);
    expect(await verifySite()).toEqual(SOUND);
    expect(await verifySite({ kept: [newest.note] })).toEqual({
      code: 1,
      err: `Leaves from ${older.size} to ${newest.size - 1} are missing.\n`,
    });
  });

  it('names a log that was emptied, by a kept checkpoint', async () => {
    await query('truncate log_leaf, log_node, log_checkpoint');
    expect(await verify()).toEqual([]);
    const lostLeaves = `The log has 0 leaves, but the checkpoint in the copy has ${newest.size}: leaves are lost.`;
    expect(ofLog(await verify(newest.note))).toEqual([lostLeaves]);
    // The site has no checkpoint to serve. The copy still proves the export.
    expect(await verifyFrom('newest')).toEqual(SOUND);
  });

  it('names a tree of the same size that the key has signed over other events, by a kept checkpoint', async () => {
    await query(
      `update event set data = data || '{"reason":"Other"}' where stream = $1 and version = $2`,
      ...[MALLORY, lastOf(MALLORY)],
    );
    await rechain(MALLORY);
    await relog();
    await query('delete from log_checkpoint');
    const fork = await publish('fork');
    expect(fork.size).toBe(newest.size);
    expect(fork.note).not.toBe(newest.note);
    expect(ofLog(await verify())).toEqual([]);
    expect(await verifySite()).toEqual(SOUND);
    for (const { note, size } of [older, newest]) {
      expect(ofLog(await verify(note))).toEqual([
        `The first ${size} leaves of the log are not those of the checkpoint in the copy.`,
      ]);
      const named = { code: 1, err: `Leaves 0 to ${size - 1} are not those of a signed checkpoint.\n` };
      expect(await verifySite({ kept: [note] })).toEqual(named);
    }
    // A copy of the leaves also identifies the event.
    expect(await verifyFrom('newest')).toEqual(refusal(missing(MALLORY, lastOf(MALLORY))));
  });
});

const proofs = (): InclusionProofs => new InclusionProofs((tiles) => readTiles(ledger.database.pool, tiles));
/** The lines of the statement of an account. */
async function statementOf(user: string): Promise<string[]> {
  const sources = { pool: ledger.database.pool, eventStore: ledger.eventStore, proofs: proofs() };
  const parts: string[] = [];
  for await (const part of (await provenStatement(sources, `creditAccount-${user}`, now())) ?? []) parts.push(part);
  return parts.join('').trimEnd().split('\n');
}
const checkStatement = (lines: readonly string[]): Promise<Judgement> =>
  judgeStatement(`${lines.join('\n')}\n`, publicPem(createPublicKey(key)));

describe('a forged statement', () => {
  type Line = { readonly event: StoredEvent };
  /** Recomputes the hashes of the events of a statement. */
  const chained = (lines: readonly string[]): string[] => {
    let previous: string | null = null;
    return lines.map((line) => {
      if (!line.startsWith('{"event"')) return line;
      const { event } = JSON.parse(line) as Line;
      previous = eventHash(previous, event);
      return canonicalJson({ event: { ...event, metadata: { ...event.metadata, hash: previous } } } as never);
    });
  };
  const replaced = (lines: readonly string[], from: string | RegExp, to: string): string[] =>
    lines.map((line) => line.replace(from, to));

  it.each<[string, (lines: string[], others: string[]) => string[], RegExp]>([
    [
      'a changed event',
      (lines) => replaced(lines, '"amount":25', '"amount":26'),
      /^creditAccount-mallory @ \d+: The hash is not/,
    ],
    [
      'a changed event and new hashes',
      (lines) => chained(replaced(lines, '"amount":25', '"amount":26')),
      /^Leaf \d+ is not the last event/,
    ],
    [
      'an event too many',
      (lines) =>
        chained([
          ...lines.slice(0, -1),
          ...lines.slice(-2, -1).map((line) => line.replace(/"version":\d+/, '"version":99')),
          ...lines.slice(-1),
        ]),
      /^creditAccount-mallory @ \d+: Event \d+ is missing/,
    ],
    [
      'its first event missing',
      ([head = '', , ...rest]) => [head, ...rest],
      /^creditAccount-mallory @ -1: Event 0 is missing/,
    ],
    [
      'its last event missing',
      (lines) => [...lines.slice(0, -2), ...lines.slice(-1)],
      /^Leaf \d+ is not the last event/,
    ],
    [
      'the name of another account',
      (lines) => replaced(lines, /creditAccount-mallory/, 'creditAccount-bob'),
      /The hash is not/,
    ],
    [
      'the proof of another account',
      (lines, others) => [...lines.slice(0, -1), others.at(-1) ?? ''],
      /^Leaf \d+ is not the last event/,
    ],
    [
      'another index in its proof',
      (lines) => replaced(lines, /\\nindex (\d)/, '\\nindex 1$1'),
      /^Leaf \d+ is not the last event/,
    ],
    [
      'another hash in its proof',
      (lines) => replaced(lines, /(\\nindex \d+\\n)..../, '$1AAAA'),
      /^Leaf \d+ is not the last event/,
    ],
    [
      'a hash less in its proof',
      (lines) => replaced(lines, /(\\nindex \d+)\\n[^\\]+/, '$1'),
      /^Leaf \d+ is not the last event/,
    ],
    [
      'another size in its checkpoint',
      (lines) => replaced(lines, /(\/ledger\\n)\d+/, '$12'),
      /^No trusted key has signed the checkpoint/,
    ],
    ['no proof', (lines) => replaced(lines, /"proof":".*"/, '"proof":""'), /^No trusted key has signed the checkpoint/],
  ])('refuses a statement with %s', async (_what, forge, named) => {
    const lines = await statementOf('mallory');
    expect(await checkStatement(lines)).toMatchObject({ code: 0, err: '' });
    const { code, err } = await checkStatement(forge(lines, await statementOf('alice')));
    expect(code).toBe(1);
    expect(err).toMatch(named);
  });

  it('the verifier refuses a statement when another key has signed its checkpoint', async () => {
    const root = await rootAt(ledger.database.pool, newest.size);
    const note = signedCheckpoint({ origin: ORIGIN, size: newest.size, root }, otherKey);
    await query('update log_checkpoint set note = $1 where number = 2', note);
    expect(await checkStatement(await statementOf('mallory'))).toMatchObject({
      code: 1,
      err: 'No trusted key has signed the checkpoint.\n',
    });
  });
});

describe('the limits of a checkpoint', () => {
  it('says nothing about an event after the checkpoint that was changed or dropped', async () => {
    await ledger.gift('bob', 5);
    await ledger.gift('bob', 6);
    await query(
      `update event set data = data || '{"reason":"Other"}' where stream = 'creditAccount-bob' and version = 0`,
    );
    await rechain('creditAccount-bob');
    expect(ofLog(await verify(newest.note))).toEqual([]);
    expect(await verifySite({ allowNewer: true, kept: [newest.note] })).toEqual(SOUND);
    await drop('creditAccount-bob', 1);
    expect(ofLog(await verify(newest.note))).toEqual([]);
    expect(await verifySite({ allowNewer: true, kept: [newest.note] })).toEqual(SOUND);
  });

  it('says nothing about an event that is dated in the past and logged after the checkpoint', async () => {
    const last = eventsOf(MALLORY).at(-1) as StoredEvent;
    await insertCopy(last, MALLORY, last.version + 1);
    await query(
      'update event set xid = default, position = default where stream = $1 and version = $2',
      ...[MALLORY, last.version + 1],
    );
    await rechain(MALLORY);
    const later = await publish('later');
    expect(later.size).toBe(newest.size + 1);
    expect(ofLog(await verify(newest.note))).toEqual([]);
    expect(await verifySite({ kept: [newest.note] })).toEqual(SOUND);
  });

  it('covers no time of recording and no position: ledger verify names those that contradict the events', async () => {
    await query(
      `update event set recorded_at = recorded_at + interval '9 minutes' where stream = $1 and version = 1`,
      MALLORY,
    );
    await query(`update event set xid = '3'::xid8 where stream = 'creditAccount-alice'`);
    expect(await verify(newest.note)).toEqual([]);
    await query(
      `update event set recorded_at = recorded_at + interval '1 hour' where stream = $1 and version = 1`,
      MALLORY,
    );
    await query(`update event set xid = '3'::xid8 where stream = $1 and version = 2`, MALLORY);
    const found = await verify(newest.note);
    expect(found).toContainEqual(expect.objectContaining({ stream: MALLORY, version: 1, kind: 'time' }));
    expect(found).toContainEqual(expect.objectContaining({ stream: MALLORY, version: 2, kind: 'position' }));
    // An export has neither.
    expect(await verifySite()).toEqual(SOUND);
  });

  it('accepts a statement that ends before the last event of the account', async () => {
    const { pool } = ledger.database;
    const lines = await statementOf('mallory');
    const covered = await leafWithCheckpoint(pool, eventsOf(MALLORY).at(-2)?.id ?? '');
    if (!covered) throw new Error('There is no leaf.');
    const proof = await proofs().prove(covered.leaf, covered.checkpoint);
    expect(await checkStatement([...lines.slice(0, -2), canonicalJson({ proof })])).toMatchObject({ code: 0, err: '' });
  });
});
