import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { type DailyGrantResponse } from '../../src/contract/credits.js';
import { type Frame } from '../../src/contract/frame.js';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import { createPool } from '../../src/platform/database/pool.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { loadKeys } from '../../src/sandbox/clerk/keys.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, rpc, signIn, signUp } from './api-client.js';
import { type AppProcess, freePort, startApp } from './app-process.js';
import { launchBrowser, UNOPTIMISED } from './chromium.js';
import { seededData } from './seeded-data.js';
import { Tabs } from './tabs.js';
import { atEndOfWorker } from './worker-end.js';
import { until } from './until.js';

/** The answer to a call: a response, no response (`lost`), or a request that stays open (`never`). */
export type Answer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | 'lost'
  | 'never';
/** By the name of the procedure or function; `events` is the live stream. A function is called for each request. */
export type Answers = Readonly<Record<string, Answer | (() => Answer | Promise<Answer>)>>;

/** The credits of a new fan: the sign-up bonus and the credits of the day. */
export const NEW_FAN_CREDITS = 40;
const PASSWORD = 'correct-horse-9';

interface Visit {
  readonly width?: number;
  readonly answers?: Answers;
  /** Timers with exactly these delays fire after 50 ms instead. */
  readonly shortenedDelaysMs?: readonly number[];
}

/** The shared app draws images soon, and payments that settle later do not settle during a test. */
const SHARED_SETTINGS = { SANDBOX_DRAW_MS: '500', SANDBOX_SETTLE_MS: '86400000' };
let shared: Promise<FanBrowser> | undefined;
/** The browser of a worker. */
let launched: Promise<Browser> | undefined;

function theBrowser(): Promise<Browser> {
  return (launched ??= (async () => {
    const browser = await launchBrowser([UNOPTIMISED]);
    atEndOfWorker(() => browser.close());
    return browser;
  })());
}

/**
 * The built app with the small demo, a browser, and people who use it. All spec files of a worker share them: a test
 * uses people and prompts of its own, and leaves what the demo has as it was.
 */
export class FanBrowser {
  /** Made by {@link fanTabs}. */
  private fan: Promise<{ readonly user: ApiUser; readonly tabs: Tabs }> | undefined;
  private visitorTabs: Promise<Tabs> | undefined;
  /** Contexts for the other people of a test, and how many of them the running test has used. */
  private readonly others: Tabs[] = [];
  private othersInUse = 0;
  private readonly withTouch: Tabs[] = [];
  private signedUp = 0;

  private constructor(
    readonly app: AppProcess,
    private readonly browser: Browser,
    private readonly dataDir: string,
    private readonly postgres: EmbeddedPostgres,
    /** Connections to the app's database. */
    readonly database: ReturnType<typeof createPool>,
    /** The demo creator with a gallery, as the public sees them. */
    readonly creator: PublicCreator,
  ) {}

  /**
   * @param env settings that the shared app does not have; an app of its own is then started. With a past of the demo
   * (`SANDBOX_PAST_MONTHS`), it starts from an empty folder.
   */
  static async start(env?: Readonly<Record<string, string>>): Promise<FanBrowser> {
    if (env) return FanBrowser.launch(env);
    return (shared ??= FanBrowser.share());
  }

  /** The global teardown stops the app and removes its data (`seed-setup.mjs`). */
  private static async share(): Promise<FanBrowser> {
    const fans = await FanBrowser.launch(SHARED_SETTINGS);
    const record = { pid: fans.app.pid, dataDir: fans.dataDir };
    appendFileSync(String(process.env['SHARED_APPS']), `${JSON.stringify(record)}\n`);
    fans.app.unref();
    atEndOfWorker(() => fans.database.end());
    return fans;
  }

