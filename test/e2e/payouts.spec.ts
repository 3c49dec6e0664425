import { readFile } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn } from '../support/api-client.js';
import { screenFaults } from '../support/axe.js';
import { type FanBrowser, useFanBrowser } from '../support/fan-browser.js';

jest.setTimeout(480_000);

const FINANCE = 'finance@fanvas.test';
const ADMIN = 'admin@fanvas.test';
const CREATOR = 'creator@fanvas.test';
/** Payable to each demo creator, US cents. */
const PAYABLE_CENTS = 16_050;

describe('payouts', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  /**
   * Makes earnings of all demo creators payable since long ago: a real one is payable after 30 days. One creator has
   * payout details.
   */
  const makePayable = async (): Promise<void> => {
    const creator = await signIn(fan.app.url, CREATOR, DEMO_PASSWORD);
    const saved = await creator.rpc('save_own_payout_details_by_jwt', {
      p_legal_name: 'Juno Abara',
      p_country: 'DE',
      p_account: 'DE89370400440532013000',
      p_tax_status: 'business',
    });
    expect(saved.status).toBe(200);
    await fan.database.query(`update creator_payout_details set changed_at = now() - interval '60 days'`);
    await fan.database.query(
      `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits)
       values ('fan', 0, 0, 1010, 'CreditsPurchased', now() - interval '90 days', 0, 0)`,
    );
    await fan.database.query(
      `insert into book_creator_sum (creator_id, account, unit, starts_at, cents)
       select id::text, account, unit, date_trunc(unit, now() - interval '40 days', 'UTC'), $1::bigint
       from creator, unnest(array[2100, 2120]) as account, unnest(array['day', 'month']) as unit
       on conflict (unit, account, creator_id, starts_at) do update set cents = book_creator_sum.cents + excluded.cents`,
      [-PAYABLE_CENTS],
    );
  };

  /** Presses the button of a question. */
  const confirm = (page: Page, name: string): Promise<void> =>
    page.locator('[data-modal]').getByRole('button', { name, exact: true }).click();

  it('pays a creator in a run that finance drafts and an admin checks, sends and records', async () => {
    await makePayable();
    const finance = await fan.openAsDemoAccount(FINANCE, '/finance');
    await finance.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name: 'Payouts' }).click();
    await finance.getByText('No payout run yet').waitFor();
    expect(await screenFaults(finance)).toEqual([]);
    await finance.getByRole('button', { name: 'Draft a run' }).first().click();
    await confirm(finance, 'Draft the run');
    await finance.getByRole('heading', { name: 'Payout run 1', level: 1 }).waitFor();
    await finance.getByRole('row', { name: /Juno Abara.*160\.50.*Ready/ }).waitFor();
    await finance.getByText('No payout details', { exact: true }).first().waitFor();
    await finance.getByRole('button', { name: 'Juno Abara' }).click();
    await finance.getByRole('heading', { name: 'Juno Abara: how $160.50 is made' }).waitFor();
    expect(await screenFaults(finance)).toEqual([]);
    await finance.getByRole('button', { name: 'Fix amounts now' }).click();
    expect(await screenFaults(finance)).toEqual([]);
    await confirm(finance, 'Fix the amounts');
    await finance.getByRole('row', { name: /Juno Abara.*Fixed/ }).waitFor();
    expect(await finance.getByRole('button', { name: 'Check the run' }).count()).toBe(0);

    const run = new URL(finance.url()).pathname;
    const admin = await fan.openAsDemoAccount(ADMIN, run);
    await admin.getByRole('button', { name: 'Check the run' }).click();
    await confirm(admin, 'Confirm the check');
    await admin.getByRole('button', { name: 'Make file 1' }).click();
    await confirm(admin, 'Make the file');
    await admin.getByText('Still due: 1 payout, $160.50').waitFor();
    await admin.getByRole('button', { name: 'Take back file 1' }).click();
    await admin.getByLabel('Reason').fill('Made too early.');
    expect(await screenFaults(admin)).toEqual([]);
    await confirm(admin, 'Take back file 1');
    await admin.getByText(/“Made too early\.”/).waitFor();
    await admin.getByRole('button', { name: 'Make file 2' }).click();
    await confirm(admin, 'Make the file');
    const download = admin.waitForEvent('download');
    await admin.getByRole('button', { name: 'CSV of file 2' }).click();
    const [, line = ''] = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    const [reference, amount] = line.split(',');
    expect(line).toBe(`${reference},160.50,USD,Juno Abara,DE,DE89370400440532013000`);
    expect(await screenFaults(admin)).toEqual([]);

    await admin.getByRole('link', { name: 'Record transfers' }).click();
    const today = new Date().toISOString().slice(0, 10);
    const report = ['SEPA-1', 'SEPA-2'].map((bank) => `${reference},${amount},${today},${bank}`);
    await admin.getByLabel('Or paste it').fill(report.join('\n'));
    expect(await screenFaults(admin)).toEqual([]);
    await admin.getByRole('button', { name: 'Record the transfers' }).click();
    await admin.getByText('1 transfer recorded, 1 line refused.').waitFor();
    await admin.getByText('This payout was paid already, with the reference SEPA-1.').waitFor();
    expect(await screenFaults(admin)).toEqual([]);

    await admin.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name: 'Payouts' }).click();
    await admin.locator(`a[href="${run}"]`).first().click();
    await admin.getByRole('row', { name: /Juno Abara.*160\.50.*Paid/ }).waitFor();
    const stages = admin.getByRole('list', { name: 'Stages' }).getByRole('listitem');
    // The stages are an answer of their own.
    await stages.filter({ hasText: /^Paid and recorded.*Ada Demo/ }).waitFor();
    expect(await stages.allInnerTexts()).toEqual([
      expect.stringMatching(/Drafted[^]*Finn Demo/),
      expect.stringMatching(/Amounts fixed[^]*Finn Demo/),
      expect.stringMatching(/Checked[^]*Ada Demo/),
      expect.stringMatching(/Paid and recorded[^]*Ada Demo/),
    ]);
    expect(await screenFaults(admin)).toEqual([]);
  });
});
