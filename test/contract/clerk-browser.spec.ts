import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifyToken } from '@clerk/backend';
import { reverificationError } from '@clerk/backend/internal';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { clerkPageSources } from '../../src/identity/index.js';
import { contentSecurityPolicy } from '../../src/platform/http/content-security-policy.js';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn } from '../support/api-client.js';
import { expectNoOutsideRequests, launchBrowser, UNOPTIMISED } from '../support/chromium.js';
import { CODE_FIELD, signInWithWidget, signUpWithWidget, submitWidget, typeCode } from '../support/clerk-widget.js';
import { removeData, startClerkServer, type ClerkServer } from '../support/clerk-server.js';

const VITE = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));
const PAGE = fileURLToPath(new URL('./clerk-page', import.meta.url));
const PASSWORD = 'correct-horse-9';
// Real pages on a machine that may be busy.
jest.setTimeout(60_000);

describe('Clerk sandbox with the browser SDK', () => {
  let built: string;
  let server: ClerkServer;
  let browser: Browser;
  /** Shared by the tests, so that its cache holds the SDK. Each test begins signed out. */
  let visitor: BrowserContext;
  let problems: string[];
  /** The clock of the provider is this far behind. */
  let agoMs = 0;

  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'fanvas-clerk-page-'));
    await promisify(execFile)(
      process.execPath,
      [VITE, 'build', '--outDir', built, '--emptyOutDir', '--logLevel=error'],
      {
        cwd: PAGE,
      },
    );
    // The content security policy of the product: the SDK must work within it.
    const policy = contentSecurityPolicy(
      clerkPageSources({ publishableKey: 'pk_test_unused', proxyUrl: '/__clerk' }),
      'contract-test',
    );
    server = await startClerkServer({
      now: () => new Date(Date.now() - agoMs),
      routes: (app) => {
        app.get('/assets/:file', async (request, reply) => {
          const { file } = request.params as { file: string };
          return reply.type('text/javascript').send(await readFile(join(built, 'assets', file)));
        });
        app.post('/transfer', async (request, reply) => {
          const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
          const { fva } = await verifyToken(token, { jwtKey: server.sandbox.settings.jwtKey });
          if ((fva?.[0] ?? 60) < 60) return { ages: fva };
          return reply.status(403).send(reverificationError({ level: 'second_factor', afterMinutes: 60 }));
        });
        app.setNotFoundHandler(async (_request, reply) => {
          void reply.header('Content-Security-Policy', policy).type('text/html');
          return reply.send(await readFile(join(built, 'index.html')));
        });
      },
    });
    browser = await launchBrowser([UNOPTIMISED]);
    visitor = await browser.newContext();
  }, 60_000);
  afterEach(async () => {
    for (const page of visitor.pages()) {
      await page.evaluate(() => localStorage.clear());
      await page.close();
    }
    await visitor.clearCookies();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await removeData(server);
    await rm(built, { recursive: true });
  });

  async function open(path: string): Promise<Page> {
    const page = await visitor.newPage();
    page.setDefaultTimeout(15_000);
    problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      // Chromium logs refused requests (4xx) as errors, and some tests provoke them.
      const expected = /status of 4(22|00|03)|development keys/;
      if (message.type() === 'error' && !expected.test(message.text())) problems.push(message.text());
    });
    // The widgets render again while their parts load, which can lose earlier typing.
    await page.goto(`${server.url}${path}`, { waitUntil: 'networkidle' });
    return page;
  }

  /** Opens the start page with a session that began outside the browser. */
  async function openSignedIn(email: string, password: string): Promise<Page> {
    return openWith((await signIn(server.url, email, password)).cookies);
  }

  async function openWith(cookies: Readonly<Record<string, string>>): Promise<Page> {
    await visitor.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: server.url })));
    const page = await open('/');
    await page.waitForSelector('#email');
    return page;
  }

  /** The SDK loads the start page. */
  async function signOut(page: Page): Promise<void> {
    await page.click('#sign-out');
    await page.waitForURL(`${server.url}/`, { waitUntil: 'networkidle' });
    await page.waitForSelector('#signed-out');
  }

  it('signs up with e-mail and password, asks for the code, and keeps the session over a reload', async () => {
    const page = await open('/sign-up');
    await signUpWithWidget(page, 'widget@example.com', PASSWORD, '111111');
    await page.getByText('Incorrect code').first().waitFor();
    await page.reload();
    await typeCode(page, EMAIL_CODE);
    await expect(page.textContent('#email')).resolves.toBe('widget@example.com');
    expect(await page.evaluate(() => document.querySelector('img')?.complete)).toBe(true);
    await page.reload();
    await page.waitForSelector('#email');
    expect(problems).toEqual([]);
    expectNoOutsideRequests(page.context());
  });

  it('refuses an unknown e-mail address and a wrong password, then signs in and out', async () => {
    const page = await open('/sign-in');
    await submitWidget(page, { identifier: 'nobody@example.com' });
    await page.getByText("Couldn't find your account").first().waitFor();
    await signInWithWidget(page, 'fan@fanvas.test', 'wrong-password');
    await page.getByText('Password is incorrect').first().waitFor();
    await submitWidget(page, { password: DEMO_PASSWORD });
    await expect(page.textContent('#email')).resolves.toBe('fan@fanvas.test');
    await signOut(page);
    expect(problems).toEqual([]);
    expectNoOutsideRequests(page.context());
  });

  it('resets a forgotten password', async () => {
    await server.sandbox.ensureUser({ email: 'forgetful@example.com', password: PASSWORD });
    const page = await open('/sign-in');
    await submitWidget(page, { identifier: 'forgetful@example.com' });
    await page.getByText('Forgot password?').click();
    await page.getByText('Reset your password').first().click();
    await typeCode(page, EMAIL_CODE);
    await submitWidget(page, { password: 'another-horse-9', confirmPassword: 'another-horse-9' });
    await expect(page.textContent('#email')).resolves.toBe('forgetful@example.com');
    expectNoOutsideRequests(page.context());
  });

  it('keeps the sessions of two browsers separate', async () => {
    const page = await openSignedIn('creator@fanvas.test', DEMO_PASSWORD);
    // The other browser is this program.
    const other = await signIn(server.url, 'creator@fanvas.test', DEMO_PASSWORD);
    const { sid } = await verifyToken(await other.token(), { jwtKey: server.sandbox.settings.jwtKey });
    expect(await page.textContent('#session')).not.toBe(sid);
    await signOut(page);
    expect(await verifyToken(await other.token(), { jwtKey: server.sandbox.settings.jwtKey })).toMatchObject({ sid });
  });

  it('signs up and in through the hooks alone, with a password and with an e-mail code', async () => {
    const page = await open('/headless');
    const submit = async (fields: Record<string, string>): Promise<void> => {
      for (const [name, value] of Object.entries(fields)) await page.fill(`input[name=${name}]`, value);
      await page.click('#go');
    };
    await submit({ email: 'hooks@example.com', password: PASSWORD });
    await submit({ code: '000000' });
    await page.getByText('form_code_incorrect').waitFor();
    await submit({ code: EMAIL_CODE });
    await expect(page.textContent('#email')).resolves.toBe('hooks@example.com');

    await visitor.clearCookies();
    await page.goto(`${server.url}/headless`, { waitUntil: 'networkidle' });
    await page.click('#to-sign-in');
    await submit({ email: 'hooks@example.com', password: 'wrong-password' });
    await page.getByText('form_password_incorrect').waitFor();
    await submit({ email: 'hooks@example.com', password: PASSWORD });
    await page.waitForSelector('#email');

    await visitor.clearCookies();
    await page.goto(`${server.url}/headless`, { waitUntil: 'networkidle' });
    await page.click('#to-ask-code');
    await submit({ email: 'hooks@example.com' });
    await page.waitForSelector('[data-mode=sign-in-code]');
    await submit({ code: EMAIL_CODE });
    await expect(page.textContent('#email')).resolves.toBe('hooks@example.com');
    expectNoOutsideRequests(page.context());
  });

  describe('a call with an old verification', () => {
    /** A page of a person who signed in two hours ago, after the call was refused. */
    async function refused(email: string): Promise<Page> {
      agoMs = 2 * 3_600_000;
      await server.sandbox.ensureUser({ email, password: PASSWORD });
      const { cookies } = await signIn(server.url, email, PASSWORD);
      agoMs = 0;
      const page = await openWith(cookies);
      await page.click('#transfer');
      await page.getByText('Verification required').waitFor();
      return page;
    }

    it('ends with a closed dialog, succeeds when the SDK repeats it after the password, and then needs no dialog', async () => {
      const page = await refused('transfer-1@example.com');
      await page.getByRole('button', { name: 'Close modal' }).click();
      await page.getByText('cancelled').waitFor();
      await page.click('#transfer');
      await page.getByText('Verification required').waitFor();
      await submitWidget(page, { password: 'wrong-password' });
      await page.getByText('Password is incorrect').first().waitFor();
      await submitWidget(page, { password: PASSWORD });
      await page.getByText('{"ages":[0,-1]}').waitFor();
      const [again] = await Promise.all([page.waitForResponse('**/transfer'), page.click('#transfer')]);
      expect(again.status()).toBe(200);
      expect(problems).toEqual([]);
      expectNoOutsideRequests(page.context());
    });

    it('succeeds when the SDK repeats it after the code of an e-mail', async () => {
      const page = await refused('transfer-2@example.com');
      await page.getByText('Use another method').click();
      await page.getByText('Email code to').click();
      await typeCode(page, '000000');
      await page.getByText('Incorrect code').first().waitFor();
      // The widget empties the field 750 ms after it has shown the message.
      await page.waitForFunction(
        (field) => (document.querySelector(field) as HTMLInputElement).value === '',
        CODE_FIELD,
      );
      await typeCode(page, EMAIL_CODE);
      await page.getByText('{"ages":[0,-1]}').waitFor();
      expectNoOutsideRequests(page.context());
    });
  });

  it('issues session and supabase-template tokens that the server accepts', async () => {
    const page = await openSignedIn('auditor@fanvas.test', DEMO_PASSWORD);
    const tokenFor = (template?: string): Promise<string> =>
      page.evaluate(
        (name) =>
          (window as unknown as { getToken(options: object): Promise<string> }).getToken({
            skipCache: true,
            ...(name ? { template: name } : {}),
          }),
        template,
      );
    const options = { jwtKey: server.sandbox.settings.jwtKey, authorizedParties: [server.url] };
    const session = await verifyToken(await tokenFor(), options);
    const supabase = await verifyToken(await tokenFor('supabase'), options);
    expect(session.azp).toBe(server.url);
    expect(supabase).toMatchObject({
      sub: session.sub,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'auditor@fanvas.test',
    });
  });
});
