import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { type GenerationView, type PaginatedGeneration } from '../../src/contract/generation.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, refusal, type Answer, type Answers, useFanBrowser } from '../support/fan-browser.js';
import { BREAKDOWN, generation } from '../../web/test/rows.js';

jest.setTimeout(480_000);

const ID = '01a00000-0000-7000-8000-000000000001';
const PATH = `/junoabara/generate/${ID}`;
const REFUNDED = 'Credits were automatically refunded for this generation';

const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const ok = (body: unknown): Answer => ({ body });

/** States that need a browser for their layout and colours; the component tests in web/src have the others. */
describe('generation pages', () => {
  let fan: FanBrowser;
  let gallery: GalleryItem[];
  let calm: Answers;

  useFanBrowser(async (started) => {
    fan = started;
    gallery = await fan.gallery();
    // Responses to the requests of every page, so that many pages in a minute stay below the rate limits.
    calm = {
      events: refusal(503, 'No stream here.'),
      get_public_creator_by_username: ok(fan.creator),
      get_gallery_generations_public: ok(gallery),
      get_user_credit_breakdown: ok(BREAKDOWN),
      grant_daily_credits_by_jwt: ok({ success: true, error_code: 'ALREADY_GRANTED_TODAY', error: null }),
      has_active_pending_generation_jwt: ok(false),
    };
  });

  const row = (more: Partial<GenerationView> = {}): GenerationView => {
    const now = new Date().toISOString();
    const shown = { id: ID, creator_id: fan.creator.id, created_at: now, updated_at: now };
    return generation({ ...shown, prompt: 'a harbour of glass', phase: null, ...more });
  };
  const drawing = (more: Partial<GenerationView> = {}) => {
    const since = new Date(Date.now() - 5_000).toISOString();
    return row({ phase: 'drawing', created_at: since, drawing_at: since, cancellable_at: since, ...more });
  };
  const failed = (message: string, more: Partial<GenerationView> = {}) =>
    row({
      status: 'failed',
      error_message: message,
      refund_reason: 'generation_failed',
      refunded: true,
      credits_closed: true,
      ...more,
    });
  const completed = (more: Partial<GenerationView> = {}) => {
    const { image, image_url } = gallery[0]!;
    return row({
      status: 'completed',
      image,
      image_url,
      completed_at: new Date().toISOString(),
      credits_closed: true,
      ...more,
    });
  };

  const open = (path: string, answers: Answers = {}) =>
    fan.open(path, { width: 390, answers: { ...calm, ...answers } });

  it('[F2.04, F2.38, F2.42, F2.45, F2.47, F2.48, F2.50, F2.51, F4.01, F8.20] takes a prompt on a phone, and shows an image while it is made, failed and finished', async () => {
    const shown = { view: drawing() };
    const page = await open('/junoabara/generate', { get_generation_by_id: () => ok(shown.view) });
    const show = async (view: GenerationView): Promise<void> => {
      shown.view = view;
      await page.goto(fan.app.url + PATH);
    };
    // The box of the prompt grows, and is minimised on a phone.
    await text(page, 'Ready to generate your image');
    const height = async () => Math.round((await promptBox(page).boundingBox())?.height ?? 0);
    expect(await height()).toBe(50);
    await promptBox(page).fill('line\n'.repeat(30));
    expect(await height()).toBe(200);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    const minimise = page.getByRole('button', { name: 'Minimise the prompt box' });
    await minimise.click();
    expect(await promptBox(page).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await promptBox(page).isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await minimise.waitFor({ state: 'hidden' });
    // A long prompt has the full width, and leaves half of a low window free.
    await page.setViewportSize({ width: 640, height: 400 });
    const form = page.getByRole('form', { name: /^Create an image/ });
    expect((await promptBox(page).boundingBox())?.width).toBeGreaterThan(500);
    expect((await form.boundingBox())?.height).toBeLessThan(200);
    // Forced colours show what is chosen, and what is a button.
    await page.emulateMedia({ forcedColors: 'active' });
    const colour = (selector: string) =>
      form
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    expect(await colour('label:has(:checked)')).not.toBe(await colour('label:not(:has(:checked))'));
    expect(await colour('[type=submit]')).not.toBe(await colour('[aria-label="Random prompt"]'));
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await promptBox(page).fill('');
    await page.setViewportSize({ width: 390, height: 844 });

    await show(drawing());
    await text(page, 'Generating: drawing');
    expect(await page.locator('main svg.lucide-loader-circle').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel Generation' }).waitFor();
    await page.getByRole('button', { name: 'Image Generating...' }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    await show(failed('Prediction interrupted'));
    await text(page, 'Failed to generate image. Please try again.');
    await text(page, 'The image service was interrupted.');
    await text(page, REFUNDED);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await promptBox(page).inputValue()).toBe('a harbour of glass');

    // Lines of joined letters have the height that their marks need, and no gaps.
    const arabic = 'قمر أزرق فوق بحر أحمر';
    for (const view of [drawing({ prompt: arabic }), completed({ prompt: arabic })]) {
      await show(view);
      const look = await page.getByRole('heading', { level: 1, name: arabic }).evaluate((title) => {
        const { direction, fontSize, letterSpacing, lineHeight } = getComputedStyle(title);
        return { direction, letterSpacing, lines: parseFloat(lineHeight) / parseFloat(fontSize) };
      });
      expect([look.direction, look.letterSpacing]).toEqual(['rtl', 'normal']);
      expect(look.lines).toBeCloseTo(1.3);
    }

    await show(completed({ created_at: '2026-11-20T21:04:00Z' }));
    await page.getByRole('heading', { level: 1, name: 'a harbour of glass' }).waitFor();
    const time = page.locator('main time').first();
    expect(await time.getAttribute('datetime')).toBe('2026-11-20T21:04:00Z');
    expect(await time.textContent()).toMatch(/^\d+ November 2026 at \d\d:04$/);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    // The actions stay clear of the Create button, which has a strip of its own over the full width.
    const create = page.getByRole('button', { name: 'Create' });
    await create.waitFor();
    for (const name of ['Download', 'Remix', 'Copy link']) {
      const action = page.getByRole('button', { name });
      await action.evaluate((element) => {
        element.focus();
        element.scrollIntoView({ block: 'nearest' });
      });
      const onTop = await action.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect([name, onTop]).toEqual([name, true]);
    }
    expect((await create.boundingBox())?.width).toBeGreaterThan(340);
    await page
      .getByRole('link', { name: new RegExp(fan.creator.name) })
      .first()
      .click();
    await page.waitForURL('**/junoabara');
  });

  it('[F2.55, F2.56, F2.57, F9.07] shows pending, failed, refunded and finished images in My Creations', async () => {
    let total = 25;
    const rows = [
      row({ id: `${ID.slice(0, -1)}2`, prompt: 'pending one' }),
      failed('Prediction interrupted', { id: `${ID.slice(0, -1)}3`, prompt: 'failed one' }),
      completed({ prompt: 'finished one' }),
    ];
    const page = await open('/my-creations', {
      get_user_generations_by_jwt_paginated: () =>
        ok(rows.map((generation): PaginatedGeneration => ({ generation, total_count: total }))),
    });
    await page.getByRole('heading', { level: 1, name: 'My Creations' }).waitFor();
    await page
      .getByRole('link', { name: /pending one/ })
      .getByText('Generating...')
      .waitFor();
    const bad = page.getByRole('link', { name: /failed one/ });
    await bad.getByText('Generation Unsuccessful').waitFor();
    await bad.getByText('Credits Refunded').waitFor();
    const card = page.getByRole('link', { name: /finished one/ });
    await card.getByRole('img').waitFor();
    // With 12 images a page, 25 images need 3 pages and 24 need 2.
    const pages = page.getByRole('navigation', { name: /page/i });
    await pages.getByText(/of 3$/).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    total = 24;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await pages.getByText(/of 2$/).waitFor();
    const grid = page.getByRole('region', { name: 'My Creations' }).locator('ul').first();
    expect(await grid.evaluate((ul) => getComputedStyle(ul).gridTemplateColumns.split(' ').length)).toBe(4);
    const veil = card.getByText('finished one').locator('..');
    expect(await veil.evaluate((element) => getComputedStyle(element).opacity)).toBe('0');
    await card.hover();
    const isShown = (element: SVGElement | HTMLElement | null) => getComputedStyle(element!).opacity === '1';
    await page.waitForFunction(isShown, await veil.elementHandle());
  });
});
