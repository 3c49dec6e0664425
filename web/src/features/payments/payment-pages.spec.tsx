import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import type { CheckoutSession } from '../../../../src/contract/payments.js';
import PaymentCanceledPage from './payment-canceled-page.js';
import { PaymentDetails } from './components/payment-details.js';
import { PaymentSuccessPage } from './payment-success-page.js';

/** The markup of a page at an address, as it is before anything was answered. */
const markupAt = (address: string, page: React.ReactNode): string =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>);
/** What is to be read there. */
const wordsOf = (markup: string): string =>
  markup
    .replace(/<title>.*?<\/title>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** Where its links lead, by their words. */
const linksOf = (markup: string): Record<string, string> =>
  Object.fromEntries(
    [...markup.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to = '', words = '']) => [
      wordsOf(words),
      to,
    ]),
  );

describe('the page of unsuccessful payments', () => {
  it('[F2.71, F2.72] says why, what happens next, and leads on', () => {
    const markup = markupAt('/payment-canceled?reason=payment_failed&status=unpaid', <PaymentCanceledPage />);
    const words = wordsOf(markup);
    expect(words).toMatch(
      /^Payment Unsuccessful Your payment was not successful \(Status: unpaid\)\. What happens next\?/,
    );
    expect(words).toContain('You can try the purchase again at any time.');
    expect(words).toContain('No credits were added to your account.');
    expect(words).toContain('contact support');
    expect(linksOf(markup)).toMatchObject({ 'Try Again': '/purchase-credits', 'Return to Home': '/' });
  });

  it('does not say that nothing was paid where nobody knows', () => {
    const words = wordsOf(markupAt('/payment-canceled?reason=verification_error', <PaymentCanceledPage />));
    expect(words).toContain('There was an error while verifying payment.');
    expect(words).toContain('If you did pay, they will be added automatically');
  });
});

describe('the page of successful payments', () => {
  it('[F2.67, F2.70] begins with the words for a payment that is looked up, and always has its two ways on', () => {
    const markup = markupAt(
      '/payment-success?session_id=cs_test_1',
      <PaymentSuccessPage works={[]} onPaid={() => undefined} />,
    );
    expect(wordsOf(markup)).toMatch(/^Processing your payment\.\.\. /);
    expect(wordsOf(markup)).not.toContain('attempt');
    expect(linksOf(markup)).toEqual({ 'View My Credits': '/credits', 'Return to Home': '/' });
  });

  const paid: CheckoutSession = {
    id: 'cs_test_1',
    is_paid: true,
    is_complete: true,
    payment_status: 'paid',
    status: 'complete',
    amount_total: 2550,
    currency: 'usd',
    metadata: { bundleId: 'popular', bundleCredits: '250' },
    credited: true,
  };
  it.each<[string, Partial<CheckoutSession>, string]>([
    ['paid', {}, 'Amount $25.50 USD Status paid Bundle popular Package Credits Added 250'],
    [
      'paid without a bundle',
      { metadata: {} },
      'Amount $25.50 USD Status paid Bundle Credit Package Credits Added Pending',
    ],
    [
      'not paid yet',
      { is_paid: false, payment_status: 'unpaid' },
      'Amount $25.50 USD Status unpaid Bundle popular Package Credits Added Pending',
    ],
    [
      'paid and not complete',
      { is_complete: false, status: 'open' },
      'Amount $25.50 USD Status paid Bundle popular Package Credits Added Pending',
    ],
  ])('[F2.69] has the details of a payment that is %s', (_, fields, words) => {
    const markup = renderToStaticMarkup(<PaymentDetails session={{ ...paid, ...fields }} busy={false} />);
    expect(wordsOf(markup)).toBe(`Payment Details ${words}`);
  });
});
