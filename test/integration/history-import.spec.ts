import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { importHistory, ImportedHistory, makeSeal, type LedgerProblem } from '../../src/audit/index.js';
import { readVerificationState } from '../../src/audit/continuous/verification-state.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { type PolicyStore } from '../../src/credits/index.js';
import { asOwner } from '../support/database.js';
import { REVENUE_TABLES, startLedger, type LedgerApp } from '../support/ledger-app.js';
import { adoptPolicy } from '../support/policy.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(60_000);

const PAST = new Date('2025-06-01T09:00:00Z');
const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');

let ledger: LedgerApp;
let policies: PolicyStore;
let folder: string;
/** Accounts stay in memory when the tables are emptied, so each test has accounts of its own. */
let test = 0;

beforeAll(async () => {
  ledger = await startLedger();
  folder = mkdtempSync(join(tmpdir(), 'fanvas-import-'));
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  test += 1;
  await ledger.clear();
  await query('truncate ledger_seal');
  policies = await adoptPolicy(ledger.eventStore, ledger.clock);
});

const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};
/** Appends two accounts by commands on a clock that runs from the past to now. The store records them now. */
const makeHistory = async (): Promise<void> => {
  const now = ledger.clock.now();
  ledger.clock.set(PAST);
  await ledger.daily(`alice${test}`);
  ledger.clock.advance(30 * 86_400_000);
  await ledger.daily(`alice${test}`);
  await ledger.gift('zoe', 20);
  ledger.clock.set(now);
  await query(`update event set recorded_at = $1 where metadata->>'occurredAt' < '2026'`, now);
  await ledger.project();
};
const run = (work: () => Promise<void>, fromBeginning = false, importId: string = randomUUID()): Promise<void> => {
  const { eventStore, database } = ledger;
  const options = { importId, reason: 'The demo has a past', fromBeginning };
  return importHistory({ pool: database.pool, eventStore, policies, key }, options, work);
};
const verify = async (keys: readonly KeyObject[] = [publicKey]): Promise<LedgerProblem[]> => {
  const { eventStore, database, clock } = ledger;
  return (await verifiedLedger({ pool: database.pool, eventStore }, () => clock.now(), { keys })).problems;
};
const sentencesOf = (problems: readonly LedgerProblem[]): string[] => problems.map(({ what: sentence }) => sentence);
const seal = async (): Promise<void> => {
  const { eventStore, database, clock } = ledger;
  await makeSeal({ pool: database.pool, eventStore, key, now: () => clock.now(), folder: join(folder, randomUUID()) });
};

describe('importHistory', () => {
  it('exempts the events of the import, and no others', async () => {
    await ledger.daily(`bob${test}`);
    await run(makeHistory);
    await ledger.daily(`alice${test}`);
    await ledger.project();
    expect(await verify()).toEqual([]);
    const bob = `creditAccount-bob${test}`;
    await query(`update event set recorded_at = recorded_at + interval '1 hour' where stream = $1`, bob);
    expect((await verify()).map(({ kind, stream }) => `${kind} ${stream}`)).toEqual([`time ${bob}`, `time ${bob}`]);
  });

  it('leaves every event a problem until the record is written', async () => {
    const interrupted = async (): Promise<void> => {
      await makeHistory();
      throw new Error('The machine lost power.');
    };
    await expect(run(interrupted)).rejects.toThrow('lost power');
    const { length } = await ledger.eventStore.readStream(`creditAccount-alice${test}`);
    const problems = (await verify()).filter(({ kind, stream }) => kind === 'time' && stream.endsWith(`alice${test}`));
    expect(problems).toHaveLength(length);
    // The next attempt records the events of the first one.
    await run(() => Promise.resolve(), true);
    expect(await verify()).toEqual([]);
  });

  it('records an import once', async () => {
    const importId = randomUUID();
    await run(makeHistory, false, importId);
    await run(() => Promise.resolve(), true, importId);
    const types = (await ledger.eventStore.readStream('policy')).map(({ type }) => type);
    expect(types.filter((type) => type === 'HistoryImported')).toHaveLength(1);
  });

  it('refuses an import into a ledger with a seal', async () => {
    await seal();
    await expect(run(makeHistory)).rejects.toThrow('The ledger has a seal, which closes the past');
  });
});

