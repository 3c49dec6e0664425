import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import type { CheckoutSession } from '../../../../src/contract/payments.js';
import PaymentCanceledPage from './payment-canceled-page.js';
import { PaymentDetails } from './components/payment-details.js';
import { PaymentSuccessPage } from './payment-success-page.js';
import { PAID_SESSION } from '../../../test/rows.js';

/** The markup of a page at an address before any answer. */
const markupAt = (address: string, page: React.ReactNode): string =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>);
/** The text of the markup. */
const textOf = (markup: string): string =>
  markup
    .replace(/<title>.*?<\/title>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** Targets of its links by their text. */
const linksOf = (markup: string): Record<string, string> =>
  Object.fromEntries(
    [...markup.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to = '', words = '']) => [
      textOf(words),
      to,
    ]),
  );

describe('PaymentCanceledPage', () => {
  it('[F2.71, F2.72] shows the reason, what happens next, and links', () => {
    const markup = markupAt('/payment-canceled?reason=payment_failed&status=unpaid', <PaymentCanceledPage />);
    const text = textOf(markup);
    expect(text).toMatch(
      /^Payment Unsuccessful Your payment was not successful \(Status: unpaid\)\. What happens next\?/,
    );
    expect(text).toContain('You can try the purchase again at any time.');
    expect(text).toContain('No credits were added to your account.');
    expect(text).toContain('contact support');
    expect(linksOf(markup)).toMatchObject({ 'Try Again': '/purchase-credits', 'Return to Home': '/' });
  });

  it('does not claim that nothing was paid when that is unknown', () => {
    const text = textOf(markupAt('/payment-canceled?reason=verification_error', <PaymentCanceledPage />));
    expect(text).toContain('There was an error while verifying payment.');
    expect(text).toContain('If you did pay, they will be added automatically');
  });
});

describe('PaymentSuccessPage', () => {
  it('[F2.67, F2.70] starts with the text for a payment that is looked up, and always shows its two links', () => {
    const markup = markupAt(
      '/payment-success?session_id=cs_test_1',
      <PaymentSuccessPage balance={undefined} works={[]} onPaid={() => undefined} />,
    );
    expect(textOf(markup)).toMatch(/^Processing your payment\.\.\. /);
    expect(textOf(markup)).not.toContain('attempt');
    expect(linksOf(markup)).toEqual({ 'View My Credits': '/credits', 'Return to Home': '/' });
  });

  const paid: CheckoutSession = { ...PAID_SESSION, amount_total: 2550 };
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
  ])('[F2.69] shows the details of a payment that is %s', (_, fields, words) => {
    const markup = renderToStaticMarkup(<PaymentDetails session={{ ...paid, ...fields }} busy={false} />);
    expect(textOf(markup)).toBe(`Payment Details ${words}`);
  });
});
