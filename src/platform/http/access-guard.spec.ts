import { describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { DomainError } from '../domain-error.js';
import { type Authenticator } from '../principal.js';
import { AccessGuard } from './access-guard.js';
import { type RateLimiter } from './rate-limits.js';
import { type Access } from './routes.js';

/** Asks for a call with a token that the authenticator refuses with this error. */
async function enter(access: Access, refusal: Error): Promise<boolean> {
  const reflector = { get: () => ({ access }) } as unknown as Reflector;
  const authenticator = { authenticate: () => Promise.reject(refusal) } as unknown as Authenticator;
  const context = {
    getHandler: () => () => undefined,
    switchToHttp: () => ({ getRequest: () => ({ headers: { authorization: 'Bearer token' } }) }),
  } as unknown as ExecutionContext;
  return new AccessGuard(reflector, authenticator, {} as RateLimiter).canActivate(context);
}

describe('AccessGuard', () => {
  const expired = new DomainError('unauthenticated', 'The session has expired.');

  it('treats the caller of a public call as a visitor when the token has expired', async () => {
    await expect(enter('public', expired)).resolves.toBe(true);
    await expect(enter('user', expired)).rejects.toBe(expired);
  });

  it('refuses a public call when the token cannot be checked', async () => {
    const failure = new Error('The database does not answer.');
    await expect(enter('public', failure)).rejects.toBe(failure);
  });
});
