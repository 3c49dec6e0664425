import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { launchBrowser } from '../support/chromium.js';
import { drawTrial } from '../support/model-trial.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { seededData } from '../support/seeded-data.js';
import { Tabs } from '../support/tabs.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const PASSWORD = 'correct-horse-9';
const CREATOR = 'nadia@vossprints.example';
const DAY_MS = 86_400_000;
const BUNDLE_CREDITS = 250;
/** Far below the limits of calls. */
const POLL_MS = 1_500;
const EARLIER = new URL('../support/earlier-date.mjs', import.meta.url).href;

/** Images that a new fan gets for the credits of the sign-up and of the day. */
const FREE_IMAGES = 4;

describe('the money of a creator, from the application to the first payable dollar', () => {
  let dataDir: string;
  let browser: Browser;
  let app: AppProcess;
  let tabs: Tabs;
  let creatorId: string;

  const start = async (env: Readonly<Record<string, string>>): Promise<AppProcess> =>
    startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small', ...env }, timeoutMs: 120_000 });

  beforeAll(async () => {
    dataDir = await seededData();
    [app, browser] = await Promise.all([
      // The first part happens 31 days ago.
      start({ NODE_OPTIONS: `--import=${EARLIER}`, EARLIER_BY_MS: String(31 * DAY_MS) }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  /** Calls as a person; the answer must be a success. */
  async function call<T>(user: ApiUser, name: string, body: object = {}): Promise<T> {
    const { status, body: answer } = await user.rpc<T>(name, body);
    expect({ name, status, answer }).toMatchObject({ status: 200 });
    return answer;
  }

  /** A new fan pays with a card. @returns the session at the processor */
  async function buy(fan: ApiUser): Promise<string> {
    const session = sessionOf((await orderBundle(app.url, fan)).body);
    await controlProcessor(app.url, 'pay', { session, card: 'pays' });
    await until(
      async () =>
        (await fan.rpc<{ paid_credits?: number }>('get_user_credit_breakdown')).body.paid_credits === BUNDLE_CREDITS,
      'the paid credits',
      60_000,
      POLL_MS,
    );
    return session;
  }

  async function draw(fan: ApiUser, prompt: string): Promise<void> {
    const { generation_id: id } = await call<{ generation_id: string }>(fan, 'start_generation_by_jwt', {
      p_prompt: prompt,
      p_creator_id: creatorId,
    });
    await until(
      async () =>
        (await fan.rpc<{ status?: string }>('get_generation_by_id', { p_generation_id: id })).body.status ===
        'completed',
      'the image',
      60_000,
      POLL_MS,
    );
  }

  /** A new fan uses the free credits, buys and gets one image for paid credits. @returns the session of the purchase */
  async function paidImage(email: string, prompt: string): Promise<string> {
    const fan = await signUp(app.url, email, PASSWORD);
    await until(
      async () => (await fan.rpc('grant_daily_credits_by_jwt')).status === 200,
      'the credits of the day',
      60_000,
      POLL_MS,
    );
    for (let image = 1; image <= FREE_IMAGES; image += 1) await draw(fan, `a free lighthouse, number ${image}`);
    const session = await buy(fan);
    await draw(fan, prompt);
    return session;
  }

  async function dashboard(): Promise<Page> {
    tabs = await Tabs.create(browser, app.url);
    await tabs.addCookies((await signIn(app.url, CREATOR, PASSWORD)).cookies);
    const page = await tabs.open(1280);
    await page.goto(`${app.url}/creator`);
    await page.getByRole('heading', { level: 1, name: 'Welcome back, Nadia Voss' }).waitFor();
    return page;
  }

  let firstSession: string;

  it('earns half of a paid image for a creator who applied, was approved and got a model', async () => {
    const creator = await signUp(app.url, CREATOR, PASSWORD);
    const created = await call<{ creator_id: string; creator_status: string }>(creator, 'create_creator_by_jwt', {
      p_email: CREATOR,
      p_name: 'Nadia Voss',
      p_instagram: '@nadia.voss',
      p_terms_agreed: true,
    });
    expect(created.creator_status).toBe('pending');
    creatorId = created.creator_id;
    const admin = await signIn(app.url, 'admin@fanvas.test', 'fanvas-demo-1');
    await call(admin, 'approve_creator_admin_by_jwt', {
      p_creator_id: creatorId,
      p_identity_verified: 'Passport, seen in a video call',
      p_age_verified: 'Passport',
      p_instagram_verified: 'A code in the profile for a day',
    });
    await call(admin, 'assign_creator_model_admin_by_jwt', {
      p_creator_id: creatorId,
      p_deployment_name: 'fanvas/nadia-voss-v1',
      p_trial_id: await drawTrial(admin, creatorId, 'fanvas/nadia-voss-v1'),
    });
    firstSession = await paidImage('early-fan@example.com', 'a brass band in the rain');
    const { revenue } = await call<{ revenue: object }>(creator, 'get_creator_dashboard_analytics', {
      p_creator_id: creatorId,
    });
    expect(revenue).toMatchObject({ all_time_earnings: 0.5, pending_cents: 50, payable_cents: 0 });
  });

  it('shows it as payable 31 days later, next to a new one that is pending', async () => {
    await app.stop();
    app = await start({});
    await paidImage('late-fan@example.com', 'ocean radio, late');
    const page = await dashboard();
    await page.getByText('$1.00').first().waitFor();
    await page.getByText('ocean radio, late').first().waitFor();
    await page.getByText('a brass band in the rain').first().waitFor();
    const amount = (name: string) => page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).first();
    expect(await amount('Payable').innerText()).toContain('$0.50');
    expect(await amount('Pending').innerText()).toContain('$0.50');
  });

  it('takes a payable earning back when the payment is disputed, and says why', async () => {
    await controlProcessor(app.url, 'dispute', { session: firstSession });
    const page = await dashboard();
    await until(
      async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Latest Earnings' }).waitFor();
        return (await page.getByText('−$0.50').count()) > 0;
      },
      'the correction',
      60_000,
      1_000,
    );
    await page
      .getByRole('row', { name: /Chargeback/ })
      .getByRole('button')
      .click();
    await page.getByText('The earning was payable already').waitFor();
  });
});
