import { describe, expect, it, jest } from '@jest/globals';
import { screenFaults } from '../support/axe.js';
import { type FanBrowser, NEW_FAN_CREDITS, useFanBrowser } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const AUDITOR = 'auditor@fanvas.test';

/** Auditors read accounts; all people verify files. */
describe('audit', () => {
  let fan: FanBrowser;

  // An app of its own: the whole ledger is verified, and other files must not change what is found.
  useFanBrowser((started) => void (fan = started), {});

  it('shows an auditor the account of a fan with each event and its hash, and verifies the whole ledger', async () => {
    const { userId } = await fan.user();
    const page = await fan.openAsDemoAccount(AUDITOR, '/audit');
    await page.getByRole('row').nth(1).waitFor();
    expect(await screenFaults(page)).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type(userId);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Open the account of this user' }).click();
    await page.getByText('As of, UTC').waitFor();
    await page.getByRole('status').getByText(`: ${NEW_FAN_CREDITS} credits`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'CreditsGranted' }).first().click();
    await page
      .getByRole('region', { name: /^Event / })
      .getByText('recomputed')
      .waitFor();
    expect(await screenFaults(page)).toEqual([]);
    for (const place of ['Seals', 'Export']) {
      await page.getByRole('navigation', { name: 'Audit' }).getByRole('link', { name: place }).click();
      await page.getByRole('heading', { level: 1, name: place }).waitFor();
      expect(await screenFaults(page)).toEqual([]);
    }

    await page.getByRole('navigation', { name: 'Audit' }).getByRole('link', { name: 'Verification' }).click();
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText('The verification has ended: no problems.').first().waitFor({ timeout: 90_000 });
    await page.getByRole('heading', { level: 1, name: 'No problems', exact: true }).waitFor();
    expect(
      await page
        .getByRole('table', { name: /Checks/ })
        .getByRole('row')
        .count(),
    ).toBe(8);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText(/^Asked for by/).waitFor();
    expect(await screenFaults(page)).toEqual([]);
  });

  it('verifies a statement in the browser, and finds a changed amount', async () => {
    const { token } = await fan.user();
    // The log gets a checkpoint a few times a minute.
    const statement = await until(
      async () => {
        const headers = { authorization: `Bearer ${await token()}` };
        const response = await fetch(`${fan.app.url}/ledger/statement`, { headers });
        return response.ok ? response.text() : null;
      },
      'a checkpoint that covers the account',
      90_000,
      2_000,
    );
    const page = await fan.open('/audit/verify', { visitor: true });
    const verify = async (text: string): Promise<string> => {
      const name = 'statement.ndjson';
      await page.locator('input[type=file]').setInputFiles({
        name,
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(text),
      });
      const result = page.getByRole('region', { name: 'Result' });
      await result.waitFor();
      return result.innerText();
    };
    const held = await verify(statement);
    expect(held).toContain('All holds');
    expect(held).toContain('covers the last event');
    expect(await screenFaults(page)).toEqual([]);
    await verify(statement.replace('"amount":30', '"amount":90'));
    await page.getByRole('region', { name: 'Result' }).getByText('@ 0: The hash is not that of the event').waitFor();
  });
});
