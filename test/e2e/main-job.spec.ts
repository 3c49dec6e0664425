import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { accessibilityFaults } from '../support/axe.js';
import { signInWithWidget, signUpWithWidget } from '../support/clerk-widget.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { resize } from '../support/idle.js';

const REFUNDED = 'Credits were automatically refunded for this generation';
const EMAIL = 'visitor@example.com';
const PASSWORD = 'correct-horse-9';
const PROMPT = 'a lighthouse built of circles';
const PHONE_WIDTH = 390;
const DESKTOP = { width: 1280, height: 800 };
/** As in `web-vitals.spec.ts`. */
const MAX_CLS = 0.03;

jest.setTimeout(480_000);

describe('fan journey', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  const credits = (page: Page, amount: number) => page.getByRole('button', { name: `${amount} credits`, exact: true });
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
  const generateButton = (page: Page) => page.getByRole('button', { name: /^Generate/ });

  async function generate(page: Page, prompt: string): Promise<void> {
    const before = page.url();
    await promptBox(page).fill(prompt);
    await generateButton(page).click();
    await page.waitForURL((url) => url.href !== before && /\/generate\/[0-9a-f-]{36}$/.test(url.pathname));
  }

  /** Width and height of the frame that holds the prompt, then the picture. */
  const frameOf = (page: Page): Promise<{ width: number; height: number }> =>
    page.evaluate(() => {
      const { width, height } = document
        .querySelector('main h1, main picture')!
        .closest('.aspect-\\(--shape\\)')!
        .getBoundingClientRect();
      return { width: Math.round(width), height: Math.round(height) };
    });

  /**
   * Signs up with the form of this page and arrives at the page of the creator. The frame of the form stays until that
   * page is there, which does not shift.
   */
  async function signUp(page: Page, email: string): Promise<void> {
    await page.waitForLoadState('networkidle');
    await page.locator('input[name=emailAddress]').waitFor();
    await page.evaluate(() => {
      const seen = { heights: [] as number[], shifts: [] as number[] };
      Object.assign(window, { seen });
      const look = (): void => {
        const frame = document.querySelector('[data-auth-frame]');
        const isHere = window.location.pathname.startsWith('/sign-up');
        if (isHere) seen.heights.push(frame?.getBoundingClientRect().height ?? 0);
        requestAnimationFrame(look);
      };
      look();
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          // The form for the code is lower than the one before it, which counts once the input is half a second old.
          if (!entry.hadRecentInput && window.location.pathname === '/junoabara') seen.shifts.push(entry.value);
        }
      }).observe({ type: 'layout-shift' });
    });
    await signUpWithWidget(page, email, PASSWORD);
    await page.waitForURL('**/junoabara');
    await credits(page, 40).waitFor();
    const seen = await page.evaluate(
      () => (window as unknown as { seen: { heights: number[]; shifts: number[] } }).seen,
    );
    // The form for the code has about 340 px.
    expect(Math.min(...seen.heights)).toBeGreaterThan(300);
    expect(seen.shifts.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(MAX_CLS);
  }

  it('[F1.01, F2.01, F6.01] guides a visitor to an own picture in the chosen shape, and back after signing out', async () => {
    const page = await fan.open('/', { visitor: true });
    await page.getByRole('heading', { level: 1, name: 'Create Official Fan Art with AI' }).waitFor();
    await page.getByText('Choose a creator below to get started').waitFor();
    await page
      .getByRole('link', { name: /Juno Abara/ })
      .first()
      .click();
    await page.waitForURL('**/junoabara');
    await page.getByRole('heading', { name: 'GALLERY' }).waitFor();
    await page.locator('main picture img').nth(1).waitFor();

    // The prompt and its shape, chosen by keyboard, survive the sign-up.
    await promptBox(page).fill(PROMPT);
    await page.getByRole('radio', { name: 'Square' }).focus();
    await page.keyboard.press('ArrowRight');
    await generateButton(page).click();
    await page.waitForURL('**/sign-up**');
    await signUp(page, EMAIL);
    expect(await promptBox(page).inputValue()).toBe(PROMPT);
    expect(await page.getByRole('radio', { name: 'Portrait' }).isChecked()).toBe(true);
    await resize(page, { width: PHONE_WIDTH, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE_WIDTH);

    // The frame keeps its shape from the prompt to the picture, and on the shared page. The picture waits until then.
    let measured = (): void => undefined;
    const isMeasured = new Promise<void>((resolve) => (measured = resolve));
    await page.route(/get_generation_by_id|\/events\/generations\//, async (route) => {
      await isMeasured;
      await route.continue();
    });
    await generateButton(page).click();
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    const address = page.url();
    await page
      .getByText(/^Generating: /)
      .first()
      .waitFor();
    const awaited = await frameOf(page);
    expect(awaited.height / awaited.width).toBeCloseTo(1216 / 832, 2);
    measured();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await credits(page, 30).waitFor();
    const picture = page.locator('main picture img').first();
    await picture.waitFor();
    expect(await frameOf(page)).toEqual(awaited);
    // A quarter of 832 by 1216, as the pictures of tests are (`picture-px.mjs`).
    expect(await picture.evaluate((image) => [image.getAttribute('width'), image.getAttribute('height')])).toEqual([
      '208',
      '304',
    ]);
    await page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('main picture img');
      return image !== null && image.complete && image.naturalWidth > 0;
    });
    const html = await (await fetch(address)).text();
    expect(html).toContain('<meta property="og:image:width" content="208"');
    expect(html).toContain('<meta property="og:image:height" content="304"');
    expect(html).toMatch(/\{--shape:0\.684/);

    await page.setViewportSize(DESKTOP);
    await page.reload();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await credits(page, 30).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL(`${fan.app.url}/`);
    const shared = await fan.open(new URL(address).pathname, { visitor: true, width: PHONE_WIDTH });
    await shared.getByRole('button', { name: 'Download' }).waitFor();
    expect(await frameOf(shared)).toEqual(awaited);
    // Next to the narrow picture, the side still ends at the gutter of the page.
    await resize(shared, DESKTOP);
    const last = await shared.getByRole('button', { name: 'Copy link' }).boundingBox();
    expect(Math.round((last?.x ?? 0) + (last?.width ?? 0))).toBe(DESKTOP.width - 32);
    expect(await accessibilityFaults(shared)).toEqual([]);
    await shared.close();

    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signInWithWidget(page, EMAIL, PASSWORD);
    await credits(page, 30).waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Download' }).waitFor();
  });

  it('gives a visitor on a phone the identity SDK when the browser is idle, and its forms on the way to them', async () => {
    const page = await fan.openAlone('/robots.txt', { width: PHONE_WIDTH });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const forms = (): string[] => asked.filter((path) => path.includes('/@clerk/ui@'));

    await page.goto(`${fan.app.url}/junoabara`);
    await page.waitForFunction(() => (window as { Clerk?: { loaded: boolean } }).Clerk?.loaded === true);
    const afterLoad = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const sdk = performance.getEntriesByType('resource').find(({ name }) => name.includes('/__clerk/'));
      return sdk!.startTime - navigation!.loadEventStart;
    });
    expect(afterLoad).toBeGreaterThan(4_900);
    await page.waitForLoadState('networkidle');
    expect(forms()).toEqual([]);

    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
    await page.waitForURL('**/sign-up**');
    await signUp(page, 'phone@example.com');
    expect(forms()).not.toEqual([]);
  });

  it('returns the credits when the fan cancels or the provider refuses, and hides a pending picture from others', async () => {
    const page = await fan.openAsNewFan('/junoabara');
    await credits(page, 40).waitFor();
    await generate(page, 'only mine [[hang]]');
    const other = await fan.open(new URL(page.url()).pathname);
    await other.getByText('Could not find the requested generation').first().waitFor();
    expect(await other.getByRole('button', { name: 'Cancel Generation' }).count()).toBe(0);
    expect(await other.content()).not.toContain('only mine');

    await page.locator('button:not([aria-disabled=true])', { hasText: 'Cancel Generation' }).click();
    await page.getByText('Generation was canceled by user').first().waitFor();
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await credits(page, 40).waitFor();

    await generate(page, 'a quiet harbour [[nsfw]]');
    await page
      .getByText(/did not comply with our content guidelines/)
      .first()
      .waitFor();
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await credits(page, 40).waitFor();
  });
});
