import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { CheckoutSession } from '../../../../src/contract/payments.js';
import { accessibilityFaults, fakeServer, lost, never, pass, renderPage, onPage } from '../../../test/page.js';
import { PAID_SESSION } from '../../../test/rows.js';
import { rememberPromptPlace } from '../../lib/prompt-place.js';
import { PaymentSuccessPage } from './payment-success-page.js';
import { RETRY_MS } from './verification.js';

const LOOKUP = 'get-checkout-session';
const unpaid: CheckoutSession = { ...PAID_SESSION, is_paid: false, payment_status: 'unpaid', credited: false };

describe('PaymentSuccessPage in the browser', () => {
  const onPaid = jest.fn();
  onPage(() => onPaid.mockClear());

  const open = async (answer: unknown) => {
    const server = fakeServer({ [LOOKUP]: answer, get_user_purchases_by_jwt: [] });
    await renderPage(
      <PaymentSuccessPage works={[]} balance={220} onPaid={onPaid} />,
      '/payment-success?session_id=cs_1',
    );
    await pass(10);
    return server;
  };
  const title = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

  it('[F2.67, F4.34] shows the connection error and the attempt, and retries until there is an answer', async () => {
    const server = await open(lost);
    expect(screen.getByText('Connection error. Please wait or try again later.')).toBeTruthy();
    expect(title()).toBe('Processing your payment...');
    // It would have labels without values.
    expect(screen.queryByText('Payment Details')).toBeNull();
    server.answer({ [LOOKUP]: never });
    await pass(RETRY_MS);
    expect(title()).toBe('Processing your payment... (attempt 2/5)');
    // The second attempt ends without an answer.
    server.answer({ [LOOKUP]: { session: PAID_SESSION } });
    await pass(20_000);
    await pass(RETRY_MS);
    expect(title()).toBe('Payment Successful!');
    expect([server.count(LOOKUP), onPaid.mock.calls.length]).toEqual([3, 1]);
    await pass(3_600_000);
    expect(server.count(LOOKUP)).toBe(3);
  });

  it('links to the page where the prompt waits, and counts the images of the balance', async () => {
    rememberPromptPlace({ path: '/junoabara', creatorName: 'Juno Abara', prompt: 'a heron in fog' });
    await open({ session: PAID_SESSION });
    expect(screen.getByRole('link', { name: 'Back to Juno Abara' }).getAttribute('href')).toBe('/junoabara');
    expect(document.body.textContent).toContain('Your prompt is kept: a heron in fog');
    // 250 were bought, and 30 of them repaid a debt.
    expect(document.body.textContent).toContain('You have 220 credits now. Enough for 22 images.');
    window.sessionStorage.clear();
  });

  it.each([
    ['without an answer yet', never, 'Processing your payment...', ''],
    [
      'after a connection error',
      lost,
      'Processing your payment...',
      'Connection error. Please wait or try again later.',
    ],
    ['with a complete payment', { session: PAID_SESSION }, 'Payment Successful!', '$25.00'],
    ['with a delayed payment', { session: unpaid }, 'Payment Processing', 'Pending'],
    ['without a session', {}, 'Processing your payment...', 'Could not retrieve payment'],
  ])('has no accessibility faults %s', async (_, answer, heading, words) => {
    await open(answer);
    expect(title()).toBe(heading);
    expect(document.body.textContent).toContain(words);
    expect(await accessibilityFaults()).toEqual([]);
  });
});
