import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { EMAIL_CODE } from '../../src/sandbox/clerk/index.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const PASSWORD = 'correct-horse-9';
const NAME = 'Nadia Voss';

describe('an application', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start({ SANDBOX_DRAW_MS: '200' });
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  async function call<T>(user: ApiUser, name: string, body: object): Promise<T> {
    const answer = await user.rpc<T>(name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const row = (page: Page) => page.getByRole('button', { name: new RegExp(NAME) });
  const region = (page: Page) => page.getByRole('region', { name: `Application of ${NAME}` });

  it('[C1.01] goes the whole way from the portal to a public gallery', async () => {
    const applicant = await fan.openAlone('/creator');
    await title(applicant, 'Join as a Creator').waitFor();
    await applicant.getByLabel('Email').fill('nadia@vossprints.example');
    await applicant.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await applicant.getByLabel('Name').fill(NAME);
    await applicant.getByLabel('Instagram handle').fill('@nadia.voss');
    await applicant.getByRole('button', { name: 'Continue' }).click();
    await applicant.getByLabel('Code').fill(EMAIL_CODE);
    await applicant.getByRole('button', { name: 'Verify' }).click();
    await applicant.getByRole('button', { name: 'I Accept Terms' }).click();
    await title(applicant, 'Application Submitted').waitFor();

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
    await applicant.reload();
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

    // A fan draws, an admin adds the picture, and a visitor sees it and no trial picture.
    const { id: creatorId } = await call<{ id: string }>(
      await signUp(fan.app.url, 'first-fan@example.com', PASSWORD),
      'get_public_creator_by_username',
      { p_username: 'nadia.voss' },
    );
    const buyer = await signIn(fan.app.url, 'first-fan@example.com', PASSWORD);
    const started = await call<{ generation_id: string }>(buyer, 'start_generation_by_jwt', {
      p_prompt: 'a heron on a roof',
      p_creator_id: creatorId,
    });
    const p_generation_id = started.generation_id;
    await until(
      async () =>
        (await call<{ status: string }>(buyer, 'get_generation_by_id', { p_generation_id })).status === 'completed',
      'the image',
      60_000,
      500,
    );
    const curator = await signIn(fan.app.url, 'admin@fanvas.test', 'fanvas-demo-1');
    await call(curator, 'add_to_creator_gallery_admin_by_jwt', { p_creator_id: creatorId, p_generation_id });
    const visitor = await fan.open('/@nadia.voss', { visitor: true });
    await title(visitor, NAME).waitFor();
    await visitor
      .getByRole('img', { name: /a heron on a roof/ })
      .first()
      .waitFor();
    expect(await visitor.getByRole('img', { name: /A portrait at a window/ }).count()).toBe(0);
  });
});
