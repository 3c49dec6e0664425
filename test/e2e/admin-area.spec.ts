import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page, type Request } from 'playwright-core';
import { type ReportReason } from '../../src/contract/generation.js';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';

jest.setTimeout(240_000);

const ADMIN = 'admin@fanvas.test';

/** The frame of the admin area and its queue of reports. */
describe('the admin area', () => {
  let fan: FanBrowser;

  beforeAll(async () => {
    fan = await FanBrowser.start();
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

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

  it('[C2.32] sends visitors to the sign-in and fans to the home page, and requests no code of the area', async () => {
    const fansPage = await fan.open('/');
    const onHome = async (page: Page): Promise<void> => {
      await page.waitForURL(`${fan.app.url}/`);
      await page.getByRole('button', { name: /^Account of/ }).waitFor();
    };
    const seenByFan = await scriptsOf(fansPage, '/admin', onHome);

    const visitorsPage = await fan.open('/', { visitor: true });
    const onSignIn = (page: Page): Promise<void> => page.waitForURL(/\/sign-in/);
    const seenByVisitor = await scriptsOf(visitorsPage, '/admin/reports', onSignIn);

    const adminsPage = await fan.openAsDemoAccount(ADMIN, '/');
    const home = await scriptsOf(adminsPage, '/', onHome);
    const area = await scriptsOf(adminsPage, '/admin', (page) => title(page, 'Admin Dashboard').waitFor());
    const onlyInArea = [...area].filter((name) => !home.has(name));

    expect(onlyInArea.some((name) => name.includes('admin-area'))).toBe(true);
    const codeOfArea = onlyInArea.filter((name) => /admin|dashboard-page/.test(name));
    expect(codeOfArea.filter((name) => seenByFan.has(name) || seenByVisitor.has(name))).toEqual([]);
  });

  it('decides a report by keyboard, and moves the focus to the next one', async () => {
    const reporter = await fan.user();
    const gallery = async (): Promise<string[]> => {
      const request = { p_creator_id: fan.creator.id };
      const { body } = await rpc<{ id: string }[]>(fan.app.url, 'get_gallery_generations_public', request);
      return body.map(({ id }) => id);
    };
    const report = async (id: string, reason: ReportReason): Promise<void> => {
      const request = { p_generation_id: id, p_reason: reason, p_note: 'This is our teacher.' };
      expect((await reporter.rpc('report_generation', request)).status).toBe(200);
    };
    const before = await gallery();
    const [later, urgent] = before;
    await report(later!, 'real_person');
    await report(urgent!, 'minors');

    const page = await fan.openAsDemoAccount(ADMIN, '/admin/reports');
    const rows = page.getByRole('region', { name: 'Open cases' }).getByRole('button');
    await rows.filter({ hasText: 'A minor' }).and(page.locator('[aria-current="true"]')).waitFor();
    await page.getByRole('radio', { name: /^Take down/ }).waitFor();
    await page.keyboard.press('3');
    await page.getByText('What happens').waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Picture taken down. Its files are deleted in 24 hours.').waitFor();
    await focusOn(rows.filter({ hasText: 'A real person' }));
    expect(await gallery()).toEqual(before.filter((id) => id !== urgent));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    await page.getByRole('radio', { name: /^Take down/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
  });
});
