import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { Finger, type Point } from '../support/finger.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const ADMIN = 'admin@fanvas.test';
const ADDRESS = '/admin/gallery/junoabara';

/** The gallery of the demo creator, edited by admins in browsers of their own. */
describe('gallery management', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

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
  const publicOrder = async (): Promise<string[]> => (await fan.gallery()).map(({ id }) => id);

  it('[C2.44, C2.49, C4.20, C4.22] an order made with the keyboard becomes public, merges with the changes of another admin, and is not lost on a way out', async () => {
    const first = await fan.openAsDemoAccount(ADMIN, '/admin/gallery');
    const card = first.getByRole('article', { name: fan.creator.name });
    await card.getByRole('link', { name: 'Manage Gallery' }).click();
    await first.getByRole('grid').waitFor();
    const before = await order(first);
    const last = before.at(-1)!;
    expect(before).toEqual(await publicOrder());
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);

    await row(first, last).focus();
    await first.keyboard.press('ArrowRight');
    await first.locator(':focus[aria-label^="Drag"]').waitFor();
    await first.keyboard.press('Enter');
    await first.locator(':focus[aria-pressed="true"]').waitFor();
    await first.keyboard.press('Home');
    const after = [last, ...before.slice(0, -1)];
    await orderIs(first, after);
    // The row has moved in the document, and keeps the focus.
    await first.locator(`[data-key="${last}"] :focus[aria-pressed="true"]`).waitFor();
    await first.keyboard.press('Enter');
    await first.getByText(`Dropped. Position 1 of ${before.length}`, { exact: true }).waitFor();
    await bar(first).getByText('order changed').waitFor();
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);
    await first.keyboard.press('Control+s');
    await bar(first).waitFor({ state: 'detached' });
    expect(await publicOrder()).toEqual(after);

    // Another admin saves first.
    const second = await fan.openAsDemoAccount(ADMIN, ADDRESS);
    const [a, b, ...others] = after;
    await row(second, a!).getByRole('button', { name: 'Remove from gallery' }).click();
    await second.getByRole('button', { name: 'Save Changes' }).click();
    await bar(second).waitFor({ state: 'detached' });
    await row(first, b!).focus();
    await first.keyboard.press('Alt+ArrowDown');
    await orderIs(first, [a!, others[0]!, b!, ...others.slice(1)]);
    await first.getByRole('button', { name: 'Save Changes' }).click();
    const conflict = dialog(first, 'The gallery has changed');
    await conflict.getByText(/saved it on .* UTC: 1 removed\. Your changes: order changed\./).waitFor();
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);
    await conflict.getByRole('button', { name: 'Save on top' }).click();
    await bar(first).waitFor({ state: 'detached' });
    const merged = [others[0]!, b!, ...others.slice(1)];
    await orderIs(first, merged);
    expect(await publicOrder()).toEqual(merged);

    // Every way out asks for the unsaved changes.
    await first.getByRole('button', { name: 'Remove from gallery' }).first().click();
    const question = dialog(first, 'Unsaved Changes');
    await first.goBack();
    await question.waitFor();
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(first.url()).pathname).toBe(ADDRESS);
    await bar(first).getByText('1 removed').waitFor();
    await first.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const asked = first.waitForEvent('dialog');
    await first.close({ runBeforeUnload: true });
    const browserQuestion = await asked;
    expect(browserQuestion.type()).toBe('beforeunload');
    await browserQuestion.dismiss();
    await first.goBack();
    await question.getByRole('button', { name: 'Discard Changes' }).click();
    await first.getByRole('heading', { level: 1, name: 'Creators' }).waitFor();
    expect(await accessibilityFaults(first, { light: true })).toEqual([]);
    expect(await publicOrder()).toEqual(merged);

    // As before, for other tests
    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    const put = { p_creator_id: fan.creator.id, p_generation_id: a };
    expect((await admin.rpc('add_to_creator_gallery_admin_by_jwt', put)).status).toBe(200);
  });

  it('[C2.44] a finger drags an image by its handle, scrolls near the edges and elsewhere, and cancels', async () => {
    const page = await fan.openAsDemoAccount(ADMIN, ADDRESS, { touch: true, width: 390 });
    await page.getByRole('grid').waitFor();
    // The web font changes the height of the title.
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    const finger = await Finger.on(page);
    const handle = async (id: string): Promise<Point> => {
      const box = await row(page, id).locator('[data-touch-handle]').boundingBox();
      return { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 };
    };
    const announced = (text: string | RegExp): Promise<void> =>
      page.locator('[data-live-announcer]').getByText(text).waitFor({ state: 'attached' });
    const scrolled = (): Promise<number> => page.evaluate(() => window.scrollY);
    const before = await order(page);
    const [first, second, ...others] = before;
    const from = await handle(first!);

    // A second finger, Escape and the system cancel a drag.
    for (const cancel of [
      () => finger.downAlso({ x: 250, y: 600 }),
      () => page.keyboard.press('Escape'),
      () => finger.cancel(),
    ]) {
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
    const move = page.getByRole('dialog', { name: 'Move image' });
    await move.waitFor();
    await page.keyboard.press('Escape');
    await move.waitFor({ state: 'detached' });

    // Each position is announced, and the page does not scroll.
    await finger.down(from);
    await finger.moveTo({ x: from.x, y: from.y + 20 });
    await finger.moveTo({ x: from.x, y: (await handle(second!)).y + 60 });
    await announced(`Position 2 of ${before.length}`);
    expect(await scrolled()).toBe(0);
    expect(await order(page)).toEqual(before);
    await finger.up();
    await announced(new RegExp(`^Moved to Position 2 of ${before.length}: `));
    const moved = [second!, first!, ...others];
    await orderIs(page, moved);
    await bar(page).getByText('order changed').waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    // The page scrolls while the finger holds an image near its edge, also when the row has left the document.
    const held = await handle(second!);
    await finger.down(held);
    await finger.moveTo({ x: held.x, y: 830 });
    await announced(`Position ${before.length} of ${before.length}`);
    await until(async () => (await scrolled()) > 100, 'the page to scroll down');
    await finger.moveTo({ x: held.x, y: 20 });
    await announced(`Position 1 of ${before.length}`);
    await until(async () => (await scrolled()) === 0, 'the page to scroll up');
    await finger.moveTo({ x: held.x, y: 830 });
    await announced(`Position ${before.length} of ${before.length}`);
    await finger.up();
    const afterwards = [...moved.slice(1), moved[0]!];
    await orderIs(page, afterwards);

    // A finger elsewhere scrolls.
    await page.evaluate(() => window.scrollTo(0, 0));
    await finger.down({ x: 250, y: 700 });
    await finger.moveTo({ x: 250, y: 400 });
    await finger.up();
    await until(async () => (await scrolled()) > 100, 'the page to scroll');
    await orderIs(page, afterwards);
  });
});
