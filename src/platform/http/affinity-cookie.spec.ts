import { afterEach, describe, expect, it } from '@jest/globals';
import { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type ContextRequest } from './context-request.js';
import { createHttpAdapter } from './http-server.js';

const PERSON = 'user_2abcDEF';

let server: FastifyInstance;
afterEach(() => server.close());

/** The cookies that a call of this person sets. */
async function cookiesOf(
  cookie: string | undefined,
  { person = PERSON, https = false, path = '/call' }: { person?: string | null; https?: boolean; path?: string } = {},
): Promise<string[]> {
  const options = { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'", https };
  server = (await createHttpAdapter(options, pino({ level: 'silent' }))).getInstance<FastifyInstance>();
  server.addHook('preHandler', (request: ContextRequest, _reply, done) => {
    if (person !== null) request.fanvas = { principal: { userId: person, sessionId: 's', verifiedMsAgo: null } };
    done();
  });
  server.get('/call', () => Promise.resolve({}));
  server.get('/shared', (_request, reply) => reply.header('Cache-Control', 'public, max-age=60').send({}));
  const answer = await server.inject({ path, headers: cookie === undefined ? {} : { cookie } });
  await server.close();
  return [answer.headers['set-cookie'] ?? []].flat();
}

describe('setAffinityCookie', () => {
  it('gives a signed-in browser a hash of the person, once', async () => {
    const [first, ...more] = await cookiesOf('__session=x');
    expect(more).toEqual([]);
    expect(first).toMatch(/^fanvas_affinity=[0-9a-f]{16}; Path=\/; HttpOnly; SameSite=Lax$/);
    const [pair = ''] = first?.split(';') ?? [];
    expect(await cookiesOf(`__session=x; ${pair}`)).toEqual([]);
    expect(await cookiesOf(`${pair}; __session=x`, { person: 'user_other' })).toHaveLength(1);
  });

  it('lets browsers send the cookie by HTTPS only, where they reach the app by HTTPS', async () => {
    expect(await cookiesOf('__session=x', { https: true })).toEqual([expect.stringMatching(/; Secure$/)]);
  });

  it('gives nothing to visitors and to clients without cookies, and nothing with an answer that a cache may store', async () => {
    expect(await cookiesOf('other=x', { person: null })).toEqual([]);
    expect(await cookiesOf(undefined)).toEqual([]);
    expect(await cookiesOf('__session=x', { path: '/shared' })).toEqual([]);
  });
});
