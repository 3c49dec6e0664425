import { describe, expect, it } from '@jest/globals';
import { returnOrigin, returnUrls } from './return-urls.js';

const ORIGINS = ['https://fanvas.example', 'http://localhost:3000'];
const good = returnUrls('https://fanvas.example');

describe('returnOrigin', () => {
  it.each(ORIGINS)('accepts the return pages of an own origin: %s', (origin) => {
    expect(returnOrigin(returnUrls(origin), ORIGINS)).toBe(origin);
  });

  it('accepts a percent-encoded placeholder, as a URL object writes it', () => {
    const successUrl = 'https://fanvas.example/payment-success?session_id=%7BCHECKOUT_SESSION_ID%7D';
    expect(returnOrigin({ ...good, successUrl }, ORIGINS)).toBe('https://fanvas.example');
  });

  it('refuses two URLs with different origins', () => {
    const { cancelUrl } = returnUrls('http://localhost:3000');
    expect(returnOrigin({ ...good, cancelUrl }, ORIGINS)).toBeNull();
  });

  const path = '/payment-success?session_id={CHECKOUT_SESSION_ID}';
  it.each([
    `https://evil.example${path}`,
    `//evil.example${path}`,
    `//fanvas.example${path}`,
    `\\\\evil.example${path}`,
    `https:\\\\fanvas.example${path}`,
    `https://fanvas.example@evil.example${path}`,
    `https://fanvas.example%40evil.example${path}`,
    `https://fanvas.example.evil.example${path}`,
    `https://fanvas.example:444${path}`,
    `https://fanvas.example/%2f%2fevil.example${path}`,
    `https://fanvas.example/../${path}`,
    `https://fanvas.example//evil.example${path}`,
    `HTTPS://FANVAS.EXAMPLE${path}`,
    `http://fanvas.example${path}`,
    ` https://fanvas.example${path}`,
    `https://fanvas.example${path}#@evil.example`,
    `https://fanvas.example${path}&next=https://evil.example`,
    'https://fanvas.example/payment-success',
    'https://fanvas.example/admin?session_id={CHECKOUT_SESSION_ID}',
    `javascript:alert(1)//https://fanvas.example${path}`,
    path,
    '',
  ])('refuses the success URL %s', (successUrl) => {
    expect(returnOrigin({ ...good, successUrl }, ORIGINS)).toBeNull();
  });

  it.each(['//evil.example/payment-canceled', 'https://fanvas.example/payment-canceled/..', 'https://fanvas.example'])(
    'refuses the cancel URL %s',
    (cancelUrl) => {
      expect(returnOrigin({ ...good, cancelUrl }, ORIGINS)).toBeNull();
    },
  );
});
