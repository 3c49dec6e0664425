import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { type GenerationView } from '../../src/contract/generation.js';
import { signUp } from '../support/api-client.js';
import { type OwnCreator } from '../../src/contract/creators.js';
import { FanBrowser, refusal, type Answers } from '../support/fan-browser.js';
import { idle } from '../support/idle.js';
import { PAYMENT_PROBLEM } from '../../web/test/admin-users.js';
import { CREATOR_PAYOUTS, creatorPayout } from '../../web/test/payouts.js';
import { generation, OWN_CREATOR } from '../../web/test/rows.js';

jest.setTimeout(480_000);

const FOLDER = fileURLToPath(new URL('../.artifacts/screenshots', import.meta.url));
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
/** States of other sizes: a browser at 200 % zoom, and a low window. */
const OWN_SIZES: Readonly<Record<string, readonly { readonly width: number; readonly height: number }[]>> = {
  zoom: [{ width: 320, height: 400 }],
  'large-text': [{ width: 640, height: 800 }],
  low: [{ width: 640, height: 400 }],
};
const THEMES = ['light', 'dark'] as const;
const LIMITED = {
  status: 429,
  body: { code: 'P0001', message: 'Rate limit exceeded. Please try again in a moment.', details: null, hint: null },
  headers: { 'retry-after': '44' },
};
const DOWN = refusal(500, 'Something went wrong. Please try again.');
const GENERATION = '01a00000-0000-7000-8000-000000000001';
/** As long as a reason may be, without a place to break. */
const LONG_REASON = 'refundbecause'.repeat(39).slice(0, 500);
const LONG_PROMPT = `${'a lighthouse of glass above a sea of red poppies, '.repeat(6)}at night`;
const ADMIN = 'admin@fanvas.test';
const FINANCE = 'finance@fanvas.test';
const CREATOR = 'creator@fanvas.test';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('pictures of', () => {
  let fan: FanBrowser;
  let gallery: GalleryItem[];
  /** The width of the picture in progress. */
  let width = 1280;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    fan = await FanBrowser.start({ SANDBOX_DRAW_MS: '500', SANDBOX_PICTURE_PX: '1440', SANDBOX_PAST_MONTHS: '4' });
    gallery = await fan.gallery();
    // Two of each, because notes must survive opening another one.
    for (const [index, name] of ['Nadia Voss', 'Emeka Rowe'].entries()) {
      const handle = name.toLowerCase().replace(' ', '.');
      const email = `${handle}@example.com`;
      const { rpc: call } = await signUp(fan.app.url, email, 'correct-horse-9');
      await call('create_creator_by_jwt', {
        p_email: email,
        p_name: name,
        p_instagram: `@${handle}`,
        p_terms_agreed: true,
      });
      await call('report_generation', {
        p_generation_id: gallery[index]!.id,
        p_reason: 'real_person',
        p_note: 'A teacher.',
      });
    }
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  const open = (path: string, more: object = {}) => fan.open(path, { width, ...more });
  const openAs = (email: string, path: string, answers: Answers = {}) =>
    fan.openAsDemoAccount(email, path, { width, answers });
  const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
  /** When nothing is missing: no skeleton, no spinner, and the account in the header. */
  const loaded = async (opening: Promise<Page>) => {
    const page = await opening;
    await page.locator('h1').first().waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy=true], .pulse-soft, .animate-spin') === null);
    await text(page, /^40$|^Find$|^Admin$|^Finance$/);
    return page;
  };
  const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image/ });
  const view = (more: Partial<GenerationView>) => {
    const now = new Date().toISOString();
    return generation({
      id: GENERATION,
      creator_id: fan.creator.id,
      created_at: now,
      updated_at: now,
      phase: null,
      ...more,
    });
  };
  /** The portal as a person who applied sees it. */
  const applicant = (more: Partial<OwnCreator>) => {
    const creator = {
      ...OWN_CREATOR,
      name: 'Nadia Voss',
      username: 'nadia.voss',
      instagram: '@nadia.voss',
      email: 'nadia@vossprints.example',
      creator_status: 'pending',
      deployment_name: null,
      applied_at: new Date().toISOString(),
      ...more,
    };
    const answers = { get_creator_by_jwt: { body: [creator] }, get_terms_acceptance_status_by_jwt: { body: true } };
    return loaded(open('/creator', { answers }));
  };
  const FAILED = {
    status: 'failed',
    error_message: 'NSFW content detected',
    refund_reason: 'generation_failed',
  } as const;
  const completed = () => {
    const { image, image_url } = gallery[0]!;
    return view({
      status: 'completed',
      image,
      image_url,
      completed_at: new Date().toISOString(),
      credits_closed: true,
    });
  };
  const image = (shown: unknown, answers: Answers = {}) =>
    open(`/junoabara/generate/${GENERATION}`, {
      answers: { events: refusal(503, 'No stream here.'), get_generation_by_id: { body: shown }, ...answers },
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
      await text(page, 'Error loading credits');
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
    'creator-limit': async () => {
      const page = await open('/junoabara', { visitor: true, answers: { get_gallery_generations_public: LIMITED } });
      await title(page, fan.creator.name);
      return page;
    },
    'image-limit': async () => {
      const page = await image({}, { get_generation_by_id: LIMITED });
      await text(page, /Again in 0:\d\d/);
      await text(page, 'Error connecting to server');
      return page;
    },
    'generate-limit': async () => {
      const page = await open('/junoabara', { answers: { start_generation_by_jwt: LIMITED } });
      await promptBox(page).fill('a harbour of glass');
      await page.getByRole('button', { name: /^Generate/ }).click();
      await page.getByRole('alert').getByText(/\w/).first().waitFor();
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
      await text(page, /^40$/);
      await promptBox(page).fill(LONG_PROMPT);
      return page;
    },
    'forced-colours': async () => {
      const page = await open('/junoabara');
      await page.emulateMedia({ forcedColors: 'active' });
      await text(page, /^40$/);
      await promptBox(page).fill('a lighthouse');
      return page;
    },
    zoom: async () => {
      const page = await open('/junoabara', { visitor: true });
      await promptBox(page).fill(LONG_PROMPT);
      return page;
    },
    'large-text': async () => {
      const page = await open('/junoabara', { visitor: true });
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      // Pictures load when they are in view.
      await page.locator('main img').last().scrollIntoViewIfNeeded();
      await promptBox(page).fill(LONG_PROMPT);
      return page;
    },
    low: async () => {
      const page = await open('/junoabara');
      await promptBox(page).fill(LONG_PROMPT);
      return page;
    },
    'forced-colours-dashboard': async () => {
      const page = await openAs(CREATOR, '/creator');
      await page.emulateMedia({ forcedColors: 'active' });
      await page.locator('.recharts-bar').first().waitFor();
      return page;
    },
    'toast-cancel': async () => {
      // The server does not know the image, so it refuses.
      const page = await image(view({ phase: 'queued', cancellable_at: new Date(0).toISOString() }));
      await page.getByRole('button', { name: 'Cancel Generation' }).click();
      await page.getByRole('button', { name: 'Dismiss' }).waitFor();
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
      const page = await image(view({ phase: 'drawing', created_at: since, drawing_at: since, cancellable_at: since }));
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
      await text(page, /^40$/);
      await promptBox(page).fill('typed before the server went away');
      await page.route('**', (route) => route.abort());
      await page.getByRole('link', { name: 'Privacy Policy' }).first().click();
      await page.waitForTimeout(5_000);
      return page;
    },
    'application-notes-kept': async () => {
      const page = await openAs(ADMIN, '/admin/applications');
      const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
      await row('Nadia Voss').click();
      await page.getByLabel('Identity').fill('Seen in a video call');
      await page.getByRole('radio', { name: /^Approve/ }).check();
      if (width < 640) await page.getByRole('button', { name: 'Back to the list' }).click();
      await row('Emeka Rowe').click();
      if (width < 640) await page.getByRole('button', { name: 'Back to the list' }).click();
      await row('Nadia Voss').click();
      return page;
    },
    'report-note-kept': async () => {
      const page = await openAs(ADMIN, '/admin/reports');
      const rows = page.getByRole('region', { name: 'Open cases' }).getByRole('button');
      await rows.first().click();
      await page.getByRole('radio', { name: /^Take down/ }).check();
      await page.getByLabel('Note that the owner reads').fill('It shows a teacher.');
      if (width < 640) await page.getByRole('button', { name: 'Back to the list' }).click();
      await rows.nth(1).click();
      await page.getByRole('radio', { name: /^Take down/, checked: false }).waitFor();
      if (width < 640) await page.getByRole('button', { name: 'Back to the list' }).click();
      await rows.first().click();
      await page.getByText('What happens').waitFor();
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
      await text(page, /Sign-in is still loading/);
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
      await page.locator('.recharts-bar').first().waitFor();
      return page;
    },
    'no-such-creator': async () => {
      const page = await openAs(ADMIN, '/admin/revenue-management/01a00000-0000-7000-8000-0000000000ff');
      await text(page, 'Unable to Load Creator Dashboard');
      return page;
    },
    'admin-test-model': async () => {
      const page = await openAs(ADMIN, `/admin/revenue-management/${fan.creator.id}`);
      await page.getByRole('tab', { name: 'Test Model' }).click();
      await text(page, 'Drawing for fans');
      return page;
    },
    'admin-creators-failed': async () => {
      const page = await openAs(ADMIN, '/admin/gallery', { list_creators_admin: DOWN });
      await text(page, 'Failed to load creators. Please try again.');
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
    'payment-canceled': () => loaded(open('/payment-canceled?reason=verification_error')),
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
    'creator-failed': async () => {
      const page = await open('/junoabara', { visitor: true, answers: { get_public_creator_by_username: DOWN } });
      await text(page, 'This creator could not be loaded');
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
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
      return page;
    },
    'portal-failed': async () => {
      const page = await open('/creator', { answers: { get_creator_by_jwt: DOWN } });
      await text(page, /Error/i);
      return page;
    },
    'portal-failed-creator': async () => {
      const page = await openAs(CREATOR, '/creator', { get_creator_by_jwt: DOWN });
      await text(page, 'Error Loading Portal');
      return page;
    },
    'application-sent': () => applicant({}),
    'application-approved': () => applicant({ creator_status: 'active', decided_at: new Date().toISOString() }),
    'application-rejected': () =>
      applicant({
        creator_status: 'rejected',
        decided_at: new Date().toISOString(),
        rejection_reason: 'The account could not be confirmed.',
        reapply_at: inDays(28),
      }),
    terms: () => open('/creator-terms', { visitor: true }),
    portal: async () => {
      const page = await open('/creator', { visitor: true });
      await title(page, /./);
      return page;
    },
    'creator-generating': async () => {
      const page = await open('/junoabara', { answers: { has_active_pending_generation_jwt: { body: true } } });
      await text(page, 'Image Generating...');
      return page;
    },
    failed: async () => {
      const page = await image(view({ ...FAILED, refunded: true, credits_closed: true }));
      await text(page, /refunded/i);
      return page;
    },
    creations: async () => {
      const items = [
        ...[completed(), view({ ...FAILED, id: fan.creator.id, refunded: true })],
        view({ ...FAILED, id: gallery[0]!.id, prompt: LONG_PROMPT, error_message: null }),
      ];
      const body = items.map((item) => ({ generation: item, total_count: items.length }));
      const page = await open('/my-creations', { answers: { get_user_generations_by_jwt_paginated: { body } } });
      await text(page, 'Not finished');
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
    'visitor-menu': async () => {
      const page = await open('/', { visitor: true });
      if (width < 640) {
        await page.getByRole('button', { name: /menu$/i }).click();
        await page.getByRole('dialog').getByText('Earn with your likeness').waitFor();
      }
      return page;
    },
    'test-model': async () => {
      const page = await openAs(CREATOR, '/creator');
      await page.getByRole('tab', { name: 'Test Model' }).click();
      await page.getByRole('textbox', { name: 'Describe a test picture' }).fill(LONG_PROMPT);
      return page;
    },
    controls: async () => {
      const page = await openAs(CREATOR, '/creator');
      await page.getByRole('tab', { name: 'Controls' }).click();
      await page.getByRole('heading', { name: 'Blocked words' }).waitFor();
      return page;
    },
    'payment-problem': async () => {
      const problem = { ...PAYMENT_PROBLEM, subject: 'cs_test_a1B2c3D4e5F6g7H8i9J0' };
      const page = await openAs(ADMIN, '/admin/users?tab=payments', { get_payment_problems: { body: [problem] } });
      await page.getByRole('button', { name: /^Dismiss/ }).click();
      await page.getByRole('alertdialog').waitFor();
      return page;
    },
    users: () => loaded(openAs(ADMIN, '/admin/users')),
    log: () => loaded(openAs(ADMIN, '/admin/log')),
    finance: () => loaded(openAs(FINANCE, '/finance')),
    'finance-entries': () => loaded(openAs(FINANCE, '/finance/entries?account=2000')),
    'finance-balance': () => loaded(openAs(FINANCE, '/finance/balance')),
    'finance-creators': () => loaded(openAs(FINANCE, '/finance/creators')),
    'finance-payouts': () => loaded(openAs(FINANCE, '/finance/payouts')),
    'finance-reconciliation': () => loaded(openAs(FINANCE, '/finance/reconciliation')),
    reasons: () => {
      const hold = { ...CREATOR_PAYOUTS.hold, until: inDays(9), reason: LONG_REASON };
      const payouts = [creatorPayout({ state: 'failed', reason: LONG_REASON })];
      return loaded(
        openAs(ADMIN, `/finance/payouts/creators/${fan.creator.id}`, {
          list_creator_payouts: { body: { ...CREATOR_PAYOUTS, creator_id: fan.creator.id, hold, payouts } },
        }),
      );
    },
    'close-month': async () => {
      const page = await openAs(FINANCE, '/finance');
      await page.getByRole('button', { name: /^Close/ }).click();
      await page.getByRole('alertdialog').waitFor();
      return page;
    },
    credits: () => loaded(open('/credits')),
    account: () => loaded(open('/account')),
    'admin-creator': async () => {
      const page = await openAs(ADMIN, `/admin/revenue-management/${fan.creator.id}`);
      await page.getByRole('tab').first().waitFor();
      return page;
    },
    'not-found': async () => {
      const page = await open('/no/such/page', { visitor: true });
      await text(page, /found/i);
      return page;
    },
    purchase: async () => {
      const page = await open('/purchase-credits');
      await page.getByRole('button', { name: 'Buy Now' }).first().waitFor();
      return page;
    },
  };

  const all = Object.keys(states).flatMap((name) =>
    (OWN_SIZES[name] ?? SIZES).map((size) => [name, size.width, size.height] as const),
  );
  it.each(all)('saves %s at %i px', async (name, wide, height) => {
    width = wide;
    const page = await states[name]!();
    await page.setViewportSize({ width, height });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      // A picture of a whole page resizes the window, which takes the gallery away for a moment.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[data-block]:empty')].every((b) => b.getBoundingClientRect().top > innerHeight),
      );
      await idle(page);
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
  });
});
