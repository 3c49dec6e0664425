import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost, NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { REVERIFY_AFTER_MINUTES } from '../../contract/admin.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Role } from '../../contract/roles.js';
import { databaseTimeLeft, withDatabaseBudget } from '../database/request-budget.js';
import { DomainError } from '../domain-error.js';
import { type Authenticator, type Principal } from '../principal.js';
import { AccessGuard } from './access-guard.js';
import { ApiError } from './api-error.js';
import { type ContextRequest } from './context-request.js';
import { ErrorFilter } from './error-filter.js';
import { type RateLimiter } from './rate-limits.js';
import { Route } from './routes.js';

const REVERIFY_MS = REVERIFY_AFTER_MINUTES * 60_000;
const isMoney = (body: unknown): boolean => (body as { money?: boolean } | undefined)?.money === true;

@Controller()
class Calls {
  @Post('undeclared')
  undeclared(): string {
    return 'open';
  }

  @Post('public')
  @Route({ access: 'public', limit: RATE_LIMITS.adminData })
  public(): string {
    return 'public';
  }

  @Post('user')
  @Route({ access: 'user', authenticationMessage: 'Authentication required to buy credits' })
  user(): number {
    return databaseTimeLeft();
  }

  @Post('report')
  @Route({ access: 'user', unlimitedDatabaseTime: true })
  report(): string {
    return String(databaseTimeLeft());
  }

  @Post('finance')
  @Route({ access: 'finance', alsoFor: ['admin'] })
  finance(): string {
    return 'books';
  }

  @Post('money')
  @Route({ access: 'admin', freshRoles: true, reverified: true })
  money(): string {
    return 'paid';
  }

  @Post('act')
  @Route({
    access: 'user',
    limit: (body) => (isMoney(body) ? RATE_LIMITS.financialOps : RATE_LIMITS.adminActs),
    reverified: isMoney,
  })
  act(): string {
    return 'done';
  }
}

const EXPIRED = new DomainError('unauthenticated', 'The session has expired.');
const TOKENS: Readonly<Record<string, Principal | Error>> = {
  ada: { userId: 'ada', sessionId: 's1', verifiedMsAgo: REVERIFY_MS - 1 },
  late: { userId: 'ada', sessionId: 's1', verifiedMsAgo: REVERIFY_MS },
  unverified: { userId: 'ada', sessionId: 's1', verifiedMsAgo: null },
  expired: EXPIRED,
  refused: new ApiError(401, 'Authentication required'),
  forbidden: new ApiError(403, 'This account is closed.'),
  invalid: new DomainError('invalid', 'The token has no user.'),
  unchecked: new Error('The database does not answer.'),
};

let app: NestFastifyApplication;
let roles: ReadonlySet<Role>;
/** Reads of roles, and limits that were counted. */
let asked: string[];
/** The facts that the guard has added to the last request. */
let context: ContextRequest['fanvas'];

const authenticator = {
  authenticate: (token: string): Promise<Principal> => {
    const found = TOKENS[token] ?? EXPIRED;
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  },
  rolesOf: (userId: string, { fresh = false } = {}) => {
    asked.push(`roles of ${userId}${fresh ? ' from the provider' : ''}`);
    return Promise.resolve(roles);
  },
} as unknown as Authenticator;
const limiter = {
  hit: ({ name }, identifier) => {
    asked.push(`${name} for ${identifier}`);
    return Promise.resolve({ limited: false, remaining: 4, resetAt: new Date(0), retryAfterSeconds: 0 });
  },
} as RateLimiter;

