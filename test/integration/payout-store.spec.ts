import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  exportLedger,
  makeSeal,
  proveSeal,
  SealedHeads,
  verifyExport,
  verifyLedger,
  type LedgerProblem,
} from '../../src/audit/index.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import {
  cancelPayout,
  checkPayout,
  draftPayout,
  failPayout,
  fixPayout,
  payPayout,
} from '../../src/finance/payouts/decide.js';
import { earningsStream } from '../../src/finance/earnings/events.js';
import { type PayoutEvent, payoutStream } from '../../src/finance/payouts/events.js';
import { PayoutStore } from '../../src/finance/payouts/payout-store.js';
import { type PayoutState } from '../../src/finance/payouts/state.js';
import { UnknownOutcomeError, type EventStore } from '../../src/platform/event-store/event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { asOwner } from '../support/database.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';
import { loadVerifier } from '../support/verifier.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const key = generateKeyPairSync('ed25519');
const CREATOR = '5f6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b10';
const OTHER = '7a6a1c9e-0d5b-4a53-9d0e-7d3f5f0a9b11';

let ledger: LedgerApp;
let folder: string;
let user = '';
let users = 0;

beforeAll(async () => {
  ledger = await startLedger();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-payouts-'));
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await ledger.clear();
  await adoptPolicy(ledger.eventStore, ledger.clock);
});

const storeOn = (eventStore: EventStore = ledger.eventStore): PayoutStore =>
  new PayoutStore(eventStore, ledger.clock, new UuidGenerator());
const origin = (actorId: string, causationId: string) => ({ actorId, causationId, correlationId: 'run' });

/** Drafts a payout of $120 by `finance_1`. */
const drafting =
  (payoutId: string, runId = 'run') =>
  (state: PayoutState, now: Date) =>
    draftPayout(
      state,
      {
        payoutId,
        runId,
        cutoff: new Date('2026-04-20T00:00:00Z'),
        payableCents: 12_000,
        minimumCents: 2_500,
        draftedBy: 'finance_1',
        details: { changedAt: new Date(0), usableFrom: null },
      },
      now,
    ).events;

/** Drafts, fixes, checks and records a payout of a creator. */
async function pay(creatorId: string, payoutId: string, store = storeOn()): Promise<void> {
  await store.execute(creatorId, origin('finance_1', `draft ${payoutId}`), drafting(payoutId));
  await store.execute(creatorId, origin('finance_1', `fix ${payoutId}`), (state) => fixPayout(state, payoutId, 12_000));
  await store.execute(creatorId, origin('admin_1', `check ${payoutId}`), (state) =>
    checkPayout(state, payoutId, 'admin_1'),
  );
  const transfer = { amountCents: 12_000, reference: 'SEPA-1', paidOn: '2026-03-03', recordedBy: 'admin_1' };
  await store.execute(creatorId, origin('admin_1', `pay ${payoutId}`), (state) =>
    payPayout(state, { payoutId, ...transfer }),
  );
}

const places = (problems: readonly LedgerProblem[]): string[] =>
  problems.map(({ stream, version, kind }) => `${stream} @ ${String(version)}: ${kind}`);