  private static async launch(env: Readonly<Record<string, string>>): Promise<FanBrowser> {
    const hasPast = 'SANDBOX_PAST_MONTHS' in env;
    const dataDir = hasPast ? await mkdtemp(join(tmpdir(), 'fanvas-e2e-')) : await seededData();
    const browser = await theBrowser();
    const settings = { SANDBOX_DEMO: 'small', ...env };
    const app = await startApp({ dataDir, port: await freePort(), env: settings, timeoutMs: 600_000 });
    const postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'fanvas' });
    const database = createPool(postgres.url, { max: 1 });
    const creator = await rpc<PublicCreator>(app.url, 'get_public_creator_by_username', { p_username: 'junoabara' });
    return new FanBrowser(app, browser, dataDir, postgres, database, creator.body);
  }

  /** Stops what this file does not share with others. */
  async stop(): Promise<void> {
    if (shared && this === (await shared)) return;
    for (const tabs of await this.keptTabs()) await tabs.close();
    await this.database.end();
    await this.postgres.stop();
    await this.app.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** The gallery of the creator, as the public sees it. */
  async gallery(): Promise<GalleryItem[]> {
    const request = { p_creator_id: this.creator.id };
    return (await rpc<GalleryItem[]>(this.app.url, 'get_gallery_generations_public', request)).body;
  }

  /** The API of the fan whose pages {@link open} opens. */
  async user(): Promise<ApiUser> {
    return (await this.fanTabs()).user;
  }

  /**
   * Opens a page as the fan, who is the same in all tests and has {@link NEW_FAN_CREDITS}, or as a visitor. Calls that
   * `answers` names do not reach the server.
   */
  async open(path: string, { visitor, ...visit }: Visit & { readonly visitor?: boolean } = {}): Promise<Page> {
    return this.openIn(visitor ? await this.visitors() : (await this.fanTabs()).tabs, path, visit);
  }

  /** Opens a page as a fan who has just signed up and who is used by this test alone. */
  async openAsNewFan(path: string, visit: Visit = {}): Promise<Page> {
    return this.openAs(await this.signUp(), path, visit);
  }

  /** Opens a page as this person, in a context that the test shares with no other person. */
  async openAs(user: ApiUser, path: string, visit: Visit = {}): Promise<Page> {
    const tabs = await this.otherTabs();
    await tabs.addCookies(user.cookies);
    return this.openIn(tabs, path, visit);
  }

  /** Opens a page as a visitor in a context of its own, for tests that sign the visitor up. */
  async openAlone(path: string, visit: Visit = {}): Promise<Page> {
    return this.openIn(await this.otherTabs(), path, visit);
  }

  /**
   * Opens a page as a demo account, such as `creator@fanvas.test`, in a context of its own. With `touch`, its screen is
   * one that fingers use.
   */
  async openAsDemoAccount(
    email: string,
    path: string,
    { touch = false, ...visit }: Visit & { readonly touch?: boolean } = {},
  ): Promise<Page> {
    const user = await signIn(this.app.url, email, DEMO_PASSWORD);
    if (!touch) return this.openAs(user, path, visit);
    const tabs = await Tabs.create(this.browser, this.app.url, touch);
    this.withTouch.push(tabs);
    await tabs.addCookies(user.cookies);
    return this.openIn(tabs, path, visit);
  }

  /** Gives a user the admin role at the sandbox's identity provider, and waits until the app knows it. */
  async makeAdmin({ userId, rpc: call }: ApiUser): Promise<void> {
    const { secretKey } = await loadKeys(join(this.dataDir, 'sandbox', 'clerk'));
    const response = await fetch(`${this.app.url}/__clerk/backend/v1/users/${userId}/metadata`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ public_metadata: { roles: ['admin'] } }),
    });
    if (!response.ok) throw new Error(`The role was refused: ${response.status} ${await response.text()}`);
    await until(async () => (await call('check_admin_by_jwt')).body === true, 'the admin role', 60_000, 1_250);
  }

  /** Makes the last verification of all sessions of a user older, at the sandbox's identity provider. */
  async ageVerification({ userId }: Pick<ApiUser, 'userId'>, minutes: number): Promise<void> {
    const { secretKey } = await loadKeys(join(this.dataDir, 'sandbox', 'clerk'));
    const backend = async (path: string, init: RequestInit = {}): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${this.app.url}/__clerk/backend/v1${path}`, { headers, ...init });
      if (!response.ok) throw new Error(`The sandbox refused ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const found = (await backend(`/sessions?user_id=${userId}&status=active&limit=500`)) as { data: { id: string }[] };
    for (const { id } of found.data) {
      await backend(`/sessions/${id}/age_verification`, { method: 'POST', body: JSON.stringify({ minutes }) });
    }
  }

  /** Opens another tab of the person whose page this is. */
  async openTab(page: Page, path: string, visit: Visit = {}): Promise<Page> {
    const tabs = [...(await this.keptTabs()), ...this.withTouch].find((each) => each.owns(page));
    if (!tabs) throw new Error('This page was opened elsewhere.');
    return this.openIn(tabs, path, visit);
  }

  /** After each test: checks that no request left the machine, closes all pages and resets the rate limits. */
  async tidy(): Promise<void> {
    this.othersInUse = 0;
    for (const tabs of await this.keptTabs()) await tabs.reset();
    for (const tabs of this.withTouch.splice(0)) await tabs.close();
    await this.database.query('delete from rate_limit');
  }

  private async openIn(tabs: Tabs, path: string, { width, answers, shortenedDelaysMs }: Visit): Promise<Page> {
    const page = await tabs.open(width);
    if (shortenedDelaysMs) await page.addInitScript(shortenTimers, shortenedDelaysMs);
    if (answers) await answer(page, answers);
    await page.goto(this.app.url + path);
    // Until a drawn page is hydrated, its links load documents. Hydration removes the numbers of the styles.
    await page.waitForFunction(() => document.querySelector('[data-s]') === null);
    return page;
  }

  private async otherTabs(): Promise<Tabs> {
    const tabs = (this.others[this.othersInUse] ??= await Tabs.create(this.browser, this.app.url));
    this.othersInUse += 1;
    return tabs;
  }

  private async keptTabs(): Promise<Tabs[]> {
    const kept = [...this.others];
    if (this.fan) kept.push((await this.fan).tabs);
    if (this.visitorTabs) kept.push(await this.visitorTabs);
    return kept;
  }

  /** Signs up a fan and grants the credits of the day. The page requests them too, but ignores errors of the server. */
  async signUp(): Promise<ApiUser> {
    this.signedUp += 1;
    const user = await signUp(this.app.url, `fan-${process.pid}-${this.signedUp}@example.com`, PASSWORD);
    await until(
      async () => (await user.rpc<DailyGrantResponse>('grant_daily_credits_by_jwt')).body.success,
      'the credits of the day',
      60_000,
      1_000,
    );
    return user;
  }

  private visitors(): Promise<Tabs> {
    return (this.visitorTabs ??= Tabs.create(this.browser, this.app.url));
  }

  private fanTabs(): NonNullable<FanBrowser['fan']> {
    return (this.fan ??= (async () => {
      const user = await this.signUp();
      const tabs = await Tabs.create(this.browser, this.app.url);
      await tabs.addCookies(user.cookies);
      // From here on the browser does not request the credits of the day again.
      const page = await this.openIn(tabs, '/credits', {});
      await page.getByRole('button', { name: `${NEW_FAN_CREDITS} credits` }).waitFor();
      await page.close();
      await tabs.keep();
      return { user, tabs };
    })());
  }
}

