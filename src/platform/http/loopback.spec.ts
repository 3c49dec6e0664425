import { describe, expect, it } from '@jest/globals';
import { isLoopbackHost } from './loopback.js';

describe('isLoopbackHost', () => {
  it.each(['localhost', 'localhost:3000', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'accepts %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each([
    'evillocalhost',
    'evil.localhost',
    'localhost.evil.test',
    'localhost:3000.evil.test',
    'localhost@evil.test',
    'localhost:',
    '127.0.0.1.evil.test',
    '127.0x0.1',
    '10.127.0.0.1',
    'evil[::1]',
    '[::1].evil.test',
    '::1',
    'fanvas.example',
    '',
    undefined,
  ])('refuses %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