describe('PayoutStore', () => {
  it('appends the events of a creator as a chain, and loads what they come to', async () => {
    await pay(CREATOR, 'p1');
    const loaded = await storeOn().load(CREATOR);
    expect(loaded).toMatchObject({ version: 3, state: { paidCents: 12_000, open: null } });
    const all = await storeOn().loadAll([OTHER, CREATOR]);
    expect(all.get(CREATOR)).toEqual(loaded);
    expect(all.get(OTHER)).toMatchObject({ version: -1, state: { paidCents: 0 } });
    const events = await ledger.eventStore.readStream(payoutStream(CREATOR));
    expect(events.map(({ type }) => type)).toEqual(['PayoutDrafted', 'PayoutFixed', 'PayoutChecked', 'PayoutPaid']);
    expect(events[3]?.metadata).toMatchObject({ actorId: 'admin_1', causationId: 'pay p1', correlationId: 'run' });
  });

  it('lets one of two runs at once draft a payout', async () => {
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((run) =>
        storeOn().execute(CREATOR, origin('finance_1', run), drafting(`p_${run}`, run)),
      ),
    );
    expect(results.filter(({ events }) => events.length > 0)).toHaveLength(1);
    expect((await storeOn().load(CREATOR)).version).toBe(0);
    // Facts that were read before another process wrote are read again.
    const known = await storeOn().load(OTHER);
    await pay(OTHER, 'p1');
    const late = await storeOn().execute(OTHER, origin('finance_1', 'late'), drafting('p2'), known);
    expect(late).toEqual({ events: [], position: null });
  });

  it('stores a command once when the answer is lost, and finds its events again', async () => {
    const { eventStore } = ledger;
    let lost = 0;
    const faulty = new Proxy(eventStore, {
      get: (target, name) =>
        name === 'append' && lost === 0
          ? async (...args: Parameters<EventStore['append']>) => {
              lost += 1;
              await target.append(...args);
              throw new UnknownOutcomeError(args[0], new Error('The connection broke.'));
            }
          : (Reflect.get(target, name, target) as unknown),
    });
    const { events, position } = await storeOn(faulty).execute(CREATOR, origin('a', 'draft'), drafting('p1'));
    const stored = await eventStore.readStream(payoutStream(CREATOR));
    expect(stored).toHaveLength(1);
    expect(events).toEqual(stored.map(({ stream, version, id }) => ({ stream, version, id })));
    expect(position).toBe(stored[0]?.position);
  });

  it('writes nothing for a refused command', async () => {
    const refused = storeOn().execute(CREATOR, origin('a', 'x'), (state) => cancelPayout(state, 'p9', 'No.'));
    await expect(refused).rejects.toThrow('There is no such payout.');
    expect(await ledger.eventStore.readStream(payoutStream(CREATOR))).toEqual([]);
  });
});

