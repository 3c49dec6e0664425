import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeRedirect } from './safe-redirect.js';

describe('[F2.10] safeRedirect', () => {
  it.each([
    ['/', '/'],
    ['/credits', '/credits'],
    ['/junoabara?from=search', '/junoabara?from=search'],
    ['/junoabara/generate/0190-abc#share', '/junoabara/generate/0190-abc#share'],
    ['/payment-success?session_id=cs_test_1', '/payment-success?session_id=cs_test_1'],
    ['/junoabara?q=a%40b', '/junoabara?q=a%40b'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/juno abara', '/juno%20abara'],
    ['/junoabara//', '/junoabara//'],
    ['/junoabara/sign-in', '/junoabara/sign-in'],
    ['/%252561', '/%252561'], // encoded three times
  ])('accepts a path of this site: %s', (target, expected) => {
    expect(safeRedirect(target)).toBe(expected);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '@evil.example',
    '/@evil.example',
    'https:evil.example',
    '/%2Fevil.example',
    '%2F%2Fevil.example',
    '/%5Cevil.example',
    '/%252Fevil.example',
    '/%255Cevil.example',
    '/%40evil.example',
    '/%09/evil.example',
    '/..//evil.example',
    '/cre\tdits',
    '/credits?from=\n',
    '/cre\u0000dits',
    '/cre\u001fdits',
    '/cre\u007fdits',
    '/%25252561', // an "a" that was encoded four times
    '/%E0%A4%A',
    '/sign-in?redirect_url=/sign-in',
    '/sign-up',
    '',
    null,
    undefined,
  ])('refuses %j', (target) => {
    expect(safeRedirect(target, '/home')).toBe('/home');
  });

  it('falls back to the landing page by default', () => {
    expect(safeRedirect('https://evil.example')).toBe('/');
  });

  it('never leaves the origin for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `/${text}`),
        ),
        (target) => {
          const url = new URL(safeRedirect(target), 'https://fanvas.test');
          expect(url.origin).toBe('https://fanvas.test');
        },
      ),
    );
  });
});
