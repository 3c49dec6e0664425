import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type Suspension, SUSPENSION_MESSAGES, suspensionText } from '../../src/contract/moderation.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn, signUp } from '../support/api-client.js';
import { screenFaults } from '../support/axe.js';
import { submitWidget } from '../support/clerk-widget.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const ADMIN = 'admin@fanvas.test';

/** Admins find a fan and change the balance, alone and as two. */
describe('users for admins', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  it('finds a fan, grants credits after another verification, proposes a large grant to a second admin, and suspends', async () => {
    const owner = await signUp(fan.app.url, 'blank-pictures@example.com', 'correct-horse-9');
    const { userId, rpc } = owner;
    const balance = async (): Promise<number> =>
      (await rpc<{ total_balance: number }>('get_user_credit_breakdown')).body.total_balance;
    expect(await balance()).toBe(30);

    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    await fan.ageVerification(admin, 61);
    const page = await fan.openAs(admin, '/admin/users');
    const grants: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/rpc/grant_bonus_credits')) grants.push(response.status());
    });
    await page.getByRole('row').nth(1).waitFor();
    expect(await screenFaults(page)).toEqual([]);
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
    expect(await screenFaults(page)).toEqual([]);
    await button(page, 'Grant 20 credits').click();
    await page.getByText('Verification required').waitFor();
    expect(await balance()).toBe(30);
    await submitWidget(page, { password: DEMO_PASSWORD });
    await page.getByText('20 credits granted.').waitFor();
    expect(grants).toEqual([403, 200]);
    expect(await balance()).toBe(50);

    // The verification is fresh now: the next acts need no dialog.
    await page.getByLabel('Credits', { exact: true }).fill('5000');
    await page.getByLabel('Reason').fill('Prize of the November contest');
    await button(page, 'Propose to a second admin').click();
    await page.getByText('You proposed it: another admin must decide.').waitFor();
    expect(await balance()).toBe(50);

    const other = await signUp(fan.app.url, 'second-admin@example.com', 'correct-horse-9');
    await fan.makeAdmin(other);
    const second = await fan.openAs(other, '/admin/users?tab=proposals');
    await button(second, /^Approve: Grant 5,000/).waitFor();
    expect(await screenFaults(second)).toEqual([]);
    await button(second, /^Approve: Grant 5,000/).click();
    const approval = second.getByRole('alertdialog');
    await approval.waitFor();
    expect(await screenFaults(second)).toEqual([]);
    await approval.getByRole('button', { name: 'Approve' }).click();
    await second.getByText('Nothing waits for a second admin').waitFor();
    await until(async () => (await balance()) === 5050, 'the credits of the proposal', 60_000, 1_250);

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
    const account = await fan.openAs(owner, '/account');
    // With the credits of the day, which the page requests
    await button(account, '5060 credits').first().waitFor();
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
