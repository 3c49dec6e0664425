import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { testClock } from '../../../test/support/test-clock.js';
import { holdRefusals } from './held-refusals.js';

const ATTACKER = '192.0.2.1';
const INNOCENT = '198.51.100.7';

describe('holdRefusals', () => {
  const clock = testClock();
  let server: FastifyInstance;
  let releases: (() => void)[];

  beforeEach(async () => {
    releases = [];
    server = fastify();
    holdRefusals(server, clock, (release) => releases.push(release));
    server.get('/refused', (_request, reply) => reply.status(403).send('no'));
    server.get('/answered', () => 'yes');
    await server.ready();
    for (let count = 0; count < 20; count += 1) expect((await ask('/refused', ATTACKER)).statusCode).toBe(403);
  });
  afterEach(() => server.close());

  const ask = (url: string, remoteAddress: string) => server.inject({ url, remoteAddress });

  it('answers 20 refusals of a network at once in a minute, and lets the others wait', async () => {
    const held = ask('/refused', ATTACKER);
    expect((await ask('/refused', INNOCENT)).statusCode).toBe(403);
    expect((await ask('/answered', ATTACKER)).statusCode).toBe(200);
    expect(releases).toHaveLength(1);
    const all = Promise.race([held, ask('/answered', INNOCENT)]);
    expect((await all).statusCode).toBe(200);
    releases[0]?.();
    expect((await held).statusCode).toBe(403);
    clock.advance(60_000);
    expect((await ask('/refused', ATTACKER)).statusCode).toBe(403);
    expect(releases).toHaveLength(1);
  });

  it('answers waiting refusals before the server closes', async () => {
    const held = ask('/refused', ATTACKER);
    await ask('/answered', INNOCENT);
    await server.close();
    expect((await held).statusCode).toBe(403);
  });
});
