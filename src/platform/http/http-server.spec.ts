import { spawnSync } from 'node:child_process';
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from '@jest/globals';
import { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { databaseTimeLeft } from '../database/request-budget.js';
import { createHttpAdapter, type HttpServerOptions } from './http-server.js';

const OPTIONS = { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" };

let server: FastifyInstance;
afterEach(() => server.close());

async function serverWith(options: Partial<HttpServerOptions> = {}): Promise<FastifyInstance> {
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

it('limits the time that a request may wait for the database to less than five seconds', async () => {
  server = await serverWith();
  server.get('/left', () => Promise.resolve({ left: databaseTimeLeft() }));
  const answer = await server.inject('/left');
  const { left } = answer.json<{ left: number }>();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(5_000);
});

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

it('logs no line at info for a probe that succeeds, and an error for one that fails', async () => {
  const lines: unknown[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
  const adapter = await createHttpAdapter(OPTIONS, logger);
  server = adapter.getInstance<FastifyInstance>();
  server.get('/healthz', () => Promise.resolve({}));
  server.get('/readyz', (_, reply) => reply.status(503).send({}));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  for (const path of ['/healthz', '/readyz']) await (await fetch(url + path)).text();
  await server.close();
  expect(lines).toEqual([expect.objectContaining({ route: '/readyz', status: 503 })]);
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

function open(): Socket {
  return connect((server.server.address() as AddressInfo).port, '127.0.0.1');
}

/** Sends this text and returns all that comes back. */
async function exchange(message: string): Promise<string> {
  const socket = open();
  socket.on('error', () => undefined);
  socket.write(message);
  return text(socket);
}

const END = 'Connection: close\r\n\r\n';

it.each([
  ['a page', `GET /row HTTP/1.1\r\nHost: a\r\n${END}`, 200],
  ['an unknown address', `GET /nothing HTTP/1.1\r\nHost: a\r\n${END}`, 404],
  ['a malformed address', `GET /rest/%zz HTTP/1.1\r\nHost: a\r\n${END}`, 400],
  ['a malformed address of a page', `GET /%zz HTTP/1.1\r\nHost: a\r\n${END}`, 404],
  ['an address whose parameter is too long', `GET /rows/${'a'.repeat(200)} HTTP/1.1\r\nHost: a\r\n${END}`, 414],
  ['a request without Host', `GET /row HTTP/1.1\r\n${END}`, 400],
  ['an expectation that the server does not meet', `GET /row HTTP/1.1\r\nHost: a\r\nExpect: more\r\n${END}`, 417],
  ['a message that is not HTTP', 'HELLO\r\n\r\n', 400],
  ['a head that is too large', `GET /row HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('sends the security headers with the answer to %s', async (_, message, status) => {
  server = await serverWith({ https: true });
  server.get('/row', () => Promise.resolve({}));
  server.get('/rows/:id', () => Promise.resolve({}));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await exchange(message);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.includes('Delete the cookies of this site')).toBe(status === 431);
  for (const header of [
    "Content-Security-Policy: default-src 'self'",
    'Strict-Transport-Security: max-age=31536000',
    'X-Content-Type-Options: nosniff',
  ]) {
    expect(answer.toLowerCase()).toContain(header.toLowerCase());
  }
});

it('answers a malformed address with an error of the contract and a request id', async () => {
  server = await serverWith();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await exchange(`GET /rest/%zz HTTP/1.1\r\nHost: a\r\n${END}`);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: '22023', hint: null });
  expect(answer).toMatch(/x-request-id: /i);
});

it('asks browsers for HTTPS only where TLS ends in front of it', async () => {
  server = await serverWith();
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  expect((await fetch(url)).headers.get('strict-transport-security')).toBeNull();
});

it('answers this machine only while sandboxes run, and no tunnel that rewrites Host', async () => {
  server = await serverWith({ loopbackOnly: true });
  server.get('/row', () => Promise.resolve({}));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const status = async (headers: Record<string, string>) => (await fetch(`${url}/row`, { headers })).status;
  expect(await status({})).toBe(200);
  expect(await status({ 'X-Forwarded-For': '203.0.113.1' })).toBe(403);
  expect(await status({ 'X-Forwarded-Host': 'x.tunnel.example' })).toBe(403);
  expect(await status({ Forwarded: 'for=203.0.113.1' })).toBe(403);
});

it('cuts requests whose head or body does not arrive in time', async () => {
  server = await serverWith();
  expect(server.server).toMatchObject({ headersTimeout: 5_000, requestTimeout: 20_000, keepAliveTimeout: 72_000 });
});

it('closes further connections of an address that has as many as it may, until one of them ends', async () => {
  let refused = 0;
  server = await serverWith({ maxConnectionsPerAddress: 2, onConnectionRefused: () => (refused += 1) });
  server.get('/row', () => Promise.resolve({}));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const ask = `GET /row HTTP/1.1\r\nHost: a\r\n\r\n`;
  const sockets = [open(), open()];
  for (const socket of sockets) {
    socket.write(ask);
    await once(socket, 'data');
  }
  expect(await exchange(ask)).toBe('');
  expect(refused).toBe(1);
  sockets[0]?.destroy();
  while (server.server.listening && (await openConnections()) > 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(await exchange(`GET /row HTTP/1.1\r\nHost: a\r\n${END}`)).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of sockets) socket.destroy();
});

async function openConnections(): Promise<number> {
  return new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)));
}

it('logs the first refused requests of a route in a minute, and counts the others', async () => {
  const lines: unknown[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
  const adapter = await createHttpAdapter(OPTIONS, logger);
  server = adapter.getInstance<FastifyInstance>();
  server.get('/row', () => Promise.resolve({}));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  for (let count = 0; count < 40; count += 1) await (await fetch(`${url}/nothing`)).text();
  for (let count = 0; count < 40; count += 1) await (await fetch(`${url}/row`)).text();
  await server.close();
  expect(lines.filter((line) => (line as { status: number }).status === 404)).toHaveLength(30);
  expect(lines.filter((line) => (line as { status: number }).status === 200)).toHaveLength(40);
});

it('closes a new connection that sends nothing without words, and answers one that has begun a request', async () => {
  server = await serverWith();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const answerTo = async (sent: string): Promise<string> => {
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    const [socket] = await accepted;
    if (sent !== '') {
      client.write(sent);
      while (socket.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    server.server.emit('clientError', late, socket);
    return text(client);
  };
  expect(await answerTo('')).toBe('');
  expect(await answerTo('GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1.1 408 /);
});

/** A server whose requests need the address of the client when they are answered. */
async function serverWithAddresses(): Promise<{ port: number; addresses: unknown[]; answer: () => void }> {
  server = await serverWith();
  const addresses: unknown[] = [];
  let answer = (): void => undefined;
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  server.get('/address', async (request) => {
    await mayAnswer;
    addresses.push(request.ip);
    return {};
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { port: (server.server.address() as AddressInfo).port, addresses, answer };
}

const REQUEST = 'GET /address HTTP/1.1\r\nHost: localhost\r\n\r\n';

it('knows the address of a client who leaves during an answer', async () => {
  const { port, addresses, answer } = await serverWithAddresses();
  const connected = once(server.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1', () => client.write(REQUEST));
  const [socket] = await connected;
  await once(server.server, 'request');
  const left = new Promise((resolve) => socket.once('close', resolve));
  client.resetAndDestroy();
  await left;
  answer();
  while (addresses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(addresses).toEqual(['127.0.0.1']);
});

it('does not handle the request of a client who left before the connection was accepted', async () => {
  const { port, addresses, answer } = await serverWithAddresses();
  answer();
  const accepted = once(server.server, 'connection') as Promise<[Socket]>;
  // This process does nothing until the client has left.
  const leave = `const s = require('net').connect(${port}, '127.0.0.1', () => s.write(${JSON.stringify(REQUEST)}, () => s.resetAndDestroy()));`;
  expect(spawnSync(process.execPath, ['-e', leave]).status).toBe(0);
  const [socket] = await accepted;
  expect(socket.destroyed).toBe(true);
  expect(await (await fetch(`http://127.0.0.1:${port}/address`)).json()).toEqual({});
  expect(addresses).toEqual(['127.0.0.1']);
});
