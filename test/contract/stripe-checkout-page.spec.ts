import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import type Stripe from 'stripe';
import { accessibilityFaults } from '../support/axe.js';
import { expectNoOutsideRequests, launchBrowser, UNOPTIMISED } from '../support/chromium.js';
import { StripeServer } from '../support/stripe-server.js';

jest.setTimeout(120_000);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

let stripe: StripeServer;
let browser: Browser;
/** One page for all tests: a new one would start a process. */
let shared: Page;

beforeAll(async () => {
  stripe = await StripeServer.start({ settleAfterMs: 20_000 });
  browser = await launchBrowser([UNOPTIMISED]);
  shared = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await stripe.close();
});
afterEach(() => {
  for (const context of browser.contexts()) expectNoOutsideRequests(context);
});

async function opened(url: string | null): Promise<Page> {
  await shared.setViewportSize(DESKTOP);
  await shared.goto(url ?? '');
  return shared;
}

const session = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> =>
  stripe.sdk().checkout.sessions.create({
    mode: 'payment',
    success_url: `${stripe.origin}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${stripe.origin}/payment-canceled`,
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: '<b>Popular</b>: 250 credits' } },
      },
    ],
    customer_email: 'fan@fanvas.test',
    ...more,
  });
const pageOf = ({ id }: { id: string }): string => `${stripe.settings.baseUrl}/pay/${id}`;
const card = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\d{4}`) });
const pay = (page: Page) => page.getByRole('button', { name: 'Pay $25.00' });

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFaults(page, { light: true, moreTags: ['best-practice'] })).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}

describe('Stripe sandbox checkout page', () => {
  it('pays with a test card in two clicks and redirects to the success page', async () => {
    const made = await session();
    const page = await opened(made.url);
    expect(await page.getByRole('banner').textContent()).toContain('No money moves');
    expect(await page.getByRole('listitem').first().textContent()).toContain('<b>Popular</b>: 250 credits');
    expect(await page.getByLabel('Email').inputValue()).toBe('fan@fanvas.test');
    await card(page, 'Pays at once').click();
    expect(await card(page, 'Pays at once').getAttribute('aria-pressed')).toBe('true');
    await pay(page).click();
    await page.waitForURL('**/payment-success**');
    expect(page.url()).toBe(`${stripe.origin}/payment-success?session_id=${made.id}`);
    expect(await stripe.sdk().checkout.sessions.retrieve(made.id)).toMatchObject({
      payment_status: 'paid',
      customer_details: { name: 'Alex Example' },
    });
  });

  it('accepts a card typed with the keyboard alone', async () => {
    const made = await session({ customer_email: undefined as unknown as string });
    const page = await opened(made.url);
    await page.getByLabel('Email').focus();
    for (const text of ['fan@fanvas.test', '4242424242424242', '1234', '123', 'Ada Fan']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await page.getByLabel('Expires').inputValue()).toBe('12 / 34');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/payment-success**');
    const { customer_details: buyer } = await stripe.sdk().checkout.sessions.retrieve(made.id);
    expect(buyer).toMatchObject({ email: 'fan@fanvas.test', name: 'Ada Fan' });
  });

  it('works without scripts', async () => {
    const made = await session();
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(made.url ?? '');
    await card(page, 'Pays at once').click();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    await pay(page).click();
    await page.waitForURL('**/payment-success**');
  });

  it('shows why a card is declined and accepts another one', async () => {
    const made = await session();
    const page = await opened(made.url);
    await card(page, 'Is declined').click();
    await pay(page).click();
    expect(await page.getByRole('alert').textContent()).toContain('Your card was declined. Nothing was charged.');
    await expectAccessible(page);
    await card(page, 'Pays at once').click();
    await pay(page).click();
    await page.waitForURL('**/payment-success**');
  });

  it('shows an error at each field and never repeats a number that could be a real card', async () => {
    const page = await opened((await session({ customer_email: undefined as unknown as string })).url);
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByLabel('Expires').fill('01 / 20');
    await pay(page).click();
    await page.locator('.error').first().waitFor();
    const number = page.getByLabel('Card number');
    expect(await number.inputValue()).toBe('');
    const described = await number.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).textContent()).toContain('Never enter a real card here');
    expect(await page.locator('.error').allTextContents()).toHaveLength(5);
    expect(await page.content()).not.toContain('4111');
    expect(await page.evaluate('document.activeElement.id')).toBe('email');
    await expectAccessible(page);
  });

  it('leaves the session open when the buyer goes back', async () => {
    const made = await session();
    const page = await opened(made.url);
    await page.getByRole('link', { name: 'Back to Fanvas' }).click();
    await page.waitForURL('**/payment-canceled');
    expect((await stripe.sdk().checkout.sessions.retrieve(made.id)).status).toBe('open');
  });

  it('redirects to the success page before a delayed payment has settled', async () => {
    const made = await session();
    const page = await opened(made.url);
    expect(await page.getByText('about 20 seconds after checkout').isVisible()).toBe(true);
    await card(page, 'Pays later').click();
    await pay(page).click();
    await page.waitForURL('**/payment-success**');
    expect((await stripe.sdk().checkout.sessions.retrieve(made.id)).payment_status).toBe('unpaid');
    await page.goto(pageOf(made));
    expect(await page.getByRole('heading').textContent()).toBe('This payment is on its way');
  });

  it('shows the result of a finished session', async () => {
    const expired = await session();
    const paid = await session();
    const failed = await session();
    await stripe.sandbox.expire(expired.id);
    await stripe.sandbox.pay(paid.id);
    await stripe.sandbox.pay(failed.id, 'failsLater');
    await stripe.sandbox.fail(failed.id);
    const page = await opened(pageOf(expired));
    expect(await page.getByRole('heading').textContent()).toBe('This checkout has expired');
    await page.getByRole('link', { name: 'Return to Fanvas' }).click();
    await page.waitForURL('**/payment-canceled');
    await page.goto(pageOf(paid));
    expect(await page.getByRole('heading').textContent()).toBe('This payment is complete');
    await page.goto(pageOf(failed));
    expect(await page.getByRole('heading').textContent()).toBe('This payment did not go through');
    const unknown = await page.goto(pageOf({ id: 'cs_test_unknown' }));
    expect(unknown?.status()).toBe(404);
    await expectAccessible(page);
  });

  it('charges once when the form is sent twice', async () => {
    const made = await session();
    const send = () =>
      fetch(pageOf(made), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ number: '4242424242424242', expiry: '12/34', cvc: '123', name: 'Ada' }),
      });
    const answers = await Promise.all([send(), send()]);
    for (const answer of answers) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`${stripe.origin}/payment-success?session_id=${made.id}`);
    }
    const { payment_intent: payment } = await stripe.sdk().checkout.sessions.retrieve(made.id);
    const charges = stripe.sandbox
      .events()
      .filter(({ type, data }) => type === 'charge.succeeded' && data.object.payment_intent === payment);
    expect(charges).toHaveLength(1);
    const policy = (await fetch(pageOf(await session()))).headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' ${stripe.origin};`);
  });

  it('has no accessibility faults on a wide screen and on a phone, dark and light', async () => {
    const page = await opened((await session()).url);
    await page.getByText('More test cards').click();
    await card(page, 'Is declined: expired').click();
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
  });
});