/** Starts what a file needs, gives it to `use`, tidies up after each test, and stops it at the end. */
export function useFanBrowser(
  use: (started: FanBrowser) => unknown,
  ...env: Parameters<typeof FanBrowser.start>
): void {
  let fan: FanBrowser | undefined;
  beforeAll(async () => {
    fan = await FanBrowser.start(...env);
    await use(fan);
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan?.tidy());
}

/** Calls whose answers the server puts into the pages that it draws. */
const DRAWN_CALLS = [
  'get_public_creators',
  'get_public_creator_by_username',
  'get_gallery_generations_public',
  'get_generation_by_id',
];
const DRAWN_PARTS = /<div id="root">.*<\/div>\s*<script id="fanvas-page"[^>]*>.*?<\/script>/s;

/** Calls whose first answers come with the frame of a page, and their parts of it. */
const FRAME_PARTS: Readonly<Record<string, keyof Frame>> = {
  get_own_roles_by_jwt: 'roles',
  get_user_credit_breakdown: 'credits',
  has_active_pending_generation_jwt: 'has_active_generation',
  get_own_suspension_by_jwt: 'suspension',
  get_admin_counts: 'admin_counts',
  get_open_difference_count: 'open_differences',
};

/**
 * Answers calls of the page instead of the server. If the server would draw their answers, the browser draws the page;
 * if they would come with the frame, the page asks for each.
 */
async function answer(page: Page, answers: Answers): Promise<void> {
  if (DRAWN_CALLS.some((name) => name in answers)) {
    await page.route('**', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      const html = await response.text();
      return route.fulfill({ response, body: html.replace(DRAWN_PARTS, '<div id="root"></div>') });
    });
  }
  await page.route(/\/rest\/v1\/rpc\/|\/functions\/v1\/|\/events\/generations\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.startsWith('/events/') ? 'events' : (pathname.split('/').at(-1) ?? '');
    const found = answers[name];
    const given = typeof found === 'function' ? await found() : found;
    const parts = Object.keys(FRAME_PARTS).filter((call) => call in answers);
    if (name === 'get_frame' && given === undefined && parts.length > 0) {
      const response = await route.fetch();
      const frame = (await response.json()) as Record<string, unknown>;
      for (const part of parts) Reflect.deleteProperty(frame, FRAME_PARTS[part] ?? '');
      return route.fulfill({ response, json: frame });
    }
    if (given === undefined) return route.fallback();
    if (given === 'never') return undefined;
    if (given === 'lost') return route.abort('failed');
    return route.fulfill({
      status: given.status ?? 200,
      contentType: 'application/json',
      headers: given.headers ?? {},
      body: JSON.stringify(given.body),
    });
  });
}

/** A refusal in the server's format. */
export const refusal = (status: number, message: string, code = 'P0001'): Answer => ({
  status,
  body: { code, message, details: null, hint: null },
});

/** Runs in the page before its scripts. Replaces the given timer delays (ms) with 50 ms. */
function shortenTimers(delays: readonly number[]): void {
  const { setTimeout: timeout, setInterval: interval } = window;
  const shorter = (ms?: number): number | undefined => (ms !== undefined && delays.includes(ms) ? 50 : ms);
  window.setTimeout = ((run: () => void, ms?: number) => timeout(run, shorter(ms))) as typeof window.setTimeout;
  window.setInterval = ((run: () => void, ms?: number) => interval(run, shorter(ms))) as typeof window.setInterval;
}
