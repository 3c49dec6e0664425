import { describe, expect, it } from '@jest/globals';
import { mayHavePaid, unsuccessfulMessage } from './unsuccessful.js';

describe('[F2.71] unsuccessfulMessage', () => {
  it.each([
    ['verification_failed', /payment status could not be verified after several attempts/],
    ['missing_session', /payment session information not found/i],
    ['not_authenticated', /must be signed in to complete the payment/],
    ['invalid_session_data', /invalid response from the payment processor/],
    ['verification_error', /error while verifying payment/],
  ])('has a text for %s that does not claim that nothing was paid', (reason, words) => {
    expect(unsuccessfulMessage(reason, null)).toMatch(words);
    expect(mayHavePaid(reason)).toBe(true);
  });

  it('names the status of a failed payment', () => {
    expect(unsuccessfulMessage('payment_failed', 'unpaid')).toBe('Your payment was not successful (Status: unpaid).');
    expect(unsuccessfulMessage('payment_failed', null)).toBe('Your payment was not successful (Status: failed).');
    expect(mayHavePaid('payment_failed')).toBe(false);
  });

  it.each(['', '<b>paid</b>', 'call 555 0100 now', 'x'.repeat(41), 'unpaid\u202e', 'https://evil.example'])(
    'does not repeat %j, which any visitor could have written into the address',
    (status) => {
      expect(unsuccessfulMessage('payment_failed', status)).toBe('Your payment was not successful (Status: failed).');
    },
  );

  it.each([null, '', 'canceled', 'toString', '<script>'])(
    'treats any other reason (%j) as a cancelled payment',
    (reason) => {
      expect(unsuccessfulMessage(reason, 'paid')).toBe('Your payment was canceled and you have not been charged.');
      expect(mayHavePaid(reason)).toBe(false);
    },
  );
});