describe('Stripe sandbox dashboard', () => {
  const item = (page: Page, text: string) => page.locator('.payment', { hasText: text }).first();

  it('refunds, disputes, settles, fails and expires payments', async () => {
    const shop = await session({ customer_email: 'board@fanvas.test' });
    await stripe.sandbox.pay(shop.id);
    const page = await opened(`${stripe.settings.baseUrl}/dashboard`);
    const mine = item(page, 'board@fanvas.test');
    await mine.getByLabel('Refund, in dollars').fill('5.00');
    await mine.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Refunded.').waitFor();
    expect(await mine.textContent()).toContain('Partly refunded');
    await mine.getByLabel('Refund, in dollars').fill('20.01');
    await mine.getByRole('button', { name: 'Refund' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('greater than unrefunded amount');
    await mine.getByRole('button', { name: 'Dispute' }).click();
    await mine.getByText('Disputed', { exact: true }).waitFor();
    await mine.getByRole('button', { name: 'Win the dispute' }).click();
    await mine.getByRole('button', { name: 'Refund' }).waitFor();
    await mine.getByText('Ids, refunds').click();
    expect(await mine.textContent()).toContain('$20.00, won');
    await expectAccessible(page);

    for (const [button, status] of [
      ['Settle now', 'Paid'],
      ['Fail now', 'Failed'],
    ] as const) {
      const { id } = await session({ customer_email: `${status.toLowerCase()}@fanvas.test` });
      await stripe.sandbox.pay(id, 'settlesLater');
      await page.goto(`${stripe.settings.baseUrl}/dashboard`);
      const later = item(page, `${status.toLowerCase()}@fanvas.test`);
      await later.getByRole('button', { name: button }).click();
      await later.getByText(status, { exact: true }).waitFor();
    }
    await session({ customer_email: 'expire@fanvas.test' });
    await page.goto(`${stripe.settings.baseUrl}/dashboard`);
    await item(page, 'expire@fanvas.test').getByRole('button', { name: 'Expire' }).click();
    await item(page, 'expire@fanvas.test').getByText('Expired', { exact: true }).waitFor();
  });

  it('has no accessibility faults on a wide screen and on a phone, and pages through the payments', async () => {
    for (let index = 0; index < 26; index += 1) await session();
    const page = await opened(`${stripe.settings.baseUrl}/dashboard`);
    await page.locator('summary').first().click();
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Older payments' }).click();
    await page.waitForURL('**/dashboard?after=*');
    expect(await page.locator('.payment').count()).toBeGreaterThan(0);
  });

  it('shows the receipt of a charge', async () => {
    const made = await session();
    await stripe.sandbox.pay(made.id);
    const { payment_intent: payment } = await stripe
      .sdk()
      .checkout.sessions.retrieve(made.id, { expand: ['payment_intent.latest_charge'] });
    const charge = (payment as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
    const page = await opened(charge.receipt_url);
    expect(await page.getByRole('main').textContent()).toContain('$25.00');
    await expectAccessible(page);
  });
});
