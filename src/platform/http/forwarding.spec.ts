import { describe, expect, it } from '@jest/globals';
import { isForwarded, isLocalRequest } from './forwarding.js';

const host = 'localhost:3000';

describe('isForwarded', () => {
  it.each([
    'forwarded',
    'via',
    'x-real-ip',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-server',
    'cf-connecting-ip',
  ])('recognises a proxy by %s', (name) => {
    expect(isForwarded({ host, [name]: '203.0.113.1' })).toBe(true);
  });

  it('accepts the headers of a browser', () => {
    expect(isForwarded({ host, origin: 'http://localhost:3000', referer: 'x', 'user-agent': 'x' })).toBe(false);
  });
});

describe('isLocalRequest', () => {
  it('requires a loopback Host', () => {
    expect(isLocalRequest({ host }, false)).toBe(true);
    expect(isLocalRequest({ host: 'fanvas.example' }, false)).toBe(false);
    expect(isLocalRequest({ host: 'fanvas.example' }, true)).toBe(false);
  });

  it('refuses a tunnel that rewrites Host', () => {
    expect(isLocalRequest({ host, 'x-forwarded-for': '203.0.113.1' }, false)).toBe(false);
    expect(isLocalRequest({ host, 'x-forwarded-host': 'x.tunnel.example' }, true)).toBe(false);
  });

  it('accepts the trusted proxy', () => {
    expect(isLocalRequest({ host, 'x-forwarded-for': '127.0.0.1' }, true)).toBe(true);
    expect(isLocalRequest({ host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': host }, true)).toBe(true);
  });
});
