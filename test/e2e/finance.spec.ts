import { readFile } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type RevenueMonths } from '../../src/contract/finance.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn, signUp } from '../support/api-client.js';
import { screenFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const FINANCE = 'finance@fanvas.test';

/** Finance people read the books down to the event behind a figure. */
describe('finance', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  /** A fan buys credits, and the books have the purchase. */
  const purchase = async (): Promise<string> => {
    const { url } = fan.app;
    const finance = await signIn(url, FINANCE, DEMO_PASSWORD);
    // Other files buy credits too.
    const sold = async (): Promise<number> =>
      (await finance.rpc<RevenueMonths>('list_revenue_months')).body.months.reduce(
        (sum, { sold_cents: cents }) => sum + cents,
        0,
      );
    const before = await sold();
    const { body } = await orderBundle(url, await signUp(url, 'buyer@books.test', 'correct-horse-9'));
    const session = sessionOf(body);
    await controlProcessor(url, 'pay', { session, card: 'pays' });
    await until(async () => (await sold()) > before, 'the purchase in the books', 90_000, 2_000);
    return session;
  };

  it('shows the months, the entries behind a figure and their event, saves the same figure as CSV, and has every place', async () => {
    const session = await purchase();
    const page = await fan.openAsDemoAccount(FINANCE, '/');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Finance', exact: true }).click();
    await page.waitForURL('**/finance');
    const months = page.getByRole('table', { name: 'Revenue by month, the latest first' });
    const bought = months.getByRole('link', { name: /, Deferred revenue, Bought: / }).first();
    await bought.waitFor();
    await page.locator('svg.recharts-surface').nth(1).waitFor();
    expect(await screenFaults(page)).toEqual([]);
    const figure = await bought.innerText();
    expect(Number(figure.replaceAll(',', ''))).toBeGreaterThan(0);

    await bought.click();
    await page.getByRole('heading', { name: 'Entries', level: 1 }).waitFor();
    await page.getByText(`$${figure} debit`).waitFor();
    const download = page.waitForEvent('download');
    await page.keyboard.press('e');
    const file = await download;
    expect(file.suggestedFilename()).toBe('fanvas-book-entries.csv');
    const rows = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').slice(1);
    const cents = rows.map((row) => row.split(',')).map(([, , , , , debit, credit]) => Number(debit) - Number(credit));
    expect(cents.reduce((total, each) => total + each, 0).toFixed(2)).toBe(figure.replaceAll(',', ''));
    expect(rows.some((row) => row.includes(session))).toBe(true);

    await page.getByRole('region', { name: /^CreditsPurchased, version/ }).waitFor();
    expect(await screenFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'its own page' }).click();
    await page.getByRole('heading', { name: 'Event', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy Purchase ID' }).waitFor();
    // The audit area is for auditors.
    expect(await page.getByRole('link', { name: /audit area/ }).count()).toBe(0);
    expect(await screenFaults(page)).toEqual([]);

    await page.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name: 'Balance' }).click();
    await page.getByText('Debits equal credits').waitFor();
    expect(await screenFaults(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.keyboard.type('2099-01-01');
    await page.keyboard.press('Enter');
    await page.getByText('The instant must not be in the future.').waitFor();
    expect(await screenFaults(page)).toEqual([]);
    const places = {
      Reconciliation: 'Reconciliation',
      Deferred: 'Deferred revenue',
      Creators: 'Creators',
      Exports: 'Exports',
    };
    for (const [place, title] of Object.entries(places)) {
      await page.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name: place }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
      expect(await screenFaults(page)).toEqual([]);
    }
  });
});