describe('streams of payouts in the ledger', () => {
  beforeEach(async () => {
    // Accounts stay in memory, so each test has its own.
    user = `alice_${(users += 1)}`;
    await ledger.purchase(user, `cs_${user}`, 4800);
    await ledger.creditedCheckout(user, `cs_${user}`, 4800);
    // The bonus credits, which earn nothing
    await ledger.generation(user, 'delivered', 30);
    for (const creatorId of [CREATOR, OTHER]) {
      await ledger.generation(user, 'delivered', 2400, { creatorId, ownGeneration: false });
    }
    // Shares are payable after 30 days.
    ledger.clock.set(new Date('2026-04-20T09:00:00Z'));
    await ledger.project();
    await pay(CREATOR, 'p1');
    await storeOn().execute(OTHER, origin('finance_1', 'draft'), drafting('p2'));
    await ledger.project();
  });

  it('verifies them, and finds a changed, missing or forged event', async () => {
    const { pool } = ledger.database;
    const { problems, summary } = await verifiedLedger({ ...ledger, pool }, () => ledger.clock.now());
    expect(places(problems)).toEqual([]);
    expect(summary).toMatchObject({ accounts: 1, payoutEvents: 5 });

    const owner = asOwner(ledger.database);
    const change = (from: string, to: string): Promise<unknown> =>
      owner.query(
        `update event set data = replace(data::text, '${from}', '${to}')::jsonb where stream = $1 and version = 3`,
        [payoutStream(CREATOR)],
      );
    await change('"amountCents": 12000', '"amountCents": 99000');
    expect(places(await ledger.verify())).toEqual(
      expect.arrayContaining([`${payoutStream(CREATOR)} @ 3: chain`, `${payoutStream(CREATOR)} @ 3: payout`]),
    );
    await change('"amountCents": 99000', '"amountCents": 12000');
    expect(places(await ledger.verify())).toEqual([]);
    await storeOn().execute(OTHER, origin('finance_1', 'more'), (state) => fixPayout(state, 'p2', 13_000));
    await ledger.project();
    expect((await ledger.verify()).map((problem) => problem.what)).toEqual([
      'The payout counts 13000 cents as payable at its cutoff, but the books have 12000.',
    ]);
    await owner.query('delete from event where stream = $1 and version = 2', [payoutStream(CREATOR)]);
    expect(places(await ledger.verify())).toContain(`${payoutStream(CREATOR)} @ 2: version`);
  });

  it('names a transfer that came back and is recorded again', async () => {
    await storeOn().execute(CREATOR, origin('admin_1', 'back'), (state) => failPayout(state, 'p1', 'AC04'));
    const [paid] = await ledger.eventStore.readStream(payoutStream(CREATOR), { fromVersion: 3, limit: 1 });
    const again = { type: 'PayoutPaid', data: paid?.data } as PayoutEvent;
    await storeOn().execute(CREATOR, origin('admin_1', 'again'), () => [again]);
    await ledger.project();
    expect((await ledger.verify()).map((each) => [each.stream, each.version, each.what])).toEqual([
      [payoutStream(CREATOR), 5, 'The same transfer is recorded a second time.'],
    ]);
  });

  it('posts them to the books, and finds rows and sums that were changed', async () => {
    const owner = asOwner(ledger.database);
    const { rows } = await owner.query('select account, cents from payout_entry order by version, line');
    expect(rows).toEqual([
      { account: 2120, cents: 12_000 },
      { account: 2130, cents: -12_000 },
      { account: 2130, cents: 12_000 },
      { account: 2140, cents: -12_000 },
    ]);
    const cheats: readonly (readonly [statement: string, named: readonly string[]])[] = [
      [
        `update payout_entry set cents = cents + 1 where account = 2140`,
        [
          `${payoutStream(CREATOR)} @ null: projection`,
          ...['* @ null: projection', '* @ null: projection', '* @ null: projection'],
        ],
      ],
      [`update payout set amount_cents = 1 where payout_id = 'p1'`, [`${payoutStream(CREATOR)} @ null: projection`]],
      [`update payout_sum set cents = 1 where account = 2140 and unit = 'day'`, ['* @ null: projection']],
      [`insert into payout_hold values ('nobody', now(), 'a', 'b', now())`, ['creatorPayout-nobody @ null: version']],
    ];
    const restore = await ledger.keep();
    for (const [statement, named] of cheats) {
      await owner.query(statement);
      expect(places(await ledger.verify())).toEqual(named);
      await restore();
      expect(places(await ledger.verify())).toEqual([]);
    }
  });

  it('includes them in the public log, the seals and the export', async () => {
    const { eventStore, clock, database } = ledger;
    const all = (await eventStore.readAll({ after: null, limit: 1000 })).length;
    expect(await sequenceEvents({ pool: database.pool, eventStore })).toMatchObject({ added: all });
    expect(places(await ledger.verify())).toEqual([]);

    const file = join(folder, 'export.ndjson');
    const problems: LedgerProblem[] = [];
    const onProblem = (each: LedgerProblem): void => void problems.push(each);
    const now = () => clock.now();
    const manifest = await exportLedger({ eventStore }, file, { key: key.privateKey, now, onProblem });
    expect(manifest).toMatchObject({ streams: 6, events: all });
    const streams = readFileSync(file, 'utf8').match(/(?<="head":\{"hash":"\w+","stream":")[^"]+/g);
    const ofCreators = [earningsStream, payoutStream].flatMap((nameOf) => [CREATOR, OTHER].map(nameOf));
    expect(streams).toEqual([...ofCreators, `creditAccount-${user}`, 'policy']);

    const { file: seal, manifest: sealed } = await makeSeal({
      pool: database.pool,
      eventStore,
      key: key.privateKey,
      now,
      folder,
    });
    expect(sealed).toMatchObject({ streams: 6 });
    const proven = await proveSeal(seal, [key.publicKey], () => undefined);
    const heads = await SealedHeads.open(proven ? [proven] : []);
    const { accounts } = await verifyExport(file, [key.publicKey], onProblem, () => undefined, heads);
    expect(accounts).toBe(1);
    expect(places(problems)).toEqual([]);

    // The events cannot disappear with their stream.
    await asOwner(database).query('delete from event where stream = $1', [payoutStream(OTHER)]);
    const again = await SealedHeads.open(proven ? [proven] : []);
    await verifyLedger({ pool: database.pool, eventStore, sealed: again }, { now, onProblem });
    expect(places(problems).sort()).toEqual([
      `${payoutStream(OTHER)} @ 0: log`,
      `${payoutStream(OTHER)} @ 0: seal`,
      `${payoutStream(OTHER)} @ null: version`,
    ]);
  });

  it('lets the independent verifier check their chains and amounts', async () => {
    const { Payouts } = await loadVerifier();
    const complaints: string[] = [];
    const events = await ledger.eventStore.readStream(payoutStream(CREATOR));
    const chain = new Payouts(payoutStream(CREATOR), (sentence) => complaints.push(sentence));
    for (const event of events) await chain.add(event);
    expect(complaints).toEqual([]);
  });
});