@Module({
  controllers: [Calls],
  providers: [
    {
      provide: APP_GUARD,
      inject: [Reflector, HttpAdapterHost],
      useFactory: (reflector: Reflector, host: HttpAdapterHost) =>
        new AccessGuard(reflector, authenticator, limiter, host),
    },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class CallsModule {}

beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(CallsModule, new FastifyAdapter(), { logger: false });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (_request, _reply, done) => withDatabaseBudget(4000, done));
  server.addHook('onResponse', (request, _reply, done) => {
    context = (request as ContextRequest).fanvas;
    done();
  });
  server.get('/page', () => 'a page');
  await app.init();
  await server.ready();
});
afterAll(() => app.close());
beforeEach(() => {
  roles = new Set();
  asked = [];
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function call(path: string, authorization?: string, payload: object = {}): Promise<Answer> {
  const headers = authorization === undefined ? {} : { authorization };
  const { statusCode, body } = await app.inject({ method: 'POST', url: `/${path}`, headers, payload });
  return { status: statusCode, text: body };
}
const as = (token: string, path: string, payload?: object): Promise<Answer> => call(path, `Bearer ${token}`, payload);
const problemOf = ({ text }: Answer): unknown => JSON.parse(text);

describe('AccessGuard', () => {
  it('lets a visitor make a public call, and a caller with a token as this caller', async () => {
    expect(await call('public')).toEqual({ status: 201, text: 'public' });
    expect(context).toEqual({});
    expect(await as('ada', 'public')).toEqual({ status: 201, text: 'public' });
    expect(context).toEqual({ principal: TOKENS['ada'] });
    expect(asked).toEqual(['admin_data for ip:127.0.0.1', 'admin_data for user:ada']);
  });

  it.each(['expired', 'refused'])(
    'treats the caller of a public call as a visitor when the token is %s',
    async (token) => {
      expect((await as(token, 'public')).status).toBe(201);
      expect((await as(token, 'user')).status).toBe(401);
    },
  );

  it.each([
    ['forbidden', 403],
    ['invalid', 400],
    ['unchecked', 500],
  ])('refuses also a public call when the token is %s', async (token, status) => {
    expect((await as(token, 'public')).status).toBe(status);
  });

  it('asks a visitor to sign in, in the words of the call', async () => {
    expect(problemOf(await call('user'))).toMatchObject({
      code: 'PGRST301',
      message: 'Authentication required to buy credits',
    });
    expect(problemOf(await call('finance'))).toMatchObject({ code: 'PGRST301', message: 'Authentication required' });
  });

  it.each([
    ['bearer   ada', 201],
    ['Basic ada', 401],
    ['A Bearer ada', 401],
    ['Bearer ada and more', 401],
    ['Bearer ', 401],
    ['', 401],
  ])('answers the header %j with %i', async (header, status) => {
    expect((await call('user', header)).status).toBe(status);
  });

  it('asks for no role where every caller may call', async () => {
    expect((await as('ada', 'user')).status).toBe(201);
    expect(asked).toEqual([]);
  });

  it.each<[Role[], Role]>([
    [['finance'], 'finance'],
    [['admin'], 'admin'],
    [['admin', 'finance'], 'finance'],
  ])('admits a caller with the roles %j as %s', async (held, role) => {
    roles = new Set(held);
    expect((await as('ada', 'finance')).status).toBe(201);
    expect(context).toEqual({ principal: TOKENS['ada'], role });
    expect(asked).toEqual(['roles of ada']);
  });

  it('refuses a caller without the role, and names the role of the call', async () => {
    roles = new Set(['auditor']);
    const answer = await as('ada', 'finance');
    expect(answer.status).toBe(403);
    expect(problemOf(answer)).toMatchObject({ code: '42501', message: 'Finance privileges required' });
  });

  it('asks for a new verification when the last one is too old, after the role', async () => {
    expect(problemOf(await as('late', 'money'))).toMatchObject({ message: 'Admin privileges required' });
    roles = new Set(['admin']);
    for (const token of ['late', 'unverified']) {
      const answer = await as(token, 'money');
      expect(answer.status).toBe(403);
      expect(problemOf(answer)).toEqual({
        code: '42501',
        message: 'Please verify your identity again to continue.',
        details: null,
        hint: `This needs a verification that is at most ${REVERIFY_AFTER_MINUTES} minutes old.`,
        clerk_error: {
          type: 'forbidden',
          reason: 'reverification-error',
          metadata: { reverification: { level: 'second_factor', afterMinutes: REVERIFY_AFTER_MINUTES } },
        },
      });
    }
    expect(await as('ada', 'money')).toEqual({ status: 201, text: 'paid' });
    expect(new Set(asked)).toEqual(new Set(['roles of ada from the provider']));
  });

  it('decides by the body which limit counts, and whether a new verification is needed', async () => {
    expect(await as('late', 'act', {})).toEqual({ status: 201, text: 'done' });
    expect((await as('late', 'act', { money: true })).status).toBe(403);
    expect((await as('ada', 'act', { money: true })).status).toBe(201);
    expect(asked).toEqual(['admin_acts for user:ada', 'financial_ops for user:ada', 'financial_ops for user:ada']);
  });

  it('lifts the time for the database only for a call with that option', async () => {
    expect(Number((await as('ada', 'user')).text)).toBeLessThanOrEqual(4000);
    expect((await as('ada', 'report')).text).toBe('Infinity');
  });

  it('refuses a call that does not declare its access, and leaves pages alone', async () => {
    expect((await as('ada', 'undeclared')).status).toBe(500);
    const page = await app.inject({ url: '/page' });
    expect(page.body).toBe('a page');
  });
});
