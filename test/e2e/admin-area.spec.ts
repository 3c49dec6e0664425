import { describe, expect, it, jest } from '@jest/globals';
import { type Page, type Request } from 'playwright-core';
import { type ReportReason } from '../../src/contract/generation.js';
import { type ModerationCaseRow } from '../../src/contract/moderation.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const ADMIN = 'admin@fanvas.test';

/** The frame of the admin area and its queue of reports. */
describe('the admin area', () => {
  let fan: FanBrowser;
  let artist: ApiUser | undefined;

  useFanBrowser(async (started) => {
    fan = started;
    await closeCases();
  });

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  /** Opens the address and returns the names of the scripts that it requests, until it shows `arrived`. */
  const scriptsOf = async (page: Page, path: string, arrived: (page: Page) => Promise<void>): Promise<Set<string>> => {
    const names = new Set<string>();
    const note = (request: Request): void => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) names.add(pathname);
    };
    page.on('request', note);
    await page.goto(new URL(path, fan.app.url).href);
    await arrived(page);
    page.off('request', note);
    return names;
  };
  /** Dismisses the reports of other files, which wait in the same queue. */
  const closeCases = async (): Promise<void> => {
    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    const { body: cases } = await admin.rpc<ModerationCaseRow[]>('list_moderation_cases');
    for (const { kind, id } of cases) {
      const decision = { p_kind: kind, p_id: id, p_decision: 'keep' };
      expect((await admin.rpc('decide_moderation_case', decision)).status).toBe(200);
    }
  };
  const gallery = async (): Promise<string[]> => (await fan.gallery()).map(({ id }) => id);

  /** Draws an image as a fan of this test, and adds it to the gallery of the demo creator. */
  const imageInGallery = async (prompt: string): Promise<string> => {
    artist ??= await signUp(fan.app.url, 'artist@reports.test', 'correct-horse-9');
    const request = { p_prompt: prompt, p_creator_id: fan.creator.id };
    const started = await artist.rpc<{ generation_id: string }>('start_generation_by_jwt', request);
    const { generation_id: id } = started.body;
    const isIdle = async () => (await artist?.rpc('has_active_pending_generation_jwt'))?.body === false;
    await until(isIdle, 'the image', 60_000, 1_250);
    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    const added = { p_creator_id: fan.creator.id, p_generation_id: id };
    expect((await admin.rpc('add_to_creator_gallery_admin_by_jwt', added)).status).toBe(200);
    return id;
  };

  it('[C2.32] sends others away without its code, and lets an admin decide reports by keyboard', async () => {
    const fansPage = await fan.open('/robots.txt');
    const onHome = async (page: Page): Promise<void> => {
      await page.waitForURL(`${fan.app.url}/`);
      await page.getByRole('button', { name: /^Account of/ }).waitFor();
    };
    const seenByFan = await scriptsOf(fansPage, '/admin', onHome);

    const visitorsPage = await fan.open('/robots.txt', { visitor: true });
    const onSignIn = (page: Page): Promise<void> => page.waitForURL(/\/sign-in/);
    const seenByVisitor = await scriptsOf(visitorsPage, '/admin/reports', onSignIn);

    const page = await fan.openAsDemoAccount(ADMIN, '/robots.txt');
    const home = await scriptsOf(page, '/', onHome);
    const area = await scriptsOf(page, '/admin', (admins) => title(admins, 'Admin Dashboard').waitFor());
    const onlyInArea = [...area].filter((name) => !home.has(name));

    expect(onlyInArea.some((name) => name.includes('admin-area'))).toBe(true);
    const codeOfArea = onlyInArea.filter((name) => /admin|dashboard-page/.test(name));
    expect(codeOfArea.filter((name) => seenByFan.has(name) || seenByVisitor.has(name))).toEqual([]);

    // A fan reports two images, and the admin takes the more urgent one down.
    const reporter = await fan.user();
    const later = await imageInGallery('a later harbour');
    const urgent = await imageInGallery('an urgent harbour');
    const report = async (id: string, reason: ReportReason): Promise<void> => {
      const request = { p_generation_id: id, p_reason: reason, p_note: 'This is our teacher.' };
      expect((await reporter.rpc('report_generation', request)).status).toBe(200);
    };
    const before = await gallery();
    await report(later, 'real_person');
    await report(urgent, 'minors');

    await page.goto(`${fan.app.url}/admin/reports`);
    const rows = page.getByRole('region', { name: 'Open cases' }).getByRole('button');
    await rows.filter({ hasText: 'A minor' }).and(page.locator('[aria-current="true"]')).waitFor();
    await page.getByRole('radio', { name: /^Take down/ }).waitFor();
    await page.keyboard.press('3');
    await page.getByText('What happens').waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    // The browser's own look of them ignores the theme.
    for (const native of [page.locator('select'), page.locator('[type=checkbox]:not(:checked)')])
      expect(await native.first().evaluate((element) => getComputedStyle(element).appearance)).toBe('none');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Picture taken down. Its files are deleted in 24 hours.').waitFor();
    await focusOn(rows.filter({ hasText: 'A real person' }));
    expect(await gallery()).toEqual(before.filter((id) => id !== urgent));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    await page.getByRole('radio', { name: /^Take down/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    // As before, for other files
    await closeCases();
    const admin = await signIn(fan.app.url, ADMIN, DEMO_PASSWORD);
    const removed = { p_creator_id: fan.creator.id, p_generation_id: later };
    expect((await admin.rpc('remove_from_creator_gallery_admin_by_jwt', removed)).status).toBe(200);
  });
});
