import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { accessibilityFaults } from '../support/axe.js';
import { signInWithWidget, signUpWithWidget } from '../support/clerk-widget.js';
import { FanBrowser } from '../support/fan-browser.js';

const REFUNDED = 'Credits were automatically refunded for this generation';
const EMAIL = 'visitor@example.com';
const PASSWORD = 'correct-horse-9';
/** Slow enough to be seen in progress. */
const PROMPT = 'a lighthouse built of circles [[slow:2000]]';

jest.setTimeout(120_000);

describe('fan journey', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start({ SANDBOX_DRAW_MS: '500' });
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const credits = (page: Page, amount: number) =>
    page.getByRole('button', { name: new RegExp(`\\b${amount}\\b.*credits?|credits?.*\\b${amount}\\b`, 'i') });
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
  const generateButton = (page: Page) => page.getByRole('button', { name: /^Generate/ });

  async function generate(page: Page, prompt: string): Promise<void> {
    await promptBox(page).fill(prompt);
    await generateButton(page).click();
    await page.waitForURL(/\/generate\/[0-9a-f-]{36}$/);
  }

  it('guides a new visitor from the home page to an own picture, and back home after signing out', async () => {
    const page = await fan.open('/', { visitor: true });
    await page.getByRole('heading', { name: 'Create Official Fan Art with AI' }).waitFor();
    await page
      .getByRole('link', { name: /Juno Abara/ })
      .first()
      .click();
    await page.waitForURL('**/junoabara');

    // The prompt must survive the sign-up.
    await promptBox(page).fill(PROMPT);
    await generateButton(page).click();
    await page.waitForURL('**/sign-up**');
    await signUpWithWidget(page, EMAIL, PASSWORD);
    await page.waitForURL('**/junoabara');
    expect(await promptBox(page).inputValue()).toBe(PROMPT);
    await credits(page, 40).waitFor();

    await generateButton(page).click();
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    const address = page.url();
    await page
      .getByText(/^Generating: /)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await credits(page, 30).waitFor();
    await page.waitForFunction(() => {
      const picture = document.querySelector<HTMLImageElement>('main picture img');
      return picture !== null && picture.complete && picture.naturalWidth > 0;
    });

    await page.reload();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await credits(page, 30).waitFor();

    await page
      .getByRole('button', { name: /account|menu/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.waitForURL(`${fan.app.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signInWithWidget(page, EMAIL, PASSWORD);
    await credits(page, 30).waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Download' }).waitFor();
  });

  it.each([
    ['[[nsfw]]', /did not comply with our content guidelines/],
    ['[[no-output]]', /Generation succeeded but/],
  ])('returns the credits when the provider answers %s', async (marker, text) => {
    const page = await fan.openAsNewFan('/junoabara');
    await credits(page, 40).waitFor();
    await generate(page, `a quiet harbour ${marker}`);
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await page.getByText(text).first().waitFor();
    await credits(page, 40).waitFor();
  });

  it('returns the credits when the fan cancels', async () => {
    const page = await fan.openAsNewFan('/junoabara');
    await credits(page, 40).waitFor();
    await generate(page, 'a harbour that never ends [[hang]]');
    const cancel = page.getByRole('button', { name: 'Cancel Generation' });
    await cancel.waitFor();
    await page.locator('button:not([aria-disabled=true])', { hasText: 'Cancel Generation' }).click();
    await page.getByText('Generation was canceled by user').first().waitFor();
    await page.getByText(REFUNDED, { exact: true }).waitFor();
    await credits(page, 40).waitFor();
  });

  it("hides a fan's pending picture from another fan, who cannot cancel it", async () => {
    const mine = await fan.openAsNewFan('/junoabara');
    await credits(mine, 40).waitFor();
    await generate(mine, 'only mine [[hang]]');
    const theirs = await fan.openAsNewFan(new URL(mine.url()).pathname);
    await theirs.getByText('Could not find the requested generation').first().waitFor();
    expect(await theirs.getByRole('button', { name: 'Cancel Generation' }).count()).toBe(0);
    expect(await theirs.content()).not.toContain('only mine');
  });

  it.each([
    ['/junoabara', 'GALLERY'],
    ['/nobody-of-that-name', 'Creator not found'],
  ])('%s: has no accessibility faults, dark or light', async (path, heading) => {
    const page = await fan.open(path, { visitor: true });
    await page.getByRole('heading', { name: heading }).first().waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
  });
});
