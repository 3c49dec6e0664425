import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type Suspension, SUSPENSION_MESSAGES, suspensionText } from '../../src/contract/moderation.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { submitWidget } from '../support/clerk-widget.js';
import { FanBrowser, NEW_FAN_CREDITS } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const ADMIN = 'admin@fanvas.test';

/** Admins find a fan and change the balance, alone and as two. */
describe('users for admins', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  /** The violations that axe finds in both themes, on a wide screen and on a phone. */
  const faults = async (page: Page): Promise<string[]> => {
    const wide = await accessibilityFaults(page, { light: true });
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const narrow = await accessibilityFaults(page, { light: true });
    await page.setViewportSize(size);
    return [...wide, ...narrow];
  };

  it('grants credits at once, and more than the daily limit by a second admin', async () => {
    const { userId, rpc } = await fan.user();
    const balance = async (): Promise<number> =>
      (await rpc<{ total_balance: number }>('get_user_credit_breakdown')).body.total_balance;
    expect(await balance()).toBe(NEW_FAN_CREDITS);

    const page = await fan.openAsDemoAccount(ADMIN, '/admin/users');
    await page.getByRole('row').nth(1).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type(userId);
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByRole('table').getByRole('link').press('Enter');

    await page.getByText(`, ${userId}, since`).waitFor();
    await page.getByRole('list', { name: 'Ledger' }).getByRole('button').first().press('Enter');
    await page.getByText('Event before').waitFor();
    await page.getByLabel('Credits', { exact: true }).fill('20');
    await page.getByText('bonus 30 to 50').waitFor();
    await page.getByLabel('Reason').fill('Two pictures came out blank');
    expect(await faults(page)).toEqual([]);
    await button(page, 'Grant 20 credits').click();
    await page.getByText('20 credits granted.').waitFor();
    expect(await balance()).toBe(NEW_FAN_CREDITS + 20);

    await page.getByLabel('Credits', { exact: true }).fill('5000');
    await page.getByLabel('Reason').fill('Prize of the November contest');
    await button(page, 'Propose to a second admin').click();
    await page.getByText('You proposed it: another admin must decide.').waitFor();
    expect(await balance()).toBe(NEW_FAN_CREDITS + 20);

    const other = await signIn(fan.app.url, 'finance@fanvas.test', DEMO_PASSWORD);
    await fan.makeAdmin(other);
    const second = await fan.openAs(other, '/admin/users?tab=proposals');
    await button(second, /^Approve: Grant 5,000/).waitFor();
    expect(await faults(second)).toEqual([]);
    await button(second, /^Approve: Grant 5,000/).click();
    const dialog = second.getByRole('alertdialog');
    await dialog.waitFor();
    expect(await faults(second)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await second.getByText('Nothing waits for a second admin').waitFor();
    await until(async () => (await balance()) === NEW_FAN_CREDITS + 5020, 'the credits of the proposal');
    const credits = await fan.open('/credits');
    await button(credits, `${NEW_FAN_CREDITS + 5020} credits`)
      .first()
      .waitFor();
  });

  it('asks an admin to verify again before a grant when the last verification is old, and grants once', async () => {
    const { userId, rpc } = await fan.user();
    const balance = async (): Promise<number> =>
      (await rpc<{ total_balance: number }>('get_user_credit_breakdown')).body.total_balance;
    const before = await balance();
    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    await fan.ageVerification(admin, 61);
    const page = await fan.openAs(admin, `/admin/users/${userId}`);
    const grants: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/rpc/grant_bonus_credits')) grants.push(response.status());
    });
    await page.getByLabel('Credits', { exact: true }).fill('20');
    await page.getByLabel('Reason').fill('Two pictures came out blank');
    await button(page, 'Grant 20 credits').click();
    await page.getByText('Verification required').waitFor();
    expect(await balance()).toBe(before);
    await submitWidget(page, { password: DEMO_PASSWORD });
    await page.getByText('20 credits granted.').waitFor();
    expect(grants).toEqual([403, 200]);
    expect(await balance()).toBe(before + 20);

    // The verification is fresh now: the next act needs no dialog.
    await button(page, 'Suspend...').click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Reason').fill('Hate or harassment (Community Guidelines, 3)');
    await dialog.getByRole('button', { name: 'Suspend for 7 days' }).click();
    await page.getByText(/ is suspended\.$/).waitFor();
    const { body: suspension } = await rpc<Suspension>('get_own_suspension_by_jwt');
    const refusal = suspensionText(suspension.until);
    expect(refusal).toMatch(/^Your account cannot generate images until \d+ [A-Z][a-z]+ 20\d\d\.$/);
    const start = { p_prompt: 'A fox', p_creator_id: fan.creator.id };
    expect(await rpc('start_generation_by_jwt', start)).toMatchObject({
      status: 403,
      body: { message: refusal, hint: SUSPENSION_MESSAGES.appeal },
    });
    const account = await fan.open('/account');
    await account.getByText(refusal).waitFor();
    await account.getByText('Hate or harassment (Community Guidelines, 3)').waitFor();
    await account.getByText(SUSPENSION_MESSAGES.appeal).waitFor();

    await button(page, 'Lift suspension').click();
    const lift = page.getByRole('dialog');
    await lift.getByLabel('Reason').fill('Another image was meant');
    await lift.getByRole('button', { name: 'Lift suspension' }).click();
    await page.getByText(/^The suspension of .* is lifted\.$/).waitFor();
    expect((await rpc('get_own_suspension_by_jwt')).body).toBeNull();
    expect((await rpc('start_generation_by_jwt', start)).status).toBe(200);
  });
});
