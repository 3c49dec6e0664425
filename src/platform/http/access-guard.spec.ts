import { describe, expect, it } from '@jest/globals';
import { type HttpAdapterHost, type Reflector } from '@nestjs/core';
import { type FastifyReply } from 'fastify';
import { type Access } from '../../contract/roles.js';
import { DomainError } from '../domain-error.js';
import { type Authenticator } from '../principal.js';
import { AccessGuard } from './access-guard.js';
import { type ContextRequest } from './context-request.js';
import { type RateLimiter } from './rate-limits.js';

/** Asks for a call with a token that the authenticator refuses with this error. */
async function enter(access: Access, refusal: Error): Promise<void> {
  const authenticator = { authenticate: () => Promise.reject(refusal) } as unknown as Authenticator;
  const request = { headers: { authorization: 'Bearer token' } } as ContextRequest;
  const guard = new AccessGuard({} as Reflector, authenticator, {} as RateLimiter, {} as HttpAdapterHost);
  await guard.admit(request, {} as FastifyReply, { access });
}

describe('AccessGuard', () => {
  const expired = new DomainError('unauthenticated', 'The session has expired.');

  it('treats the caller of a public call as a visitor when the token has expired', async () => {
    await expect(enter('public', expired)).resolves.toBeUndefined();
    await expect(enter('user', expired)).rejects.toBe(expired);
  });

  it('refuses a public call when the token cannot be checked', async () => {
    const failure = new Error('The database does not answer.');
    await expect(enter('public', failure)).rejects.toBe(failure);
  });
});
