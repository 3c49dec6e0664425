import { describe, expect, it } from '@jest/globals';
import { dashboardUrl } from './dashboard.js';

const keys = { webhookSecret: null };

describe('dashboardUrl', () => {
  it.each([
    ['sk_live_1', 'pi_1', 'https://dashboard.stripe.com/payments/pi_1'],
    ['rk_test_1', 'pi_1', 'https://dashboard.stripe.com/test/payments/pi_1'],
    ['sk_test_1', null, 'https://dashboard.stripe.com/test/payments'],
    ['sk_live_1', 'pi/1', 'https://dashboard.stripe.com/payments/pi%2F1'],
  ])('links with the key %s to the payment %s at %s', (secretKey, payment, url) => {
    expect(dashboardUrl({ ...keys, secretKey }, payment)).toBe(url);
  });

  it('links to the dashboard of the sandbox on our own address', () => {
    const sandbox = { ...keys, secretKey: 'sk_test_1', baseUrl: 'http://127.0.0.1:3000/__sandbox/stripe' };
    expect(dashboardUrl(sandbox, 'pi_1')).toBe('/__sandbox/stripe/dashboard');
  });
});
