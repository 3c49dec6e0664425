import { readFile } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type CreatorEarning } from '../../src/contract/revenue.js';
import { accessibilityFaults, screenFaults } from '../support/axe.js';
import { type FanBrowser, type Answers, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';
import { ANALYTICS, creatorMonth, EARNING } from '../../web/test/rows.js';

jest.setTimeout(480_000);

const CORRECTION: CreatorEarning = {
  ...EARNING,
  id: 'e2',
  kind: 'correction',
  prompt: null,
  creator_cents: -50,
  cause: 'dispute',
};
/** A creator with figures of every kind. */
const FIGURES: Answers = {
  get_creator_dashboard_analytics: { body: ANALYTICS },
  get_creator_monthly_history: {
    body: {
      monthly_breakdown: [
        creatorMonth('2026-10', 'October 2026'),
        creatorMonth('2026-09', 'September 2026'),
        creatorMonth('2026-08', 'August 2026'),
      ],
    },
  },
  get_creator_earnings: { body: [EARNING, CORRECTION].map((row) => ({ ...row, total_count: 2 })) },
};

const open = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const chart = (page: Page) => page.getByRole('application', { name: /^Chart of paid and free images/ });

/** Runs in the page: the space between the focus ring of an element and its letters, in px. */
function spaceInsideRing(element: Element): number {
  const letters = document.createRange();
  letters.selectNodeContents(element);
  const { outlineStyle, outlineOffset } = getComputedStyle(element);
  if (outlineStyle === 'none') throw new Error('The element has no focus ring.');
  return letters.getBoundingClientRect().left - element.getBoundingClientRect().left + Number.parseFloat(outlineOffset);
}

describe('dashboard of a creator', () => {
  let demo: FanBrowser;
  useFanBrowser((started) => void (demo = started));

  it('[C2.16, C2.17, C2.24] shows its tabs, the months of the chart and each earning by keyboard and on a phone, and prints a statement', async () => {
    const page = await demo.openAsDemoAccount('creator@fanvas.test', '/creator');
    await page.getByRole('heading', { level: 1, name: 'Welcome back, Juno Abara' }).waitFor();
    await page.getByRole('heading', { name: 'Monthly Revenue History' }).waitFor();
    await page.getByRole('heading', { name: 'Latest Earnings' }).waitFor();
    const download = page.waitForEvent('download');
    await open(page, 'All earnings as CSV');
    const file = await download;
    expect(file.suggestedFilename()).toBe('fanvas-earnings-junoabara.csv');
    expect((await readFile(await file.path(), 'utf8')).split('\n').length).toBeGreaterThan(1);
    await page.getByRole('tab', { name: 'Revenue' }).focus();
    await page.keyboard.press('ArrowRight');
    await focusOn(page.getByRole('tab', { name: 'Test Model' }));
    await page.keyboard.press('ArrowRight');
    await focusOn(page.getByRole('tab', { name: 'Profile' }));
    await page.getByRole('tabpanel', { name: 'Profile' }).getByText('@junoabara', { exact: true }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    expect(new URL(page.url()).search).toBe('?tab=profile');

    // The figures of a month of the chart, by pointer and keyboard
    const figures = await demo.openTab(page, '/creator', { answers: FIGURES });
    const tip = figures.getByText('Earned by free');
    await chart(figures).hover();
    await tip.waitFor();
    await figures.getByRole('heading', { level: 1 }).hover();
    await tip.waitFor({ state: 'detached' });
    await chart(figures).focus();
    await figures.keyboard.press('ArrowRight');
    await figures.locator('.recharts-tooltip-wrapper').getByText('September 2026').waitFor();
    await figures.keyboard.press('ArrowLeft');
    await figures.locator('.recharts-tooltip-wrapper').getByText('August 2026').waitFor();
    await open(figures, 'Show as a table');
    await open(figures, 'ocean radio, late');
    await open(figures, 'Picture deleted or private');
    expect(await accessibilityFaults(figures, { light: true })).toEqual([]);

    await figures.setViewportSize({ width: 390, height: 844 });
    await figures.getByText('paid by the fan').first().waitFor();
    await figures.getByText(/a chargeback/).waitFor();
    await chart(figures).waitFor();
    // The chart follows the width.
    await figures.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
    expect(await accessibilityFaults(figures, { light: true })).toEqual([]);
    const tab = figures.getByRole('tab', { name: 'Revenue' });
    await tab.focus();
    await figures.keyboard.press('Home');
    expect(await tab.evaluate(spaceInsideRing)).toBeGreaterThanOrEqual(2);

    // The statement prints without the rest of the site.
    const [thisMonth] = new Date().toISOString().split(/-\d\dT/);
    await page.goto(`${demo.app.url}/creator/statement/${thisMonth}`);
    await page.getByText('The month is not over').waitFor();
    expect(await screenFaults(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByText('Reading the figures').isVisible()).toBe(true);
  });
});
