import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { testClock } from '../../../test/support/test-clock.js';
import { holdRefusals } from './held-refusals.js';

const [ATTACKER, INNOCENT] = ['192.0.2.1', '198.51.100.7'];

describe('refusals of a network that gets many of them', () => {
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
    for (let count = 0; count < 60; count += 1) expect((await ask('/refused', ATTACKER)).statusCode).toBe(403);
  });
  afterEach(() => server.close());

  const ask = (url: string, remoteAddress: string) => server.inject({ url, remoteAddress });

  it('are answered at once up to 60 in a minute, and wait from then on', async () => {
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

  it('are answered before the server closes', async () => {
    const held = ask('/refused', ATTACKER);
    await ask('/answered', INNOCENT);
    await server.close();
    expect((await held).statusCode).toBe(403);
  });
});
