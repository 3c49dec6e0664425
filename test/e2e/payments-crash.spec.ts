import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ApiUser, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { runLedger } from '../support/ledger-cli.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { seededData } from '../support/seeded-data.js';
import { until } from '../support/until.js';

const ENVIRONMENT = { SANDBOX_DEMO: 'none', LOG_LEVEL: 'fatal' };
const SETTLE_TIMEOUT_MS = 60_000;

jest.setTimeout(180_000);

let dataDir: string;
let port: number;

// A folder for each crash: a webhook that the processor repeats later would reach the fault point of the next one.
beforeEach(async () => {
  dataDir = await seededData();
  port = await freePort();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (environment: Record<string, string> = {}): Promise<AppProcess> =>
  startApp({ dataDir, port, env: { ...ENVIRONMENT, ...environment } });

async function paidCreditsBecome(fan: ApiUser, expected: number): Promise<void> {
  const look = async (): Promise<boolean> => {
    const { body } = await fan.rpc<{ paid_credits: number }>('get_user_credit_breakdown');
    return body.paid_credits === expected;
  };
  // The call is limited to 50 a minute.
  await until(look, `${expected} paid credits`, SETTLE_TIMEOUT_MS, 1_000);
}

describe('payment after a crash', () => {
  it.each([
    ['payments.store-event.after', 'pays', 250],
    ['payments.credit.after', 'pays', 250],
    ['payments.reverse.after', 'refunded', 150],
  ])('%s: grants once, and keeps the ledger equal to the processor', async (point, story, credits) => {
    const app = await start({ FANVAS_FAULT_POINT: point });
    const fan = await signUp(app.url, 'buyer@crash.test', 'crash-test-1');
    const session = sessionOf((await orderBundle(app.url, fan)).body);
    const dies = app.exited;
    const notify = async (): Promise<void> => {
      await controlProcessor(app.url, 'pay', { session, card: 'pays' });
      if (story === 'refunded') await controlProcessor(app.url, 'refund', { session, amount: 1000 });
    };
    // The connection breaks when the process dies.
    await notify().catch((error: unknown) => expect((error as Error).name).toContain('TypeError'));
    expect((await dies).signal).toBe('SIGKILL');
    const again = await start();
    try {
      await paidCreditsBecome(fan, credits);
      expect(await runLedger({ dataDir, port }, 'reconcile', '--from', '2026-01-01')).toMatchObject({ code: 0 });
      expect(await runLedger({ dataDir, port }, 'verify')).toMatchObject({ code: 0 });
    } finally {
      await again.stop();
    }
  });
});
