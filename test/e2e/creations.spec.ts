import { readFile } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { type Locator, type Page } from 'playwright-core';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';
import { idle } from '../support/idle.js';
import { PICTURE_PX } from '../support/picture-px.mjs';
import { until } from '../support/until.js';
import { translatePage } from '../../web/test/translated-page.js';

jest.setTimeout(480_000);

const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const boxOf = async (target: Locator): Promise<{ x: number; y: number; width: number; height: number }> => {
  const box = await target.boundingBox();
  if (!box) throw new Error('The element is not visible.');
  return box;
};

describe('images of a fan', () => {
  let fan: FanBrowser;
  let gallery: GalleryItem[];

  useFanBrowser(async (started) => {
    fan = started;
    gallery = await fan.gallery();
  });

  const pathOf = (item: GalleryItem | undefined) => `/junoabara/generate/${item?.id}`;
  const item = (index: number): GalleryItem => gallery[index]!;
  /** Waits for the page itself, because the address changes before the buttons and keys work. */
  const shows = (page: Page, { prompt }: GalleryItem) => heading(page).filter({ hasText: prompt }).waitFor();
  const showsGallery = (page: Page) => page.getByRole('heading', { name: 'GALLERY', exact: true }).waitFor();

  it('[F2.37, F2.44, F2.49, F2.52, F2.53] looks through a gallery by mouse and keys, full screen, and back', async () => {
    const page = await fan.open('/junoabara', { visitor: true });
    await page.getByRole('heading', { name: 'GALLERY' }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    for (const name of ['Skip to content', 'Skip to the prompt']) {
      const link = page.getByRole('link', { name });
      await link.focus();
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(36);
      expect(await link.evaluate((element) => parseFloat(getComputedStyle(element).paddingLeft))).toBe(16);
    }
    // The bar at the foot stays where it is. The web font changes the layout of the page.
    const bar = page.getByRole('button', { name: /^Generate/ });
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    const before = await bar.boundingBox();
    await page.mouse.wheel(0, 600);
    await page.waitForFunction(() => window.scrollY > 0);
    expect((await bar.boundingBox())?.y).toBe(before?.y);

    // Into the gallery below a picture, and back.
    await page.getByRole('link', { name: item(1).prompt }).click();
    await shows(page, item(1));
    await page.getByRole('heading', { name: 'FAN ART GALLERY' }).waitFor();
    await page.getByRole('link', { name: item(0).prompt }).click();
    await page.waitForURL(`**${pathOf(item(0))}`);
    await shows(page, item(0));
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL(`**${pathOf(item(1))}`);
    await shows(page, item(1));
    await page.getByRole('link', { name: fan.creator.name }).first().click();
    await page.waitForURL('**/junoabara');
    await showsGallery(page);

    // Arrow keys and buttons show the next picture and announce it.
    await page.getByRole('link', { name: item(0).prompt }).click();
    await page.getByRole('button', { name: 'Next picture' }).waitFor();
    expect(await page.getByRole('button', { name: 'Previous picture' }).getAttribute('aria-disabled')).toBe('true');
    await idle(page);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**${pathOf(item(1))}`);
    await page.getByText(`Picture 2 of ${gallery.length}: ${item(1).prompt}`).waitFor({ state: 'attached' });
    await shows(page, item(1));
    await page.getByRole('button', { name: 'Next picture' }).press('Enter');
    await page.waitForURL(`**${pathOf(item(2))}`);
    await shows(page, item(2));
    await focusOn(page.getByRole('button', { name: 'Next picture' }));
    await idle(page);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**${pathOf(item(1))}`);
    await shows(page, item(1));
    // The head describes the picture that is shown, once.
    const data = page.locator('head script[type="application/ld+json"]');
    await until(
      async () => (await data.allTextContents()).join().includes(item(1).id),
      'the description of the picture',
    );
    expect(await data.count()).toBe(1);
    expect(JSON.parse(String(await data.textContent()))).toMatchObject({
      '@type': 'ImageObject',
      name: item(1).prompt,
    });
    // In the prompt field, the arrow keys move the cursor.
    await promptBox(page).fill('abc');
    await promptBox(page).press('ArrowLeft');
    expect(new URL(page.url()).pathname).toBe(pathOf(item(1)));
    await promptBox(page).fill('');

    // Full screen, on a phone: Escape restores the focus, arrows show the next picture, Back only closes it.
    await page.setViewportSize({ width: 390, height: 844 });
    const opener = page.getByRole('button', { name: 'View the image full screen' });
    const lightbox = page.getByRole('dialog', { name: item(1).prompt });
    await opener.click();
    await lightbox.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
    await focusOn(opener);
    await opener.press('Enter');
    await focusOn(lightbox);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: item(2).prompt }).waitFor();
    await page.getByRole('dialog').getByText(`Picture 3 of ${gallery.length}`).waitFor({ state: 'attached' });
    expect(new URL(page.url()).pathname).toBe(pathOf(item(1)));
    await page.keyboard.press('Escape');
    await page.waitForURL(`**${pathOf(item(2))}`);
    await shows(page, item(2));
    await opener.click();
    await page.getByRole('dialog', { name: item(2).prompt }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(pathOf(item(2)));

    // Back skips the pictures in between. Without a return address it goes back in the history, else to the home page.
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL('**/junoabara');
    await showsGallery(page);
    await page.getByRole('link', { name: item(1).prompt }).click();
    await page.waitForURL(`**${pathOf(item(1))}`);
    await shows(page, item(1));
    await page.evaluate(() => history.replaceState({ ...(history.state as object), usr: null }, ''));
    await page.reload();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL('**/junoabara');
    const direct = await fan.open(pathOf(item(1)), { visitor: true });
    await direct.getByRole('link', { name: 'Back' }).click();
    await direct.waitForURL(`${fan.app.url}/`);
  });

  it('[F2.49, F2.51, F3.15, F8.22] shares, downloads, remixes and reports an image of another fan', async () => {
    const page = await fan.open(pathOf(item(0)), { width: 390 });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied to clipboard!').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fan.app.url + pathOf(item(0)));
    const post = await page.getByRole('link', { name: /^Post/ }).getAttribute('href');
    expect(new URL(String(post)).searchParams.get('url')).toBe(fan.app.url + pathOf(item(0)));

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^junoabara-[a-z0-9-]+-[0-9a-f]{6}\.webp$/);
    await page.route('**/media/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').getByText('Failed to download image. Please try again.').waitFor();
    await page.unroute('**/media/**');

    // A report needs a reason. Even rows, and the error between the last reason and the note.
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report this image' });
    await dialog.getByRole('button', { name: 'Send report' }).click();
    const error = dialog.getByRole('alert').getByText('Please choose a reason.');
    await error.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const rows = await Promise.all((await dialog.locator('label:has(input[type="radio"])').all()).map(boxOf));
    expect(rows.length).toBeGreaterThan(3);
    const heights = rows.map(({ height }) => height);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2);
    const last = rows.at(-1);
    const said = await boxOf(error);
    const note = await boxOf(dialog.getByLabel(/^Anything to add/));
    expect(said.y).toBeGreaterThanOrEqual((last?.y ?? Infinity) + (last?.height ?? 0) - 1);
    expect(said.y + said.height).toBeLessThanOrEqual(note.y);
    await page.keyboard.press('Space');
    await dialog.getByLabel(/^Anything to add/).fill('It looks like somebody I know.');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Thank you for the report.').waitFor();
    await dialog.waitFor({ state: 'detached' });

    // A remix has the prompt in the form, and the image itself as a chip that stays through a reload.
    await page.getByRole('button', { name: 'Remix' }).click();
    await page.waitForURL('**/junoabara/generate');
    const chip = page.getByRole('link', { name: item(0).prompt, exact: true });
    await page.getByRole('button', { name: 'Forget the source of this remix' }).waitFor();
    expect(await chip.getAttribute('href')).toBe(pathOf(item(0)));
    expect(await promptBox(page).inputValue()).toBe(item(0).prompt);
    expect(
      await page.evaluate(() => (history.state as { usr: { remixSource: unknown } }).usr.remixSource),
    ).toMatchObject({
      title: item(0).prompt,
      url: pathOf(item(0)),
      image: { width: PICTURE_PX },
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await chip.waitFor();
    await promptBox(page).fill('another one');
    await page.getByRole('button', { name: 'Forget the source of this remix' }).click();
    await chip.waitFor({ state: 'detached' });
    expect(await promptBox(page).inputValue()).toBe('another one');
    await promptBox(page).fill('');
    await page
      .getByRole('link', { name: 'Back' })
      .or(page.getByRole('button', { name: 'Back' }))
      .click();
    await page.waitForURL(`**${pathOf(item(0))}`);
  });

  it('keeps the page and its prompt while the server is away, and opens the next page once it is back', async () => {
    const page = await fan.open('/junoabara', { visitor: true });
    await promptBox(page).fill('a harbour at night');
    await page.route('**', (route) => route.abort('connectionrefused'));
    await page.getByRole('contentinfo').getByRole('link', { name: 'Community Guidelines' }).click();
    await page.getByText('This page could not be opened: our server does not answer.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/junoabara');
    expect(await promptBox(page).inputValue()).toBe('a harbour at night');
    await page.unroute('**');
    await page.waitForURL('**/community-guidelines');
    await page.getByRole('heading', { level: 1, name: 'Community Guidelines' }).waitFor();
    // Not as a document: what the fan has typed is still in the memory of the page before.
    await page.goBack();
    expect(await promptBox(page).inputValue()).toBe('a harbour at night');
  });

  it('sends with Ctrl+Enter, notifies once on another page when the image is finished, and keeps the prompt', async () => {
    const page = await fan.openAsNewFan('/junoabara/generate');
    // The fan leaves the page of the generation before the image is finished.
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    await page.route(/get_generation_by_id|\/events\/generations\//, async (route) => {
      await left;
      await route.continue();
    });
    await promptBox(page).fill('a bridge of glass');
    await promptBox(page).press('Control+Enter');
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    const made = new URL(page.url()).pathname;
    await page
      .getByText(/^Generating: /)
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /^Fanvas/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Create Official Fan Art with AI' }).waitFor();
    leave();
    const notices = page.getByRole('region', { name: 'Notifications' });
    await notices.getByText('Your image is ready').waitFor();
    expect(await notices.locator('[aria-live=polite]').count()).toBe(1);
    await notices.getByText('a bridge of glass').waitFor();
    expect(await notices.getByText('Your image is ready').count()).toBe(1);
    const view = notices.getByRole('link', { name: 'View' });
    expect(await view.getAttribute('href')).toBe(made);
    expect(await accessibilityFaults(page)).toEqual([]);
    await view.click();
    await page.waitForURL(`**${made}`);
    await page.getByRole('button', { name: 'Download' }).waitFor();
    expect(await notices.getByText('Your image is ready').count()).toBe(0);
    await page.goto(fan.app.url);
    await page.getByRole('heading', { name: 'Create Official Fan Art with AI' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await notices.getByText('Your image is ready').count()).toBe(0);

    await page
      .getByRole('link', { name: /Juno Abara/ })
      .first()
      .click();
    await page.waitForURL('**/junoabara');
    await page.getByRole('button', { name: 'Prompt history' }).press('Enter');
    const menu = page.getByRole('menu', { name: 'Prompt history' });
    await menu.getByRole('menuitem', { name: 'a bridge of glass', exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const line = await menu.getByRole('menuitem', { name: 'a bridge of glass', exact: true }).boundingBox();
    expect(line?.width).toBeGreaterThan(200);
    await focusOn(menu.getByRole('menuitem', { name: 'a bridge of glass', exact: true }));
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    expect(await promptBox(page).inputValue()).toBe('a bridge of glass');
    await focusOn(promptBox(page));

    // A message of the page does not cover the menu.
    await page.getByRole('link', { name: item(0).prompt }).click();
    await page.waitForURL(`**${pathOf(item(0))}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await notices.getByText('Link copied to clipboard!').waitFor();
    await page.getByRole('button', { name: 'Prompt history' }).click();
    const inSight = await menu.evaluate((sheet) => {
      const { left, width, bottom } = sheet.getBoundingClientRect();
      return sheet.contains(document.elementFromPoint(left + width / 2, bottom - 4));
    });
    expect(inSight).toBe(true);
    await menu.getByRole('menuitem', { name: 'Delete prompt: a bridge of glass' }).click();
    await menu.getByText('No prompts are kept any more.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('history')))).toEqual([]);
  });

  /** With the menu of a phone. */
  async function toCreations(page: Page): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Creations' }).click();
    await page.waitForURL('**/my-creations');
  }

  it('hides an image, shows it again, and deletes it permanently, on pages that the browser translates', async () => {
    const page = await fan.openAsNewFan('/junoabara/generate', { width: 390 });
    await page.evaluate(translatePage);
    // A prompt that is too long, shortened twice.
    await promptBox(page).fill('x'.repeat(1_002));
    await page.getByText('1002 / 1000, the end will be cut').waitFor();
    await promptBox(page).fill('x'.repeat(990));
    await page.getByText('990 / 1000', { exact: true }).waitFor();
    await promptBox(page).fill('a bridge of steel');
    await page.getByText('990 / 1000').waitFor({ state: 'detached' });
    await promptBox(page).press('Control+Enter');
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    const state = page.locator('font', { hasText: /^Generating: / });
    await state.first().waitFor();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await state.waitFor({ state: 'detached' });
    await toCreations(page);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('link', { name: /a bridge of steel/ }).click();
    await page.getByRole('button', { name: 'Hide' }).click();
    const made = new URL(page.url()).pathname;
    const picture = await page.locator('main picture img').first().getAttribute('src');
    await page.getByRole('dialog', { name: 'Hide this image?' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hide image' }).click();
    await page.getByText('Only you can see this image.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show again' }).waitFor();

    const byId = () =>
      rpc<{ status?: string }>(fan.app.url, 'get_generation_by_id', { p_generation_id: made.split('/').at(-1) });
    expect((await byId()).status).toBe(404);
    expect(await (await fetch(fan.app.url + made)).text()).not.toContain('bridge');
    await toCreations(page);
    await page.getByText('Hidden', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: /a bridge of steel/ }).click();
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('button', { name: 'Hide' }).waitFor();
    expect((await byId()).body.status).toBe('completed');
    // The server draws the page again when the change is announced.
    const drawn = async (): Promise<string> => (await fetch(fan.app.url + made)).text();
    await until(async () => (await drawn()).includes('a bridge of steel'), 'the page of the image');

    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this image?' });
    await question.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete image' }).click();
    await page.getByText('The image was deleted.').waitFor();
    await page.waitForURL('**/my-creations');
    await page.getByText("You haven't created any art yet!").waitFor();
    expect((await byId()).status).toBe(404);
    expect((await fetch(fan.app.url + String(picture))).status).toBe(404);
    await until(async () => !(await drawn()).includes('bridge'), 'the page without the image');
  });

  it('downloads the data of a fan, closes the account and erases its image', async () => {
    const page = await fan.openAsNewFan('/junoabara/generate');
    await promptBox(page).fill('a bridge of paper');
    await promptBox(page).press('Control+Enter');
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'Download' }).waitFor();
    const made = new URL(page.url()).pathname;
    const picture = await page.locator('main picture img').first().getAttribute('src');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Account', exact: true }).click();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    const archive = unzipSync(await readFile(await (await download).path()));
    expect(strFromU8(archive['creations.json'] ?? new Uint8Array())).toContain('a bridge of paper');
    expect(Object.keys(archive).filter((name) => name.endsWith('.webp'))).toHaveLength(1);

    const opener = page.getByRole('button', { name: 'Close my account' });
    await opener.click();
    const question = page.getByRole('alertdialog', { name: 'Close your account for good?' });
    await question.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await focusOn(opener);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.keyboard.press('Enter');
    await question.getByRole('textbox').fill('CLOSE');
    await page.keyboard.press('Enter');

    await heading(page).getByText('Your account is closed').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
    expect(page.url()).toMatch(/\/closed-account#[\w-]+$/);
    // The sign-up offer would promise a bonus that the person no longer gets.
    expect(await page.getByRole('region', { name: 'Offer' }).count()).toBe(0);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    expect(await (await fetch(fan.app.url + made)).text()).not.toContain('bridge');
    expect((await fetch(fan.app.url + String(picture))).status).toBe(404);
    await page.reload();
    await heading(page).getByText('Your account is closed').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  });
});
