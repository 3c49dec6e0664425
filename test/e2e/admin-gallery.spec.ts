import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const ADDRESS = '/admin/gallery/junoabara';

/** The gallery of the demo creator, edited by admins in browsers of their own. */
describe('gallery management', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const open = async (): Promise<Page> => {
    const page = await fan.openAsDemoAccount('admin@fanvas.test', ADDRESS);
    await page.getByRole('grid').waitFor();
    return page;
  };
  const rows = (page: Page) => page.locator('[data-key]');
  /** Ids in the order in which the rows are drawn. */
  const order = (page: Page): Promise<string[]> =>
    rows(page).evaluateAll((all) =>
      all
        .map((row) => ({ id: row.getAttribute('data-key') ?? '', top: row.getBoundingClientRect().top }))
        .sort((left, right) => left.top - right.top)
        .map(({ id }) => id),
    );
  const orderIs = (page: Page, expected: readonly string[]): Promise<unknown> =>
    until(async () => (await order(page)).join() === expected.join(), `the order ${expected.join()}`);
  const row = (page: Page, id: string) => page.locator(`[data-key="${id}"]`);
  const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
  const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name });
  const publicOrder = async (): Promise<string[]> => {
    const request = { p_creator_id: fan.creator.id };
    const { body } = await rpc<{ id: string }[]>(fan.app.url, 'get_gallery_generations_public', request);
    return body.map(({ id }) => id);
  };

  it('[C2.44, C4.20] an order made with the keyboard is the order of the public gallery', async () => {
    const page = await open();
    const before = await order(page);
    const last = before.at(-1)!;
    expect(before).toEqual(await publicOrder());
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    await row(page, last).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator(':focus[aria-label^="Drag"]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator(':focus[aria-label^="Insert"]').waitFor({ state: 'attached' });
    await page.keyboard.press('Home');
    await page.getByText(`Position 1 of ${before.length}`, { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    const after = [last, ...before.slice(0, -1)];
    await orderIs(page, after);
    await bar(page).getByText('order changed').waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    await page.keyboard.press('Control+s');
    await bar(page).waitFor({ state: 'detached' });
    expect(await publicOrder()).toEqual(after);
  });

  it('[C4.20] keeps the changes of two admins who save at the same time', async () => {
    const [first, second] = [await open(), await open()];
    const [a, b, ...others] = await order(first);
    await row(second, a!).getByRole('button', { name: 'Remove from gallery' }).click();
    await second.getByRole('button', { name: 'Save Changes' }).click();
    await bar(second).waitFor({ state: 'detached' });

    await row(first, b!).focus();
    await first.keyboard.press('Alt+ArrowDown');
    await orderIs(first, [a!, others[0]!, b!, ...others.slice(1)]);
    await first.getByRole('button', { name: 'Save Changes' }).click();
    const question = dialog(first, 'The gallery has changed');
    await question.getByText(/saved it on .* UTC: 1 removed\. Your changes: order changed\./).waitFor();
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);
    await question.getByRole('button', { name: 'Save on top' }).click();
    await bar(first).waitFor({ state: 'detached' });
    const merged = [others[0]!, b!, ...others.slice(1)];
    await orderIs(first, merged);
    expect(await publicOrder()).toEqual(merged);
  });

  it('[C2.49, C4.22] every way out asks for the unsaved changes', async () => {
    const page = await fan.openAsDemoAccount('admin@fanvas.test', '/admin/gallery');
    const card = page.getByRole('article', { name: fan.creator.name });
    await card.getByRole('link', { name: 'Manage Gallery' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Remove from gallery' }).first().click();
    const question = dialog(page, 'Unsaved Changes');

    await page.goBack();
    await question.waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).pathname).toBe(ADDRESS);
    await bar(page).getByText('1 removed').waitFor();

    await page.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const browserQuestion = await asked;
    expect(browserQuestion.type()).toBe('beforeunload');
    await browserQuestion.dismiss();

    await page.goBack();
    await question.getByRole('button', { name: 'Discard Changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Creators' }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
  });
});
