import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MIGRATE_PROGRAM } from '../../src/cli/migrate/migrate-program.js';
import { runArguments } from '../../src/cli/program.js';
import { signUp } from '../support/api-client.js';
import { type AppProcess, freePort } from '../support/app-process.js';
import { SteadyRequests } from '../support/compose.js';
import { ProxiedInstallation } from '../support/proxied-installation.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';

jest.setTimeout(600_000);

/** The folder `dist/server` of the last release (`scripts/test-upgrade.mjs`). */
const LAST_RELEASE = process.env['LAST_RELEASE'] ?? '';
/** Fans without cookies reach each process in turn. */
const FANS_OF_BOTH = 4;
const POLL_MS = 1_250;

let installation: ProxiedInstallation;
let fans = 0;

beforeAll(async () => {
  if (!LAST_RELEASE) throw new Error('Run npm run test:upgrade.');
  const demo = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150' };
  installation = await ProxiedInstallation.create(demo, LAST_RELEASE);
});
afterAll(() => installation?.remove());

/** A new fan draws a picture and buys credits. Each call must succeed. */
async function doMainJob(): Promise<void> {
  const { url, sandboxes } = installation;
  const fan = await signUp(url, `fan${(fans += 1)}@upgrade.test`, 'upgrade-test-1', { sandboxes });
  const call = async <T>(name: string, body: object = {}): Promise<T> => {
    const answer = await fan.rpc<T>(name, body);
    expect([name, answer.status, answer.body]).toEqual([name, 200, answer.body]);
    return answer.body;
  };
  const [creator] = await call<{ id: string }[]>('get_public_creators');
  const request = { p_prompt: 'a lighthouse at dusk', p_creator_id: creator?.id };
  const { generation_id: p_generation_id } = await call<{ generation_id: string }>('start_generation_by_jwt', request);
  const isDrawn = async (): Promise<boolean> =>
    (await call<{ status: string }>('get_generation_by_id', { p_generation_id })).status === 'completed';
  await until(isDrawn, 'the picture', 60_000, POLL_MS);
  const session = sessionOf((await orderBundle(url, fan)).body);
  await controlProcessor(sandboxes, 'pay', { session, card: 'pays' });
  const isPaid = async (): Promise<boolean> =>
    (await call<{ paid_credits: number }>('get_user_credit_breakdown')).paid_credits === 250;
  await until(isPaid, 'the paid credits', 60_000, POLL_MS);
}

describe('an update from the last release', () => {
  it('fails no request while the database is migrated, both versions serve, and the older one stops', async () => {
    const olderPort = await freePort();
    const newerPort = await freePort();
    const older: AppProcess = await installation.startProcess(olderPort, {}, LAST_RELEASE);
    await installation.startProxy([olderPort, newerPort]);
    const requests = new SteadyRequests(installation.url, ['/healthz', '/favicon.ico']);
    await doMainJob();

    expect(await runArguments(MIGRATE_PROGRAM, [], { ...installation.env, DATA_DIR: installation.dataDir })).toBe(0);
    await doMainJob();

    await installation.startProcess(newerPort, { FANVAS_MIGRATE: 'off' });
    await until(() => installation.servesAll(), 'the proxy to serve both', 30_000, 100);
    for (let fan = 0; fan < FANS_OF_BOTH; fan += 1) await doMainJob();

    await older.stop();
    await doMainJob();
    await requests.end();
    expect([...requests.failures]).toEqual([]);
    expect(requests.answered).toBeGreaterThan(0);
    expect(await installation.ledger('verify')).toMatchObject({ code: 0 });
  });
});
