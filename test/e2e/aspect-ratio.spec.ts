import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';

jest.setTimeout(120_000);

describe('shape of an image', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    // Long enough for the frame to be measured while the image is drawn.
    fan = await FanBrowser.start({ SANDBOX_DRAW_MS: '1500' });
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  /** Width and height of the frame that holds the prompt, then the picture. */
  const frameOf = (page: Page): Promise<{ width: number; height: number }> =>
    page.evaluate(() => {
      const { width, height } = document
        .querySelector('main h1, main picture')!
        .closest('.aspect-\\(--shape\\)')!
        .getBoundingClientRect();
      return { width: Math.round(width), height: Math.round(height) };
    });

  it('keeps its frame from the prompt to the picture and the shared page, when the fan chose it by keyboard', async () => {
    const page = await fan.openAsNewFan('/junoabara/generate', { width: 390 });
    await page.getByRole('textbox', { name: /^Describe an image in/ }).fill('a lighthouse built of circles');
    await page.getByRole('radio', { name: 'Square' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Portrait' }).isChecked()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: /^Generate/ }).click();
    await page.waitForURL(/\/junoabara\/generate\/[0-9a-f-]{36}$/);
    await page
      .getByText(/^Generating: /)
      .first()
      .waitFor();
    const awaited = await frameOf(page);
    expect(awaited.height / awaited.width).toBeCloseTo(1216 / 832, 2);
    await page.getByRole('button', { name: 'Download' }).waitFor();
    const picture = page.locator('main picture img').first();
    await picture.waitFor();
    expect(await frameOf(page)).toEqual(awaited);
    expect(await picture.evaluate((image) => [image.getAttribute('width'), image.getAttribute('height')])).toEqual([
      '832',
      '1216',
    ]);

    const html = await (await fetch(page.url())).text();
    expect(html).toContain('<meta property="og:image:width" content="832"');
    expect(html).toContain('<meta property="og:image:height" content="1216"');
    expect(html).toMatch(/\{--shape:0\.684/);
    const shared = await fan.open(new URL(page.url()).pathname, { visitor: true, width: 390 });
    await shared.getByRole('button', { name: 'Download' }).waitFor();
    expect(await frameOf(shared)).toEqual(awaited);

    // Next to the narrow picture, the side still ends at the gutter of the page.
    await shared.setViewportSize({ width: 1280, height: 800 });
    const last = await shared.getByRole('button', { name: 'Copy link' }).boundingBox();
    expect(Math.round((last?.x ?? 0) + (last?.width ?? 0))).toBe(1280 - 32);
    expect(await accessibilityFaults(shared)).toEqual([]);
  });
});