describe('verify with a record of an import', () => {
  beforeEach(() => run(makeHistory));

  it('names a record that no trusted key has signed, and every event in it', async () => {
    const problems = await verify([generateKeyPairSync('ed25519').publicKey]);
    expect(problems[0]).toMatchObject({ stream: 'policy', kind: 'time' });
    expect(problems[0]?.what).toContain('No trusted key has signed');
    const { length } = await ledger.eventStore.readAll({ after: null, limit: 100, streamPrefix: 'creditAccount-' });
    expect(problems.filter(({ kind, stream }) => kind === 'time' && stream !== 'policy')).toHaveLength(length);
  });

  it.each([
    ['streams.0.toVersion', 9],
    ['streams.0.hash', 'x'],
    ['reason', 'Another'],
    ['signature', 'x'],
  ])('names a record with another %s', async (field, value) => {
    await query(
      `update event set data = jsonb_set(data, $1::text[], $2::jsonb) where type = 'HistoryImported'`,
      ...[field.split('.'), JSON.stringify(value)],
    );
    expect(sentencesOf(await verify()).join(' ')).toContain('No trusted key has signed');
  });

  it('names an imported event that was changed with its hash', async () => {
    const events = await ledger.eventStore.readStream('creditAccount-zoe');
    await query(
      `update event set metadata = jsonb_set(metadata, '{hash}', to_jsonb($1::text)) where stream = $2 and version = $3`,
      ...['f'.repeat(64), 'creditAccount-zoe', events.length - 1],
    );
    expect(sentencesOf(await verify())).toContain(
      'The event differs from the one that the record of its import names.',
    );
  });

  it.each([
    ['an imported account that has lost its end', 'and version > 0'],
    ['an imported account that is gone', ''],
  ])('names %s without another trace', async (_case, condition) => {
    const stream = `creditAccount-alice${test}`;
    await query(`delete from event where stream = $1 ${condition}`, stream);
    await query('truncate credit_balance, credit_transaction, credits_held, projection_checkpoint');
    await query(`truncate ${REVENUE_TABLES}`);
    await ledger.project();
    const problems = await verify();
    expect(problems).toMatchObject([{ stream, kind: 'version' }]);
    expect(problems[0]?.what).toContain('The record of its import names events up to');
  });

  it('names a record that was made after the first seal', async () => {
    await seal();
    expect(await verify()).toEqual([]);
    await query('truncate ledger_seal');
    ledger.clock.advance(-3_600_000);
    await seal();
    ledger.clock.advance(3_600_000);
    const [problem] = await verify();
    expect(problem).toMatchObject({ stream: 'policy', kind: 'seal' });
    expect(problem?.what).toContain('was made after the first seal');
  });

  it('accepts the events of the import in the continuous verification', async () => {
    const { eventStore, database, clock } = ledger;
    await query('truncate verified_account, ledger_problem');
    await query('update ledger_verification set position = null, stream = null, version = null, event_id = null');
    const sources = { pool: database.pool, eventStore };
    const options = { now: () => clock.now(), maxEvents: 1_000 };
    expect((await verifyNewEvents({ ...sources, keys: [publicKey] }, options)).problems).toBe(0);
    await query('update verified_account set state = null');
    expect((await verifyNewEvents(sources, options)).problems).toBeGreaterThan(0);
  });

  it.each<[string, string, string]>([
    [
      'a record that no trusted key has signed',
      `update event set data = jsonb_set(data, '{signature}', '"x"') where type = 'HistoryImported'`,
      'No trusted key has signed',
    ],
    [
      'a policy that was written back into the past',
      `update event set recorded_at = recorded_at + interval '1 hour' where stream = 'policy'`,
      'and the store recorded it at',
    ],
  ])('names %s in the continuous verification', async (_case, text, expected) => {
    const { eventStore, database, clock } = ledger;
    await query('truncate verified_account, ledger_problem, ledger_verification');
    await query(text);
    const sources = { pool: database.pool, eventStore, keys: [publicKey] };
    await verifyNewEvents(sources, { now: () => clock.now(), maxEvents: 0 });
    const { first } = await readVerificationState(database.pool, 20);
    expect(sentencesOf(first).join(' ')).toContain(expected);
  });

  it('finds the imported events for the comparison with the payment processor', async () => {
    const { eventStore, database } = ledger;
    expect(await ImportedHistory.exists(eventStore)).toBe(true);
    const history = await ImportedHistory.read({ pool: database.pool, eventStore }, [publicKey], () => undefined);
    const { length } = await eventStore.readStream(`creditAccount-alice${test}`);
    expect([0, length - 1, length].map((version) => history.has(`creditAccount-alice${test}`, version))).toEqual([
      true,
      true,
      false,
    ]);
    expect(history.has('creditAccount-bob', 0)).toBe(false);
  });
});
