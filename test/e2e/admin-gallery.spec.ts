import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';
import { Finger, type Point } from '../support/finger.js';
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
    await page.locator(':focus[aria-pressed="true"]').waitFor();
    await page.keyboard.press('Home');
    const after = [last, ...before.slice(0, -1)];
    await orderIs(page, after);
    // The row has moved in the document, and keeps the focus.
    await page.locator(`[data-key="${last}"] :focus[aria-pressed="true"]`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Dropped. Position 1 of ${before.length}`, { exact: true }).waitFor();
    await bar(page).getByText('order changed').waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    await page.keyboard.press('Control+s');
    await bar(page).waitFor({ state: 'detached' });
    expect(await publicOrder()).toEqual(after);
  });

  describe('the gallery on a phone', () => {
    const onPhone = async () => {
      const page = await fan.openAsDemoAccount('admin@fanvas.test', ADDRESS, { touch: true, width: 390 });
      await page.getByRole('grid').waitFor();
      const handle = async (id: string): Promise<Point> => {
        const box = await row(page, id).locator('[data-touch-handle]').boundingBox();
        return { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 };
      };
      const announced = (text: string | RegExp): Promise<void> =>
        page.locator('[data-live-announcer]').getByText(text).waitFor({ state: 'attached' });
      const scrolled = (): Promise<number> => page.evaluate(() => window.scrollY);
      return { page, finger: await Finger.on(page), handle, announced, scrolled, before: await order(page) };
    };

    it('[C2.44] a finger drags an image by its handle, hears each position, and scrolls everywhere else', async () => {
      const { page, finger, handle, announced, scrolled, before } = await onPhone();
      const [first, second, ...others] = before;
      const from = await handle(first!);
      await finger.down(from);
      await finger.moveTo({ x: from.x, y: from.y + 20 });
      await finger.moveTo({ x: from.x, y: (await handle(second!)).y + 60 });
      await announced(`Position 2 of ${before.length}`);
      expect(await scrolled()).toBe(0);
      expect(await order(page)).toEqual(before);
      await finger.up();
      await announced(new RegExp(`^Moved to Position 2 of ${before.length}: `));
      await orderIs(page, [second!, first!, ...others]);
      await bar(page).getByText('order changed').waitFor();
      expect(await accessibilityFaults(page, { light: true })).toEqual([]);

      await finger.down({ x: 250, y: 700 });
      await finger.moveTo({ x: 250, y: 400 });
      await finger.up();
      await until(async () => (await scrolled()) > 100, 'the page to scroll');
      await orderIs(page, [second!, first!, ...others]);
    });

    it('the page scrolls while a finger holds an image near its edge, also when the row has left the document', async () => {
      const { page, finger, handle, announced, scrolled, before } = await onPhone();
      const from = await handle(before[0]!);
      await finger.down(from);
      await finger.moveTo({ x: from.x, y: 830 });
      await announced(`Position ${before.length} of ${before.length}`);
      const bottom = await scrolled();
      expect(bottom).toBeGreaterThan(0);
      await finger.moveTo({ x: from.x, y: 20 });
      await announced(`Position 1 of ${before.length}`);
      expect(await scrolled()).toBeLessThan(bottom);
      await finger.moveTo({ x: from.x, y: 830 });
      await announced(`Position ${before.length} of ${before.length}`);
      await finger.up();
      await orderIs(page, [...before.slice(1), before[0]!]);
    });

    it('a second finger, Escape or the system cancels a drag, and a tap on the handle asks for the position', async () => {
      const { page, finger, handle, announced, before } = await onPhone();
      const from = await handle(before[0]!);
      const cancels = [
        () => finger.downAlso({ x: 250, y: 600 }),
        () => page.keyboard.press('Escape'),
        () => finger.cancel(),
      ];
      for (const cancel of cancels) {
        await finger.down(from);
        await finger.moveTo({ x: from.x, y: from.y + 160 });
        await announced(`Position 2 of ${before.length}`);
        await cancel();
        await announced(`Not moved. Position 1 of ${before.length}`);
        await finger.up();
        expect(await order(page)).toEqual(before);
      }
      expect(await bar(page).count()).toBe(0);

      await finger.down(from);
      await finger.up();
      await page.getByRole('dialog', { name: 'Move image' }).waitFor();
    });
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
