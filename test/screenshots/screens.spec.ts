import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { rpc } from '../support/api-client.js';
import { FanBrowser, refusal, type Answers } from '../support/fan-browser.js';
import { idle } from '../support/idle.js';

jest.setTimeout(480_000);

const FOLDER = fileURLToPath(new URL('../.artifacts/screenshots', import.meta.url));
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES = ['light', 'dark'] as const;
const LIMITED = {
  status: 429,
  body: { code: 'P0001', message: 'Rate limit exceeded. Please try again in a moment.', details: null, hint: null },
  headers: { 'retry-after': '44' },
};
const DOWN = refusal(500, 'Something went wrong. Please try again.');
const GENERATION = '01a00000-0000-7000-8000-000000000001';
const LONG_PROMPT = `${'a lighthouse of glass above a sea of red poppies, '.repeat(6)}at night`;
const ADMIN = 'admin@fanvas.test';
const FINANCE = 'finance@fanvas.test';
const CREATOR = 'creator@fanvas.test';

describe('pictures of', () => {
  let fan: FanBrowser;
  let gallery: GalleryItem[];
  /** The width of the picture in progress. */
  let width = 1280;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    fan = await FanBrowser.start({ SANDBOX_DRAW_MS: '500' });
    const request = { p_creator_id: fan.creator.id };
    gallery = (await rpc<GalleryItem[]>(fan.app.url, 'get_gallery_generations_public', request)).body;
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const open = (path: string, more: object = {}) => fan.open(path, { width, ...more });
  const openAs = (email: string, path: string, answers: Answers = {}) =>
    fan.openAsDemoAccount(email, path, { width, answers });
  const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image/ });
  const generation = (more: object) => ({
    ...{ id: GENERATION, prediction_id: 'p1', status: 'pending', prompt: 'a harbour of glass', aspect_ratio: 'square' },
    ...{ image_url: null, image: null, creator_id: fan.creator.id, creator_username: 'junoabara' },
    ...{ creator_name: fan.creator.name, creator_is_visible: true, creator_status: 'active', error_message: null },
    ...{ created_at: new Date().toISOString(), updated_at: new Date().toISOString(), refunded: false },
    ...{
      credits_closed: false,
      refund_reason: null,
      refunded_at: null,
      credit_cost: 10,
      is_owner: true,
      hidden: false,
    },
    ...{ moderation: null, cancelled: false, cancellable_at: null, phase: null, drawing_at: null, finishing_at: null },
    ...{ completed_at: null, ...more },
  });
  const completed = () => {
    const { image, image_url } = gallery[0]!;
    return generation({
      status: 'completed',
      image,
      image_url,
      completed_at: new Date().toISOString(),
      credits_closed: true,
    });
  };
  const image = (view: unknown, answers: Answers = {}) =>
    open(`/junoabara/generate/${GENERATION}`, {
      answers: { events: refusal(503, 'No stream here.'), get_generation_by_id: { body: view }, ...answers },
    });

  /** Each opens a page and waits for its state. */
  const states: Readonly<Record<string, () => Promise<Page>>> = {
    'my-creations-limit': async () => {
      const page = await open('/my-creations', {
        answers: { get_user_generations_by_jwt_paginated: LIMITED },
      });
      await title(page, 'My Creations');
      return page;
    },
    'credits-limit': async () => {
      const page = await open('/credits', { answers: { get_user_credit_breakdown: LIMITED } });
      await title(page, 'Credits');
      return page;
    },
    'finance-limit': async () => {
      const page = await openAs(FINANCE, '/finance', { list_revenue_months: LIMITED });
      await text(page, /Again in 0:\d\d/);
      return page;
    },
    'admin-limit': async () => {
      const page = await openAs(ADMIN, '/admin/users', { search_users_admin: LIMITED });
      await text(page, /Again in 0:\d\d/);
      return page;
    },
    remix: async () => {
      const page = await image(completed());
      await page.getByRole('button', { name: 'Remix' }).click();
      await text(page, /prompt/i);
      return page;
    },
    'long-prompt': async () => {
      const page = await open('/junoabara');
      await promptBox(page).fill(LONG_PROMPT);
      return page;
    },
    'forced-colours': async () => {
      const page = await open('/junoabara');
      await page.emulateMedia({ forcedColors: 'active' });
      await promptBox(page).fill('a lighthouse');
      return page;
    },
    toast: async () => {
      const page = await image(completed());
      await page.getByRole('button', { name: 'Copy link' }).first().click();
      await text(page, /copied/i);
      return page;
    },
    'status-unknown': async () => {
      const start = { body: { success: true, generation_id: GENERATION, new_balance: 30 } };
      const page = await open('/junoabara', {
        answers: { start_generation_by_jwt: start, get_generation_by_id: 'never', events: 'never' },
      });
      await promptBox(page).fill('a harbour of glass');
      await page.getByRole('button', { name: /^Generate/ }).click();
      await page.waitForURL(`**/${GENERATION}`);
      await page.waitForTimeout(1_500);
      return page;
    },
    generating: async () => {
      const since = new Date(Date.now() - 5_000).toISOString();
      const page = await image(
        generation({ phase: 'drawing', created_at: since, drawing_at: since, cancellable_at: since }),
      );
      await text(page, /Generating/);
      return page;
    },
    search: async () => {
      const page = await open('/');
      if (width < 640)
        await page
          .getByRole('button', { name: /search/i })
          .first()
          .click();
      const box = page.getByRole('combobox').first();
      await box.fill('a');
      await page.getByRole('option').first().waitFor();
      await box.press('ArrowDown');
      return page;
    },
    'server-away': async () => {
      const page = await open('/junoabara');
      await promptBox(page).fill('typed before the server went away');
      await page.route('**', (route) => route.abort());
      await page.getByRole('link', { name: 'Privacy Policy' }).first().click();
      await page.waitForTimeout(5_000);
      return page;
    },
    'sign-up-loading': async () => {
      const page = await fan.openAlone('/robots.txt', { width });
      await page.route('**/__clerk/**', () => undefined);
      await page.goto(`${fan.app.url}/sign-up`);
      await page.waitForTimeout(2_000);
      return page;
    },
    'identity-unknown': async () => {
      const page = await fan.openAlone('/robots.txt', { width });
      await page.route('**/__clerk/**', () => undefined);
      await page.goto(`${fan.app.url}/my-creations`);
      await page.waitForTimeout(2_000);
      return page;
    },
    'dashboard-loading': async () => {
      const page = await openAs(CREATOR, '/creator', {
        get_creator_dashboard_analytics: 'never',
        get_creator_by_jwt: 'never',
      });
      await page.waitForTimeout(1_000);
      return page;
    },
    dashboard: async () => {
      const page = await openAs(CREATOR, '/creator');
      await page.getByRole('tab').first().waitFor();
      return page;
    },
    'no-such-creator': async () => {
      const page = await openAs(ADMIN, '/admin/revenue-management/01a00000-0000-7000-8000-0000000000ff');
      await text(page, 'Unable to Load Creator Dashboard');
      return page;
    },
    'gallery-conflict': async () => {
      const details = JSON.stringify({ version: 5 });
      const conflict = { status: 409, body: { code: '40001', message: 'Somebody else saved.', details, hint: null } };
      const page = await openAs(ADMIN, '/admin/gallery/junoabara', { save_gallery_admin: conflict });
      await page.getByRole('button', { name: 'Remove from gallery' }).first().click();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByRole('alertdialog').waitFor();
      return page;
    },
    'payment-failed': async () => {
      const page = await open('/payment-success?session_id=cs_test_unknown', {
        answers: { 'verify-payment': DOWN },
      });
      await text(page, /payment/i);
      return page;
    },
    'copy-without-clipboard': async () => {
      const page = await image(completed());
      await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await page.getByRole('button', { name: 'Copy link' }).first().click();
      await page.waitForTimeout(500);
      return page;
    },
    'creators-failed': async () => {
      const page = await open('/', { visitor: true, answers: { get_public_creators: DOWN } });
      await page
        .getByRole('button', { name: /try again|retry|refresh/i })
        .first()
        .waitFor();
      return page;
    },
    'creator-missing': async () => {
      const page = await open('/nobodyhere', { visitor: true });
      await text(page, /creator/i);
      return page;
    },
    faq: async () => {
      const page = await open('/faq', { visitor: true });
      await title(page, /FAQ/);
      return page;
    },
    'portal-failed': async () => {
      const page = await open('/creator', { answers: { get_creator_by_jwt: DOWN } });
      await text(page, /Error/i);
      return page;
    },
    portal: async () => {
      const page = await open('/creator', { visitor: true });
      await title(page, /./);
      return page;
    },
    image: async () => {
      const page = await image(completed());
      await page.getByRole('button', { name: 'Download' }).waitFor();
      return page;
    },
    creator: async () => {
      const page = await open('/junoabara', { visitor: true });
      await page.locator('main picture img').nth(1).waitFor();
      return page;
    },
    home: async () => {
      const page = await open('/', { visitor: true });
      await text(page, 'Earn with your likeness');
      return page;
    },
    menu: async () => {
      const page = await open('/');
      await page.getByRole('button', { name: width < 640 ? /menu$/i : /^Account of/ }).click();
      await text(page, 'Sign Out');
      return page;
    },
    'admin-creator': async () => {
      const page = await openAs(ADMIN, `/admin/revenue-management/${fan.creator.id}`);
      await page.getByRole('tab').first().waitFor();
      return page;
    },
    'not-found': async () => {
      const page = await open('/a%00b', { visitor: true });
      await text(page, /found/i);
      return page;
    },
    purchase: async () => {
      const page = await open('/purchase-credits');
      await page.getByRole('button', { name: 'Buy Now' }).first().waitFor();
      return page;
    },
  };

  const all = Object.keys(states).flatMap((name) => SIZES.map((size) => [name, size.width, size.height] as const));
  it.each(all)('saves %s at %i px', async (name, wide, height) => {
    width = wide;
    const page = await states[name]!();
    await page.setViewportSize({ width, height });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await idle(page);
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
  });
});
