import { describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { accessibilityFaults, screenFaults } from '../support/axe.js';
import { type CreditBreakdown } from '../../src/contract/credits.js';
import { type Purchase } from '../../src/contract/payments.js';
import { type ApiUser } from '../support/api-client.js';
import { type FanBrowser, NEW_FAN_CREDITS as FREE, useFanBrowser } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';
import { controlProcessor } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';
import { BREAKDOWN, creditTransaction, PURCHASE } from '../../web/test/rows.js';

jest.setTimeout(480_000);

const HISTORY = (
  [
    ['purchase', 'Purchased Popular package', 250, 260],
    ['purchase_reversal', 'Disputed payment: credits taken back, 30 more owed', -220, 40],
    ['deduction', 'Image generation', -10, 30],
    ['debt_repayment', 'Owed credits paid back', -30, 0],
  ] as const
).map(([type, description, amount, balance], index) =>
  creditTransaction({
    id: `t${index}`,
    description,
    transaction_type: type,
    amount,
    balance_after: balance,
    reference_id: null,
  }),
);
const PURCHASES = (['paid', 'partially_refunded', 'refunded', 'disputed'] as const).map((status, index) => ({
  ...PURCHASE,
  id: `cs_${index}`,
  refunded_cents: index * 300,
  status,
  receipt_url: index === 0 ? 'https://pay.stripe.com/receipts/x' : null,
}));
const POOR = {
  ...BREAKDOWN,
  daily_credits: 5,
  bonus_credits: 0,
  paid_credits: 10,
  total_balance: 15,
  free_credits: 5,
  debt: 30,
};

describe('purchase of credits', () => {
  let fan: FanBrowser;
  useFanBrowser((started) => void (fan = started));

  const operator = (action: string, fields: object): Promise<unknown> => controlProcessor(fan.app.url, action, fields);

  const pill = (page: Page) => page.getByRole('button', { name: /^\d+ credits$/ });
  const credits = (page: Page, amount: number) => page.getByRole('button', { name: `${amount} credits` });
  const title = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text });
  const detail = (page: Page, term: string) =>
    page.locator('dl > div', { has: page.getByText(term, { exact: true }) }).locator('dd');
  const buyNow = (page: Page, bundle: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: bundle }) })
      .getByRole('button', { name: 'Buy Now' });

  /** Opens the processor's page from the page of bundles. Returns the id of the session. */
  async function toCheckout(page: Page, bundle: string): Promise<string> {
    await buyNow(page, bundle).click();
    await page.waitForURL(/\/__sandbox\/stripe\/pay\/cs_test_/);
    return page.url().split('/').at(-1) ?? '';
  }

  async function payWith(page: Page, card: RegExp): Promise<void> {
    await page.getByRole('button', { name: card }).click();
    await page.getByRole('button', { name: /^Pay \$/ }).click();
  }

  const declined = /4000 0000 0000 0002/;
  const later = /4000 0000 0000 0077/;
  const failsLater = /4000 0000 0000 0341/;

  it('[F2.66, F2.68, F2.69, F2.70, F2.71, F2.72, F3.11, F4.30] sells credits by keyboard after a declined card, with a receipt, and takes refunded ones back', async () => {
    const user = await fan.signUp();
    const page = await fan.openAs(user, '/purchase-credits');
    await credits(page, FREE).waitFor();
    await title(page, 'Purchase Credits').waitFor();
    const offers = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Buy Now' }) });
    await buyNow(page, 'Premium').waitFor();
    expect((await offers.allInnerTexts()).map((text) => text.split(/\s*\n\s*/).slice(0, 5))).toEqual([
      ['Basic', '100', 'credits', '10 images', '$10'],
      ['Popular', '250', 'credits', '25 images', '$25'],
      ['Premium', '750', 'credits', '75 images', '$75'],
    ]);
    await page.getByText('Purchased credits never expire and are available immediately.').waitFor();

    // The card is declined, and the fan goes back.
    await toCheckout(page, 'Popular');
    await payWith(page, declined);
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await page.getByRole('link', { name: 'Back to Fanvas' }).click();
    await title(page, 'Payment Unsuccessful').waitFor();
    await page.getByText('Your payment was canceled and you have not been charged.').waitFor();
    await page.getByText('No credits were added to your account.').waitFor();
    await credits(page, FREE).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Try Again' }).click();
    await buyNow(page, 'Basic').waitFor();

    await tabTo(page, /Buy Now/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/__sandbox\/stripe\/pay\/cs_test_/);
    const sessionId = page.url().split('/').at(-1);
    await tabTo(page, /^Pays at once/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Pay \$10/);
    await page.keyboard.press('Enter');
    await title(page, 'Payment Successful!').waitFor();
    await credits(page, FREE + 100).waitFor();
    await page.getByText('Your credits have been added to your account.').waitFor();
    expect(new URL(page.url()).searchParams.get('session_id')).toBe(sessionId);
    expect(await detail(page, 'Amount').textContent()).toBe('$10.00 USD');
    expect(await detail(page, 'Status').textContent()).toBe('paid');
    expect(await detail(page, 'Bundle').textContent()).toBe('basic Package');
    expect(await detail(page, 'Credits Added').textContent()).toBe('100');
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);

    // The address can be opened again later.
    await page.reload();
    await title(page, 'Payment Successful!').waitFor();
    await page.getByRole('link', { name: 'View My Credits' }).waitFor();
    await credits(page, FREE + 100).waitFor();
    await tabTo(page, /^\d+ credits|^140/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Credits' });
    await focusOn(dialog);
    await dialog.getByText('Purchased Credits').waitFor();
    await tabTo(page, /View Transactions/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/credits');
    await credits(page, FREE + 100).waitFor();
    // A second row of that name would be an error here.
    expect(await page.getByRole('row', { name: /Purchased Basic package/ }).innerText()).toMatch(
      /Purchase\s+\+100\s+140/,
    );
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /^Receipt/ }).click();
    await (await opened).getByText('$10.00').first().waitFor();

    // The processor returns the money in two parts.
    await operator('refund', { session: sessionId, amount: 400 });
    const receipt = page.getByRole('row', { name: /Basic, 100 credits/ });
    await untilRefunded(user, 400, FREE + 60);
    await page.reload();
    await credits(page, FREE + 60).waitFor();
    await receipt.getByText('$4.00 refunded').waitFor();
    await operator('refund', { session: sessionId });
    await untilRefunded(user, 1000, FREE);
    await page.reload();
    await credits(page, FREE).waitFor();
    await receipt.getByText('Refunded', { exact: true }).waitFor();
    const rows = page.getByRole('row', { name: /Refund of a purchase: credits taken back/ });
    await rows.nth(1).waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/Taken back\s+−60\s+40/),
      expect.stringMatching(/Taken back\s+−40\s+100/),
    ]);
    await expectNoDebtFaults(page);
  });

  it('[F2.68, F2.69, F4.31, F4.32] follows delayed payments until they settle or fail, and credits a payment whose tab was closed', async () => {
    // The delay between two attempts to verify a payment.
    const user = await fan.signUp();
    const page = await fan.openAs(user, '/purchase-credits', { shortenedDelaysMs: [8000] });
    await credits(page, FREE).waitFor();
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    let asked = 0;
    await page.route('**/get-checkout-session', async (route) => {
      asked += 1;
      // The second answer waits for the payment.
      if (asked === 2) await settled;
      await route.continue();
    });
    const settlesId = await toCheckout(page, 'Popular');
    await payWith(page, later);
    await title(page, 'Payment Processing').waitFor();
    await page
      .getByText('Your payment is being processed. Credits will be added once the payment is confirmed.')
      .waitFor();
    expect(await detail(page, 'Credits Added').textContent()).toBe('Pending');
    await credits(page, FREE).waitFor();
    await end('settle', settlesId);
    // The page polls for the result.
    settle();
    await title(page, 'Payment Successful!').waitFor();
    await credits(page, FREE + 250).waitFor();

    await toPurchase(page);
    const failsId = await toCheckout(page, 'Basic');
    await payWith(page, failsLater);
    await title(page, 'Payment Processing').waitFor();
    await page
      .getByText(
        'Payment is still being processed. Your credits will be added automatically when the payment completes.',
      )
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await end('fail', failsId);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Your payment was not successful (Status: unpaid).').waitFor();
    expect(new URL(page.url()).search).toBe('?reason=payment_failed&status=unpaid');
    await credits(page, FREE + 250).waitFor();

    await page.getByRole('link', { name: 'Try Again' }).click();
    const closedId = await toCheckout(page, 'Popular');
    const again = await fan.openTab(page, '/robots.txt');
    await page.close();
    await operator('pay', { session: closedId, card: '4242424242424242' });
    await untilBalance(user, FREE + 500);
    await again.goto(`${fan.app.url}/payment-success?session_id=${closedId}`);
    await title(again, 'Payment Successful!').waitFor();
    await credits(again, FREE + 500).waitFor();
  });

  /** Ends a delayed payment, unless it has ended by itself on a slow machine. */
  async function end(action: 'settle' | 'fail', session: string): Promise<void> {
    await operator(action, { session }).catch((error: unknown) => {
      expect(String(error)).toContain('not waiting to be settled');
    });
  }

  /** In both themes, and on a phone, where tables become lists and the page is not wider than the window. */
  async function expectAccessible(page: Page): Promise<void> {
    expect(await screenFaults(page)).toEqual([]);
  }

  /** Opens pages of a fan who owes credits, with purchases in every state, in a tab of their own. */
  async function expectNoDebtFaults(page: Page): Promise<void> {
    const poor = await fan.openTab(page, '/credits', {
      answers: {
        get_user_credit_breakdown: { body: POOR },
        get_user_transactions_by_jwt: { body: HISTORY },
        get_user_purchases_by_jwt: { body: PURCHASES },
      },
    });
    await poor.getByText('Disputed').first().waitFor();
    await expectAccessible(poor);
    await toPurchase(poor);
    await poor.getByText('You owe 30 credits').waitFor();
    await buyNow(poor, 'Basic').waitFor();
    await expectAccessible(poor);
  }

  /** The processor's messages arrive later, and the pages do not ask again. */
  async function untilBalance({ rpc }: ApiUser, amount: number): Promise<void> {
    await until(
      async () => (await rpc<CreditBreakdown>('get_user_credit_breakdown')).body.total_balance === amount,
      `a balance of ${amount}`,
      60_000,
      1_250, // below the rate limit, which the pages of the fan share
    );
  }

  /** The processor's refund is stored after the credits are taken back. */
  async function untilRefunded(user: ApiUser, cents: number, balance: number): Promise<void> {
    await untilBalance(user, balance);
    await until(
      async () => (await user.rpc<Purchase[]>('get_user_purchases_by_jwt')).body[0]?.refunded_cents === cents,
      `a refund of ${cents} cents`,
      60_000,
      1_250,
    );
  }

  /** From another page of the app. */
  async function toPurchase(page: Page): Promise<void> {
    await pill(page).click();
    await page.getByRole('dialog', { name: 'Credits' }).getByRole('link', { name: 'Purchase Credits' }).click();
    await page.waitForURL('**/purchase-credits');
  }

  /** Presses Tab until something of that name has the focus. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
      });
      if (name.test(focused)) return;
    }
    throw new Error(`Nothing of the name ${name.source} can be reached.`);
  }
});
