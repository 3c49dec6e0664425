import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { type PublicCreator } from '../../src/contract/gallery.js';
import { rpc } from './api-client.js';
import { type AppProcess, freePort, startApp } from './app-process.js';
import { expectNoOutsideRequests, launchBrowser } from './chromium.js';
import { signUpWithWidget } from './clerk-widget.js';

/** What the server says to a call: an answer, no answer (`lost`), or nothing at all (`never`). */
export type Answer =
  { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> } | 'lost' | 'never';
/** By the name of the procedure; `events` is the live stream. A function is asked anew for each call. */
export type Answers = Readonly<Record<string, Answer | (() => Answer | Promise<Answer>)>>;

/** The built app, a browser, and one fan who has signed up in it. */
export class FanBrowser {
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly app: AppProcess,
    private readonly browser: Browser,
    private readonly dataDir: string,
    private readonly session: Awaited<ReturnType<BrowserContext['storageState']>>,
    /** The demo creator with a gallery, as the public sees them. */
    readonly creator: PublicCreator,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<FanBrowser> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-fan-'));
    const app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small', ...env } });
    const browser = await launchBrowser();
    const creator = await rpc<PublicCreator>(app.url, 'get_public_creator_by_username', { p_username: 'junoabara' });
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    await page.goto(`${app.url}/sign-up?redirect_url=/credits`);
    await signUpWithWidget(page, `fan-${Date.now()}@example.com`, 'correct-horse-9');
    await page.waitForURL('**/credits');
    // The day's credits are there, so that no page of a test asks for them or shows another balance first.
    await page.getByRole('button', { name: '40 credits' }).waitFor();
    const session = await context.storageState();
    await context.close();
    return new FanBrowser(app, browser, dataDir, session, creator.body);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.app.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** A page of the fan's, or of a visitor's. What `answers` names never reaches the server. */
  async open(
    path: string,
    options: { readonly visitor?: boolean; readonly width?: number; readonly answers?: Answers } = {},
  ): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.width === 390 ? 844 : 900 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(options.visitor ? {} : { storageState: this.session }),
    });
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    if (options.answers) await answer(page, options.answers);
    await page.goto(this.app.url + path);
    return page;
  }

  /** After each test: nothing went outside, nothing stays open. */
  async tidy(): Promise<void> {
    for (const context of this.contexts.splice(0)) {
      expectNoOutsideRequests(context);
      await context.close();
    }
  }
}

/** Answers in the server's place. */
export async function answer(page: Page, answers: Answers): Promise<void> {
  await page.route(/\/rest\/v1\/rpc\/|\/events\/generations\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.startsWith('/events/') ? 'events' : (pathname.split('/').at(-1) ?? '');
    const found = answers[name];
    const given = typeof found === 'function' ? await found() : found;
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

/** A refusal as the server words it. */
export const refusal = (status: number, message: string, code = 'P0001'): Answer => ({
  status,
  body: { code, message, details: null, hint: null },
});
