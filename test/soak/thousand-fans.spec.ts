import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningApp } from '../../src/composition/compose.js';
import { startFanvas } from '../../src/composition/compose.js';
import { type PaymentTables } from '../../src/payments/tables.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { expectAgreement } from '../support/agreement.js';
import { freePort } from '../support/app-process.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';

jest.setTimeout(3_600_000);

/** Earnings are payable after 30 days, so payouts need the months before the last one. */
const MONTHS = 3;

let database: TestDatabase<PaymentTables>;
let dataDir: string;
let app: RunningApp;

beforeAll(async () => {
  database = await withTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'fanvas-fans-'));
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(await freePort()) };
  const demo = { SANDBOX_DEMO: 'large', SANDBOX_PAST_MONTHS: String(MONTHS), LOG_LEVEL: 'silent' };
  const past = { drawn: () => undefined, waiting: () => undefined, remembered: () => undefined };
  app = await startFanvas(loadConfig({ ...settings, ...demo }, '/'), { past });
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

async function count(query: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`select count(*) ${query}`);
  return Number(rows[0]?.count);
}

describe('a thousand fans in three months', () => {
  it('makes purchases, refunds, disputes won and lost, failures, corrections and two payout runs', async () => {
    const events = async (type: string, also = ''): Promise<number> =>
      count(`from event where type = '${type}' ${also}`);
    expect(await count(`from (select distinct user_id from generation) fan`)).toBeGreaterThan(800);
    expect(await events('CreditsPurchased')).toBeGreaterThan(500);
    expect(await events('CreditsRefunded')).toBeGreaterThan(100);
    expect(await events('PurchaseReversed', `and data->>'cause' = 'refund'`)).toBeGreaterThan(10);
    expect(await events('PurchaseReversed', `and data->>'cause' = 'dispute'`)).toBeGreaterThan(30);
    expect(await events('PurchaseReinstated')).toBeGreaterThan(10);
    expect(await events('CreditsAdjusted')).toBeGreaterThan(10);
    expect(await events('PayoutPaid')).toBeGreaterThan(7);
  });

  it('states every cent alike in journal, balances, dashboards and files, and to the independent verifier', async () => {
    const { creators, events, closed } = await expectAgreement(app, dataDir, database);
    expect(creators).toBe(8);
    expect(closed).toBeGreaterThan(1);
    expect(events).toBeGreaterThan(20_000);
  });
});
