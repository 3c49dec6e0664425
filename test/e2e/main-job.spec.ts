import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { accessibilityFaults } from '../support/axe.js';
import { expectNoOutsideRequests, launchBrowser } from '../support/chromium.js';
import { signInWithWidget, signUpWithWidget } from '../support/clerk-widget.js';

const REFUNDED = 'Credits were automatically refunded for this generation';
const PASSWORD = 'correct-horse-9';

jest.setTimeout(120_000);

describe('the main job', () => {
  let dataDir: string;
  let app: AppProcess;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  let visitors = 0;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fanvas-e2e-'));
    app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small' } });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      expectNoOutsideRequests(context);
      await context.close();
    }
  });

  async function open(path = '/', options: { width?: number } = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: 900 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(app.url + path);
    return page;
  }

  async function signUp(page: Page): Promise<string> {
    visitors += 1;
    const email = `visitor${visitors}-${Date.now()}@example.com`;
    await signUpWithWidget(page, email, PASSWORD);
    return email;
  }

  const credits = (page: Page, amount: number) =>
    page.getByRole('button', { name: new RegExp(`\\b${amount}\\b.*credits?|credits?.*\\b${amount}\\b`, 'i') });
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
  const generateButton = (page: Page) => page.getByRole('button', { name: /^Generate/ });

  async function generate(page: Page, prompt: string): Promise<void> {
    await promptBox(page).fill(prompt);
    await generateButton(page).click();
    await page.waitForURL(/\/generate\/[0-9a-f-]{36}$/);
  }

  async function expectAccessible(page: Page): Promise<void> {
    expect(await accessibilityFaults(page)).toEqual([]);
  }

  it('takes a new visitor from the home page to a picture of their own', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Create Official Fan Art with AI' }).waitFor();
    await page
      .getByRole('link', { name: /Juno Abara/ })
      .first()
      .click();
    await page.waitForURL('**/junoabara');

    // Not signed in: the prompt must survive the sign-up.
    await promptBox(page).fill('a lighthouse built of circles');
    await generateButton(page).click();
    await page.waitForURL('**/sign-up**');
    const email = await signUp(page);
    await page.waitForURL('**/junoabara');
    expect(await promptBox(page).inputValue()).toBe('a lighthouse built of circles');
    await credits(page, 40).waitFor();

    const began = Date.now();
    await generateButton(page).click();
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    const address = page.url();
    await page
      .getByText(/^Generating: /)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    expect(Date.now() - began).toBeLessThan(15_000);
    await credits(page, 30).waitFor();
    await page.waitForFunction(() => {
      const picture = document.querySelector<HTMLImageElement>('main picture img');
      return picture !== null && picture.complete && picture.naturalWidth > 0;
    });

    await page.reload();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await credits(page, 30).waitFor();
    await expectAccessible(page);

    await page
      .getByRole('button', { name: /account|menu/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL(`${app.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signInWithWidget(page, email, PASSWORD);
    await credits(page, 30).waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Download' }).waitFor();
  });

  it.each([
    ['[[nsfw]]', /NSFW content detected/],
    ['[[oom]]', /out of memory/],
    ['[[fail]]', /Prediction interrupted/],
    ['[[no-output]]', /Generation succeeded but/],
  ])('gives the credits back when the provider answers %s', async (marker, text) => {
    const page = await open('/sign-up?redirect_url=/junoabara');
    await signUp(page);
    await credits(page, 40).waitFor();
    await generate(page, `a quiet harbour ${marker}`);
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await page.getByText(text).first().waitFor();
    await credits(page, 40).waitFor();
    await expectAccessible(page);
  });

  it('gives the credits back when the fan cancels', async () => {
    const page = await open('/sign-up?redirect_url=/junoabara');
    await signUp(page);
    await credits(page, 40).waitFor();
    await generate(page, 'a harbour that never ends [[hang]]');
    const cancel = page.getByRole('button', { name: 'Cancel Generation' });
    await cancel.waitFor();
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Cancel Generation' }).click();
    await page.getByText('Generation was canceled by user').first().waitFor();
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await credits(page, 40).waitFor();
  });

  it("hides one fan's pending picture from another, and lets them not cancel it", async () => {
    const mine = await open('/sign-up?redirect_url=/junoabara');
    await signUp(mine);
    await generate(mine, 'only mine [[hang]]');
    const theirs = await open('/sign-up?redirect_url=/junoabara');
    await signUp(theirs);
    await credits(theirs, 40).waitFor();
    await theirs.goto(mine.url());
    await theirs.getByText('Could not find the requested generation').first().waitFor();
    expect(await theirs.getByRole('button', { name: 'Cancel Generation' }).count()).toBe(0);
    expect(await theirs.content()).not.toContain('only mine');
  });

  it.each([1280, 390])('has no accessibility faults at %i px, dark and light', async (width) => {
    const page = await open('/', { width });
    await page
      .getByRole('link', { name: /Juno Abara/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.goto(`${app.url}/junoabara`);
    await page.getByRole('heading', { name: 'GALLERY' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${app.url}/nobody-of-that-name`);
    await page.getByText('Creator not found').waitFor();
    await expectAccessible(page);
    await page.goto(`${app.url}/sign-in`);
    await page.locator('input[name=identifier]').waitFor();
    await expectAccessible(page);
  });
});
