import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';

jest.setTimeout(120_000);

describe('creator portal', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const accept = (page: Page) => page.getByRole('button', { name: 'I Accept Terms' });
  const overflow = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  it('[C2.01, C2.08, C2.09, C2.11, C4.11, C4.12, C7.10] takes a stranger from the sign-up to the review', async () => {
    const page = await fan.openAlone('/creator');
    await title(page, 'Join as a Creator').waitFor();
    await page.getByLabel('Email').fill('nadia@vossprints.example');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-9');
    await page.getByLabel('Name').fill('Nadia Voss');
    await page.getByLabel('Instagram handle').fill('@nadia.voss');
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();

    const code = page.getByLabel('Code');
    await code.fill('111111');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('alert').filter({ hasText: 'Incorrect code' }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    // The code was sent to this sign-up, so it is still asked for.
    await page.reload();
    await code.fill(`${EMAIL_CODE.slice(0, 3)} ${EMAIL_CODE.slice(3)}`);
    await page.getByRole('button', { name: 'Verify' }).click();

    await page.waitForURL('**/creator/terms-acceptance');
    await page.getByText('Nadia Voss, nadia@vossprints.example').waitFor();
    await accept(page).click();
    await title(page, 'Application Submitted').waitFor();
    expect(await page.evaluate(() => (history.state as { usr: unknown }).usr)).toMatchObject({
      termsJustAccepted: true,
      flowType: 'new_user',
    });
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.reload();
    await title(page, 'Application Submitted').waitFor();

    // Nothing is left to accept.
    await page.goto(`${fan.app.url}/creator/terms-acceptance`);
    await title(page, 'Application Submitted').waitFor();
  });

  it('[C2.02, C2.12, C2.29, C6.02] lets a fan apply on a phone, also after a reload in the middle of the terms', async () => {
    const page = await fan.openAsNewFan('/creator', { width: 390 });
    await title(page, 'Apply to Become a Creator').waitFor();
    await page.getByLabel('Creator name').fill('Ines Falk');
    await page.getByLabel('Instagram handle').fill('ines.falk');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Instagram handle must start with @').waitFor();
    expect([await accessibilityFaults(page, { light: true }), await overflow(page)]).toEqual([[], 0]);
    await page.getByLabel('Instagram handle').fill('@ines.falk');
    await page.getByRole('button', { name: 'Apply' }).click();

    await accept(page).waitFor();
    await page.getByLabel('Section', { exact: true }).selectOption({ index: 3 });
    await page.waitForFunction(() => window.scrollY > 600);
    const position = await page.evaluate(() => Math.round(window.scrollY));
    expect([await accessibilityFaults(page, { light: true }), await overflow(page)]).toEqual([[], 0]);
    await page.reload();
    await accept(page).waitFor();
    await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 2, position);
    await accept(page).click();
    await title(page, 'Application Submitted').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByText('We check that @ines.falk is you').waitFor();
  });

  it('[C2.30] asks a visitor of the terms to sign in, and keeps the way back', async () => {
    const page = await fan.open('/creator/terms-acceptance', { visitor: true });
    await page.waitForURL('**/sign-in**');
    expect(await page.evaluate(() => (history.state as { usr: unknown }).usr)).toMatchObject({
      returnTo: '/creator/terms-acceptance',
    });
  });
});
