import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from '@jest/globals';
import { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createHttpAdapter } from './http-server.js';

const OPTIONS = { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" };

let server: FastifyInstance;
afterEach(() => server.close());

async function serverWith(options: Partial<typeof OPTIONS> = {}): Promise<FastifyInstance> {
  const adapter = await createHttpAdapter({ ...OPTIONS, ...options }, pino({ level: 'silent' }));
  return adapter.getInstance<FastifyInstance>();
}

it('closes after the open requests are answered, even if clients keep their connections alive', async () => {
  server = await serverWith();
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

it('takes the caller’s address from the trusted proxy and ignores what the caller claims', async () => {
  server = await serverWith({ trustProxy: true });
  server.get('/ip', (request) => Promise.resolve({ ip: request.ip }));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${url}/ip`, { headers: { 'x-forwarded-for': '203.0.113.1, 192.0.2.7' } });
  expect(await answer.json()).toEqual({ ip: '192.0.2.7' });
});

it.each([
  ['a long JSON answer', '/rows', 'gzip, deflate, br', 'br'],
  ['a long JSON answer to a client that accepts only gzip', '/rows', 'gzip', 'gzip'],
  ['a long JSON answer to a client that accepts no compression', '/rows', 'identity', null],
  ['a short answer', '/row', 'br', null],
  ['a stream of events', '/events', 'br', null],
])('answers with the right encoding: %s', async (_case, path, accepted, encoding) => {
  server = await serverWith();
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: 'Juno Abara' }));
  server.get('/rows', () => Promise.resolve(rows));
  server.get('/row', () => Promise.resolve(rows[0]));
  server.get('/events', (_request, reply) => reply.type('text/event-stream').send('data: {}\n\n'.repeat(500)));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(url + path, { headers: { 'accept-encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const body = await answer.text();
  expect(body.length).toBeGreaterThan(20);
  if (path === '/rows') expect(JSON.parse(body)).toEqual(rows);
  const sent = Number(answer.headers.get('content-length'));
  expect(sent).toBeGreaterThan(0);
  if (encoding !== null) expect(sent).toBeLessThan(body.length / 5);
});

it('refuses a compressed body, since it may expand to any size', async () => {
  server = await serverWith();
  server.post('/body', (request) => Promise.resolve({ got: request.body ?? null }));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${url}/body`, {
    method: 'POST',
    body: gzipSync(JSON.stringify({ a: 'a'.repeat(100_000) })),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(answer.status).toBe(400);
});

it('logs the time since the arrival of a request: the wait for the event loop, its body and its handler', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const adapter = await createHttpAdapter({ ...OPTIONS, waitedMs: () => 25_000 }, logger);
  server = adapter.getInstance<FastifyInstance>();
  server.get('/row', () => Promise.resolve({}));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  await (await fetch(`${url}/row`)).text();
  await server.close();
  expect(lines).toEqual([expect.objectContaining({ route: '/row', status: 200, waitedMs: 25_000 })]);
  expect(lines[0]?.['ms']).toBeGreaterThanOrEqual(25_000);
});
