import { describe, expect, it } from '@jest/globals';
import { processorAddress, checkoutProblem, checkoutRequest } from './checkout.js';

const HERE = 'http://localhost:3000';

describe('processorAddress', () => {
  it.each([
    'https://checkout.stripe.com/c/pay/cs_live_1#fid',
    'http://localhost:3000/__sandbox/stripe/pay/cs_test_1',
    'http://127.0.0.1:3000/__sandbox/stripe/pay/cs_test_1',
  ])('accepts %s', (address) => {
    expect(processorAddress(address, HERE)).toBe(address);
  });

  it.each([
    undefined,
    null,
    7,
    '',
    '/__sandbox/stripe/pay/cs_test_1',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://checkout.stripe.com/c/pay/cs_live_1',
    'https://checkout.stripe.com.evil.example/c/pay',
    'https://evilstripe.com/c/pay',
    'https://checkout.stripe.com@evil.example/c/pay',
    'https://user:secret@checkout.stripe.com/c/pay',
    'https://checkout.stripe.com:8443/c/pay',
    'http://localhost:3000/my-creations',
    'http://localhost:3000/__sandbox/../my-creations',
    'http://localhost:4000/__sandbox/stripe/pay/cs_test_1',
    'http://evil.example:3000/__sandbox/stripe/pay/cs_test_1',
  ])('refuses %j', (address) => {
    expect(processorAddress(address, HERE)).toBeNull();
  });

  it('accepts other names of this machine only for a site on this machine', () => {
    expect(processorAddress('https://localhost/__sandbox/stripe/pay/cs_1', 'https://fanvas.example')).toBeNull();
    expect(processorAddress('https://checkout.stripe.com/c/pay/cs_1', 'https://fanvas.example')).not.toBeNull();
  });
});

describe('checkout', () => {
  const bundle = { id: 'basic', name: 'Basic', credits: 100, price: 10, description: '', popular: false };

  it('requests the bundle with its credits, price and return addresses', () => {
    expect(checkoutRequest(bundle, 'fan@fanvas.test', HERE)).toEqual({
      userEmail: 'fan@fanvas.test',
      bundleId: 'basic',
      bundleCredits: 100,
      bundlePrice: 10,
      successUrl: 'http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost:3000/payment-canceled',
    });
    expect(checkoutRequest(bundle, null, HERE)).not.toHaveProperty('userEmail');
  });

  it.each([
    [401, 'Authentication required', 'Failed to authenticate. Please try again.'],
    [429, 'Too many requests. Please try again in 9 seconds.', 'Too many requests. Please try again in 9 seconds.'],
    [400, 'This bundle costs something else now', 'This bundle costs something else now'],
    [502, 'Bad gateway', 'Failed to create checkout session'],
    [0, 'Connection error', 'There was a problem processing your request. Please try again.'],
    [400, '', 'There was a problem processing your request. Please try again.'],
  ])('describes a failure with status %i and "%s" as "%s"', (status, message, words) => {
    expect(checkoutProblem({ status, message })).toBe(words);
  });
});
