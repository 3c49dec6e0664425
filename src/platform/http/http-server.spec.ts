import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createHttpAdapter } from './http-server.js';

const OPTIONS = { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" };

let server: FastifyInstance;
afterEach(() => server.close());

function serverWith(options: Partial<typeof OPTIONS> = {}): FastifyInstance {
  return createHttpAdapter({ ...OPTIONS, ...options }, pino({ level: 'silent' })).getInstance<FastifyInstance>();
}

it('stops once the open requests are answered, although their browsers would keep the connections', async () => {
  server = serverWith();
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    server.get('/slow', async () => {
      resolve();
      await new Promise<void>((answered) => (answer = answered));
      return 'done';
    });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const response = new Promise<IncomingMessage>((resolve) => {
    get({ port, path: '/slow', agent }, resolve);
  });
  await asked;
  const closed = server.close();
  while (server.server.listening) await new Promise((resolve) => setImmediate(resolve));
  answer();
  (await response).resume();
  await closed;
  agent.destroy();
}, 5_000);

it('takes for the caller what the one proxy in front has seen, not what the caller claims', async () => {
  server = serverWith({ trustProxy: true });
  server.get('/ip', (request) => Promise.resolve({ ip: request.ip }));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${url}/ip`, { headers: { 'x-forwarded-for': '203.0.113.1, 192.0.2.7' } });
  expect(await answer.json()).toEqual({ ip: '192.0.2.7' });
});
