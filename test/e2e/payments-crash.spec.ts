import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ApiUser, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { seededData } from '../support/seeded-data.js';

const CLI = fileURLToPath(new URL('../../dist/server/cli/ledger.js', import.meta.url));
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

/** Performs an action of the processor, its operator or a buyer. */
async function processor(app: AppProcess, action: string, fields: object): Promise<void> {
  const response = await fetch(`${app.url}/__sandbox/stripe/control/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
}

async function checkout(app: AppProcess, fan: ApiUser): Promise<string> {
  const response = await fetch(`${app.url}/functions/v1/create-checkout-session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await fan.token()}` },
    body: JSON.stringify({
      bundleId: 'popular',
      bundleCredits: 250,
      bundlePrice: 25,
      successUrl: `${app.url}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${app.url}/payment-canceled`,
    }),
  });
  const { url } = (await response.json()) as { url: string };
  return url.split('/').at(-1) ?? '';
}

async function paidCreditsBecome(fan: ApiUser, expected: number): Promise<void> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  let paid: number | undefined;
  while (paid !== expected && performance.now() < deadline) {
    const { body } = await fan.rpc<{ paid_credits: number }>('get_user_credit_breakdown');
    paid = body.paid_credits;
    if (paid !== expected) await delay(200);
  }
  expect(paid).toBe(expected);
}

/** Runs `npm run ledger` while the app runs. */
async function ledger(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('payment after a crash', () => {
  it.each([
    ['payments.store-event.after', 'pays', 250],
    ['payments.credit.after', 'pays', 250],
    ['payments.reverse.after', 'refunded', 150],
  ])('%s: grants once, and keeps the ledger equal to the processor', async (point, story, credits) => {
    const app = await start({ FANVAS_FAULT_POINT: point });
    const fan = await signUp(app.url, 'buyer@crash.test', 'crash-test-1');
    const session = await checkout(app, fan);
    const dies = app.exited;
    const notify = async (): Promise<void> => {
      await processor(app, 'pay', { session, card: 'pays' });
      if (story === 'refunded') await processor(app, 'refund', { session, amount: 1000 });
    };
    // The connection breaks when the process dies.
    await notify().catch((error: unknown) => expect((error as Error).name).toContain('TypeError'));
    expect((await dies).signal).toBe('SIGKILL');
    const again = await start();
    try {
      await paidCreditsBecome(fan, credits);
      expect(await ledger('reconcile', '--from', '2026-01-01')).toMatchObject({ code: 0 });
      expect(await ledger('verify')).toMatchObject({ code: 0 });
    } finally {
      await again.stop();
    }
  });
});
