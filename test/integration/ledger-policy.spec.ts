import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
import {
  DecideCreditProposal,
  type NewBundlePrice,
  POLICY_STREAM,
  priceBundles,
  ProposeCredits,
  readPolicy,
} from '../../src/credits/index.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { asOwner } from '../support/database.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import { startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';
import { startTestApp } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const key = generateKeyPairSync('ed25519').privateKey;
const PRICES = { basic: [100, 1000], popular: [250, 2500], premium: [750, 7500] };

let ledger: LedgerApp;
let folder: string;

beforeAll(async () => {
  ledger = await startLedger();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-policy-'));
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await ledger.clear();
  await query('update credit_bundle set policy_version = null');
});

const query = (text: string, values: unknown[] = []): Promise<unknown> => asOwner(ledger.database).query(text, values);
const problem = (problems: LedgerProblem[]): string[] =>
  problems.map(({ stream, version, kind }) => `${stream} @ ${String(version)}: ${kind}`);

describe('policy of a used store', () => {
  it('adopts the policy once for all instances, and begins the revenue rule at a later midnight', async () => {
    await ledger.eventfulAccount('alice');
    const { database, clock, eventStore } = ledger;
    const start = () => startTestApp({ database, overrides: { clock, eventStore } });
    const apps = await Promise.all([start(), start()]);
    for (const app of apps) await app.close();
    const now = clock.now();
    const policy = await readPolicy(eventStore);
    expect(policy).toMatchObject({
      version: 5,
      revenueRule: { cumulativeFrom: new Date('2026-03-14T00:00:00Z') },
      dailyAmounts: [{ amount: 10, effectiveFrom: now }],
      adminGrantLimits: [{ amount: 1000, effectiveFrom: now }],
    });
    const prices = policy.bundlePrices.map(({ bundleId, credits, priceCents }) => [bundleId, [credits, priceCents]]);
    expect(Object.fromEntries(prices)).toEqual(PRICES);
    expect(await ledger.verify()).toEqual([]);

    // Only the rows of bundles refer to the stream.
    await query('delete from event where stream = $1 and version > 4', [POLICY_STREAM]);
    expect(problem(await ledger.verify())).toEqual(['policy @ null: projection']);
    await query('delete from event where stream = $1', [POLICY_STREAM]);
    expect(problem(await ledger.verify())).toEqual(['policy @ null: version']);
  });
});

describe('policy of the ledger', () => {
  beforeEach(async () => {
    await adoptPolicy(ledger.eventStore, ledger.clock);
    await ledger.eventfulAccount('alice');
  });

  it('verifies the policy with the accounts, and does not count it as one', async () => {
    const { pool } = ledger.database;
    const { summary } = await verifiedLedger({ ...ledger, pool }, () => ledger.clock.now());
    expect(summary).toMatchObject({ accounts: 1, policyEvents: 3, problems: 0 });
  });

  it('names a changed event of the policy, and the grants that differ from it', async () => {
    await query(
      `update event set data = jsonb_set(data, '{amount}', '50') where stream = $1 and type = 'DailyGrantAmountSet'`,
      [POLICY_STREAM],
    );
    expect(problem(await ledger.verify())).toEqual([
      'policy @ 1: chain',
      expect.stringMatching(/^creditAccount-alice @ \d+: policy$/),
      expect.stringMatching(/^creditAccount-alice @ \d+: policy$/),
    ]);
  });

  it('compares new events with the policy continuously', async () => {
    const sources = { pool: ledger.database.pool, eventStore: ledger.eventStore };
    const run = () => verifyNewEvents(sources, { now: () => ledger.clock.now(), maxEvents: 1000 });
    await query('truncate ledger_verification, verified_account, ledger_problem');
    await query('insert into ledger_verification default values');
    expect(await run()).toMatchObject({ problems: 0 });
    const settings = { ...DEFAULT_CREDIT_SETTINGS, dailyGrantCredits: 20 };
    await adoptPolicy(ledger.eventStore, ledger.clock, settings);
    ledger.clock.advance(2 * 86_400_000);
    await ledger.daily('bob');
    await ledger.project();
    expect(await run()).toMatchObject({ problems: 1 });
  });

  describe('the rows of bundles', () => {
    const BASIC = { bundleId: 'basic', credits: 100, priceCents: 1000, onSale: true };
    const POPULAR = { bundleId: 'popular', credits: 250, priceCents: 2500, onSale: true };
    const RIGHT = 'event 3 says: 100 credits for 1000 cents, on sale.';

    /** @returns the version of the last event */
    const price = async (...prices: NewBundlePrice[]): Promise<number> => {
      const store = await adoptPolicy(ledger.eventStore, ledger.clock);
      const { version } = await store.change('admin_a', (policy, moment) => priceBundles(policy, moment, prices));
      return version;
    };
    const found = async (): Promise<string[]> => (await ledger.verify()).map((each) => each.what);

    beforeEach(async () => {
      expect(await price(BASIC, POPULAR)).toBe(4);
      await query(`update credit_bundle set policy_version = 3, credits = 100, price_cents = 1000, on_sale = true
        where id = 'basic'`);
    });

    it.each([
      ['policy_version = 4', 'credit_bundle shows event 4 for basic, which does not price it.'],
      ['credits = 99', `credit_bundle says of basic: 99 credits for 1000 cents, on sale; ${RIGHT}`],
      ['price_cents = 999', `credit_bundle says of basic: 100 credits for 999 cents, on sale; ${RIGHT}`],
      ['on_sale = false', `credit_bundle says of basic: 100 credits for 1000 cents, not on sale; ${RIGHT}`],
    ])('names a row that differs from its event: %s', async (change, sentence) => {
      expect(await found()).toEqual([]);
      await query(`update credit_bundle set ${change} where id = 'basic'`);
      expect(await found()).toEqual([sentence]);
    });

    it('names a row that does not show a later price after ten minutes', async () => {
      await price({ ...BASIC, priceCents: 1200 });
      ledger.clock.advance(10 * 60_000);
      expect(await found()).toEqual([]);
      ledger.clock.advance(1);
      expect(await found()).toEqual(['credit_bundle does not show event 5, a later price of basic.']);
    });
  });

  describe('a grant of two people', () => {
    const AMOUNT = 1500;
    let id: string;

    const continuously = async (): Promise<number> => {
      const sources = { pool: ledger.database.pool, eventStore: ledger.eventStore };
      await query('truncate ledger_verification, verified_account, ledger_problem');
      await query('insert into ledger_verification default values');
      return (await verifyNewEvents(sources, { now: () => ledger.clock.now(), maxEvents: 1000 })).problems;
    };
    const admin = (userId: string): Actor => ({ userId, role: 'admin', requestId: null, address: null });

    beforeEach(async () => {
      const { database, clock, eventStore } = ledger;
      const app = await startTestApp({ database, overrides: { clock, eventStore } });
      id = randomUUID();
      const proposal = { id, user_id: 'alice', kind: 'grant', amount: AMOUNT, reason: 'A prize' } as const;
      await app.commands.execute(new ProposeCredits({ ...proposal, admin: admin('admin_a') }));
      const decision = { proposalId: id, approve: true, reason: null, admin: admin('admin_b') };
      await app.commands.execute(new DecideCreditProposal(decision));
      await app.close();
      await ledger.project();
    });

    it('passes a complete verification, a continuous one and the verification of an export', async () => {
      expect(await ledger.verify()).toEqual([]);
      expect(await continuously()).toBe(0);
      const problems: LedgerProblem[] = [];
      const exported = join(folder, `${id}.ndjson`);
      const options = { key, now: () => ledger.clock.now(), onProblem: (each: LedgerProblem) => problems.push(each) };
      await exportLedger({ eventStore: ledger.eventStore }, exported, options);
      await verifyExport(
        exported,
        [createPublicKey(key)],
        options.onProblem,
        () => undefined,
        await SealedHeads.open([]),
      );
      expect(problems).toEqual([]);
    });

    it('ends the alarm that an earlier build has stored', async () => {
      expect(await continuously()).toBe(0);
      await query(`update verified_account set version = -1, state = null, pending_since = null`);
      await query(
        `insert into ledger_problem (subject, place, stream, version, kind, what, found_at)
         values ('alice', 0, 'creditAccount-alice', 9, 'policy', 'admin_b granted 1500 credits', now())`,
      );
      const sources = { pool: ledger.database.pool, eventStore: ledger.eventStore };
      const run = await verifyNewEvents(sources, { now: () => ledger.clock.now(), maxEvents: 1000 });
      expect(run.problems).toBe(0);
    });

    it('exceeds the limit of its day unless both acts are about these credits and by two people', async () => {
      const forgeries = [
        ['credits.proposed', `jsonb_set(body::jsonb, '{after,amount}', '1')`],
        ['credits.proposed', `jsonb_set(body::jsonb, '{after,kind}', '"adjustment"')`],
        ['credits.proposed', `jsonb_set(body::jsonb, '{userId}', '"bob"')`],
        ['credits.proposed', `jsonb_set(body::jsonb, '{actorId}', '"admin_b"')`],
        ['credits.proposed', `jsonb_set(body::jsonb, '{subjectId}', '"${randomUUID()}"')`],
        ['credits.granted', `jsonb_set(body::jsonb, '{actorId}', '"admin_c"')`],
        ['credits.granted', `jsonb_set(body::jsonb, '{userId}', '"bob"')`],
        ['credits.granted', `jsonb_set(body::jsonb, '{after,proposal}', '"${randomUUID()}"')`],
        ['credits.granted', `jsonb_set(body::jsonb, '{after,proposed_by}', '"admin_c"')`],
      ] as const;
      for (const [kind, body] of forgeries) {
        await query('create table kept as select number, body from admin_act');
        await query(`update admin_act set body = (${body})::text where kind = $1`, [kind]);
        const found = (await ledger.verify())
          .filter((each) => each.kind === 'policy')
          .map(({ what: sentence }) => sentence);
        expect([body, found]).toEqual([body, [expect.stringMatching(/^admin_b granted 1500 credits on /)]]);
        expect([body, await continuously()]).not.toEqual([body, 0]);
        await query('update admin_act act set body = kept.body from kept where kept.number = act.number');
        await query('drop table kept');
      }
      expect(await ledger.verify()).toEqual([]);
    });
  });

  it('covers the policy by seals and exports', async () => {
    const { eventStore, clock, database } = ledger;
    const now = (): Date => clock.now();
    await query('truncate ledger_seal');
    const { file, manifest } = await makeSeal({ pool: database.pool, eventStore, key, now, folder });
    expect(manifest).toMatchObject({ streams: 2 });
    const proven = await proveSeal(file, [createPublicKey(key)], () => undefined);
    const exported = join(folder, 'ledger.ndjson');
    const problems: LedgerProblem[] = [];
    const onProblem = (found: LedgerProblem): void => void problems.push(found);
    expect(await exportLedger({ eventStore }, exported, { key, now, onProblem })).toMatchObject({ streams: 2 });
    const sealed = async () => SealedHeads.open(proven ? [proven] : []);
    const keys = [createPublicKey(key)];
    const result = await verifyExport(exported, keys, onProblem, () => undefined, await sealed());
    expect(result).toMatchObject({ accounts: 1, problems: 0 });
    expect(problems).toEqual([]);

    await query('delete from event where stream = $1', [POLICY_STREAM]);
    await verifyLedger({ pool: database.pool, eventStore, sealed: await sealed() }, { now, onProblem });
    expect(problem(problems)).toEqual(['policy @ 2: seal']);
  });
});
