import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type CreatorAnalytics } from '../../src/contract/revenue.js';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const PASSWORD = 'correct-horse-9';
const EMAIL = 'nadia@vossprints.example';
const NAME = 'Nadia Voss';

describe('an application', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  async function call<T>(user: ApiUser, name: string, body: object): Promise<T> {
    const answer = await user.rpc<T>(name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const accept = (page: Page) => page.getByRole('button', { name: 'I Accept Terms' });
  const overflow = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const row = (page: Page) => page.getByRole('button', { name: new RegExp(NAME) });
  const region = (page: Page) => page.getByRole('region', { name: `Application of ${NAME}` });

  it('[C1.01, C2.01, C2.08, C2.09, C2.11, C4.11, C4.12, C7.10] takes a stranger from the sign-up to a public gallery, the first earning and its chargeback', async () => {
    const applicant = await fan.openAlone('/creator');
    await title(applicant, 'Join as a Creator').waitFor();
    await applicant.getByLabel('Email').fill(EMAIL);
    await applicant.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await applicant.getByLabel('Name').fill(NAME);
    await applicant.getByLabel('Instagram handle').fill('@nadia.voss');
    expect(await accessibilityFaults(applicant, { light: true })).toEqual([]);
    await applicant.getByRole('button', { name: 'Continue' }).click();
    const code = applicant.getByLabel('Code');
    await code.fill('111111');
    await applicant.getByRole('button', { name: 'Verify' }).click();
    await applicant.getByRole('alert').filter({ hasText: 'Incorrect code' }).waitFor();
    expect(await accessibilityFaults(applicant, { light: true })).toEqual([]);
    // The code was sent to this sign-up, so it is still asked for.
    await applicant.reload();
    await code.fill(`${EMAIL_CODE.slice(0, 3)} ${EMAIL_CODE.slice(3)}`);
    await applicant.getByRole('button', { name: 'Verify' }).click();
    await applicant.waitForURL('**/creator/terms-acceptance');
    await applicant.getByText(`${NAME}, ${EMAIL}`).waitFor();
    await accept(applicant).click();
    await title(applicant, 'Application Submitted').waitFor();
    expect(await applicant.evaluate(() => (history.state as { usr: unknown }).usr)).toMatchObject({
      termsJustAccepted: true,
      flowType: 'new_user',
    });
    expect(await accessibilityFaults(applicant, { light: true })).toEqual([]);

    // An admin asks for more, and the applicant answers.
    const admin = await fan.openAsDemoAccount('admin@fanvas.test', '/admin/applications');
    await row(admin).click();
    await region(admin).getByText('v1.0 accepted').waitFor();
    expect(await accessibilityFaults(admin, { light: true })).toEqual([]);
    await region(admin)
      .getByRole('radio', { name: /^Ask for more/ })
      .check();
    await region(admin).getByLabel('Question').fill('Since when is the account yours?');
    await region(admin)
      .getByRole('button', { name: `Ask ${NAME}` })
      .click();
    await region(admin)
      .getByText(/^Asked .*, not answered yet$/)
      .waitFor();
    // Nothing is left to accept.
    await applicant.goto(`${fan.app.url}/creator/terms-acceptance`);
    await applicant.waitForURL('**/creator');
    await applicant.getByText('Since when is the account yours?').waitFor();
    expect(await accessibilityFaults(applicant, { light: true })).toEqual([]);
    await applicant.getByLabel('Your answer').fill('Since 2019');
    await applicant.getByRole('button', { name: 'Send answer' }).click();
    await applicant.getByText('The reviewer asked').waitFor();

    // The admin approves with a note for each check.
    await admin.reload();
    await region(admin).getByText('Answer: Since 2019').waitFor();
    for (const label of ['Identity', '18 or older', 'The account is theirs']) {
      await region(admin).getByLabel(label).fill('Seen in a video call');
    }
    await region(admin)
      .getByRole('radio', { name: /^Approve/ })
      .check();
    await region(admin)
      .getByRole('button', { name: `Approve ${NAME}` })
      .click();
    await admin.getByText(`${NAME} approved`).waitFor();
    await applicant.reload();
    await title(applicant, 'Ready for AI Model Training').waitFor();

    // The model is checked, tried and assigned.
    await admin.getByRole('link', { name: /^Waiting for a model/ }).click();
    await row(admin).click();
    await region(admin)
      .getByRole('radio', { name: /^Assign a model/ })
      .check();
    await region(admin).getByLabel('Deployment name or version').fill('fanvas/nadia-voss-v1');
    await region(admin).getByRole('button', { name: 'Check' }).click();
    await region(admin).getByText('Found', { exact: true }).waitFor();
    await region(admin).getByRole('button', { name: 'Draw a trial picture' }).click();
    await region(admin)
      .getByRole('img', { name: /^Trial picture/ })
      .waitFor({ timeout: 60_000 });
    expect(await accessibilityFaults(admin, { light: true })).toEqual([]);
    await region(admin)
      .getByRole('button', { name: `Assign the model to ${NAME}` })
      .click();
    await admin.getByText(`${NAME} has a model`).waitFor();
    await applicant.reload();
    await title(applicant, `Welcome back, ${NAME}`).waitFor();

    // A fan buys credits and draws, an admin adds the picture, and a visitor sees it and no trial picture.
    const buyer = await signUp(fan.app.url, 'first-fan@example.com', PASSWORD);
    const curator = await signIn(fan.app.url, 'admin@fanvas.test', 'fanvas-demo-1');
    const creator = await call<{ id: string }>(buyer, 'get_public_creator_by_username', { p_username: 'nadia.voss' });
    const credits = () => call<{ paid_credits: number }>(buyer, 'get_user_credit_breakdown', {});
    await credits();
    // Free credits would be spent first.
    const free = { p_user_id: buyer.userId, p_adjustment_id: randomUUID(), p_amount: 30, p_reason: 'A test' };
    await call(curator, 'adjust_credits', free);
    const session = sessionOf((await orderBundle(fan.app.url, buyer)).body);
    await controlProcessor(fan.app.url, 'pay', { session, card: 'pays' });
    await until(async () => (await credits()).paid_credits === 250, 'the paid credits', 60_000, 500);
    const started = await call<{ generation_id: string }>(buyer, 'start_generation_by_jwt', {
      p_prompt: 'a heron on a roof',
      p_creator_id: creator.id,
    });
    const p_generation_id = started.generation_id;
    await until(
      async () =>
        (await call<{ status: string }>(buyer, 'get_generation_by_id', { p_generation_id })).status === 'completed',
      'the image',
      60_000,
      500,
    );
    await call(curator, 'add_to_creator_gallery_admin_by_jwt', { p_creator_id: creator.id, p_generation_id });
    const visitor = await fan.open('/@nadia.voss', { visitor: true });
    await title(visitor, NAME).waitFor();
    await visitor
      .getByRole('img', { name: /a heron on a roof/ })
      .first()
      .waitFor();
    expect(await visitor.getByRole('img', { name: /A portrait at a window/ }).count()).toBe(0);

    // Half of the price is the creator's, until the payment is disputed.
    const amount = (name: string) =>
      applicant.locator('dl > div', { has: applicant.getByText(name, { exact: true }) }).first();
    await untilPending(creator.id, 50);
    await applicant.reload();
    await applicant.getByText('a heron on a roof').first().waitFor();
    await amount('Pending').getByText('$0.50').waitFor();
    await amount('Payable').getByText('$0.00').waitFor();
    await controlProcessor(fan.app.url, 'dispute', { session });
    await untilPending(creator.id, 0);
    await applicant.reload();
    await applicant
      .getByRole('row', { name: /Chargeback/ })
      .getByRole('button')
      .click();
    await applicant.getByText(/It came off your pending earnings/).waitFor();
  });

  /** The books follow the purchases. */
  async function untilPending(p_creator_id: string, cents: number): Promise<void> {
    const applicant = await signIn(fan.app.url, EMAIL, PASSWORD);
    await until(
      async () => {
        const { revenue } = await call<CreatorAnalytics>(applicant, 'get_creator_dashboard_analytics', {
          p_creator_id,
        });
        return revenue.pending_cents === cents;
      },
      `pending earnings of ${cents} cents`,
      60_000,
      500,
    );
  }

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
    await page.waitForFunction(() => window.scrollY > 600 && document.fonts.status === 'loaded');
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
});
