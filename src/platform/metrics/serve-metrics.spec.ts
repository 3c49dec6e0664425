import { request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Metrics } from './metrics.js';
import { refusalOfMetrics, serveMetrics } from './serve-metrics.js';

const TOKEN = 'a-token-of-at-least-32-characters';

let server: FastifyInstance;
afterEach(() => server.close());

async function serverWith(access: Partial<Parameters<typeof serveMetrics>[2]> = {}, metrics = new Metrics()) {
  server = fastify();
  serveMetrics(server, metrics, { token: null, trustProxy: false, ...access });
  server.get('/picture/:id', (request) =>
    (request.params as { id: string }).id === 'broken' ? Promise.reject(new Error('no')) : Promise.resolve('here'),
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return async (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path, headers }, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', body }),
        );
      })
        .on('error', reject)
        .end();
    });
}

describe('/metrics', () => {
  it('lists the declared metrics, and the duration of requests by route pattern and class of status', async () => {
    const metrics = new Metrics();
    const paid = metrics.counter({ name: 'fanvas_paid_total', help: 'Payments.', labels: ['kind'] });
    metrics.gauge({ name: 'fanvas_queue_length', help: 'Waiting.', collect: (gauge) => gauge.set(7) });
    const get = await serverWith({}, metrics);
    paid.inc({ kind: 'card' }, 2);
    await get('/picture/0b5e');
    await get('/picture/broken');
    await get('/nowhere/0b5e');
    const { status, type, body } = await get('/metrics');
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(body).toContain('fanvas_paid_total{kind="card"} 2\n');
    expect(body).toContain('fanvas_queue_length 7\n');
    const counted = (labels: string) => `fanvas_http_request_duration_seconds_count{${labels}} 1\n`;
    expect(body).toContain(counted('method="GET",route="/picture/:id",status="2xx"'));
    expect(body).toContain(counted('method="GET",route="/picture/:id",status="5xx"'));
    expect(body).toContain(counted('method="GET",route="none",status="4xx"'));
    expect(body).not.toContain('0b5e');
  });

  it('serves the other metrics when a refresh fails', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const metrics = new Metrics();
    const first = metrics.gauge({ name: 'fanvas_first', help: 'Set by the second.' });
    metrics.gauge({
      name: 'fanvas_second',
      help: 'Asked for.',
      collect: async (gauge) => {
        await new Promise((resolve) => setImmediate(resolve));
        first.set(1);
        gauge.set(2);
      },
    });
    metrics.gauge({ name: 'fanvas_third', help: 'Gone.', collect: () => Promise.reject(new Error('no database')) });
    const { body } = await (await serverWith({}, metrics))('/metrics');
    expect(body).toMatch(/fanvas_first 1\n[^]*fanvas_second 2\n/);
    expect(warnings).toHaveBeenCalledTimes(1);
    warnings.mockRestore();
  });

  it('keeps the metrics of two apps in one process apart', async () => {
    const other = new Metrics();
    other.counter({ name: 'fanvas_paid_total', help: 'Payments.' }).inc();
    const mine = new Metrics();
    mine.counter({ name: 'fanvas_paid_total', help: 'Payments.' });
    const get = await serverWith({}, mine);
    expect((await get('/metrics')).body).toContain('fanvas_paid_total 0\n');
  });

  it('answers local programs without a token, and refuses proxied requests and other host names', async () => {
    const get = await serverWith();
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/metrics', { host: 'evil.example' })).status).toBe(403);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.1' })).status).toBe(403);
    expect((await get('/metrics', { forwarded: 'for=203.0.113.1' })).status).toBe(403);
  });

  it('refuses every request when a proxy is trusted and no token is set', async () => {
    const get = await serverWith({ trustProxy: true });
    expect((await get('/metrics')).status).toBe(403);
  });

  it('requires the token when one is set', async () => {
    const get = await serverWith({ token: TOKEN, trustProxy: true });
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/metrics', { authorization: `Bearer ${TOKEN}x` })).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'fanvas.example', 'x-forwarded-for': '203.0.113.1' };
    expect((await get('/metrics', headers)).status).toBe(200);
  });
});

describe('refusalOfMetrics', () => {
  const refusal = (headers: Record<string, string>, remoteAddress: string | undefined, token: string | null = null) => {
    const request = { headers, socket: { remoteAddress } } as unknown as FastifyRequest;
    return refusalOfMetrics(request, { token, trustProxy: false });
  };

  it.each(['127.0.0.1', '127.1.2.3', '::ffff:127.0.0.1', '::1'])('allows the address %s without a token', (address) => {
    expect(refusal({ host: 'localhost:3000' }, address)).toBeNull();
  });

  it.each(['203.0.113.1', '10.127.0.1', '::ffff:10.0.0.1', '2001:db8::1', '::1234', undefined])(
    'refuses the address %s without a token',
    (address) => {
      expect(refusal({ host: 'localhost:3000' }, address)?.message).toBe(
        'Metrics are shown on this machine only; set METRICS_TOKEN to read them from elsewhere.',
      );
    },
  );

  it.each([`Bearer ${TOKEN}`, `bearer   ${TOKEN}`])('allows the authorization "%s"', (authorization) => {
    expect(refusal({ authorization }, '203.0.113.1', TOKEN)).toBeNull();
  });

  it.each([TOKEN, `Basic Bearer ${TOKEN}`, `Bearer ${TOKEN} more`, `Bearer${TOKEN}`, 'Bearer ', ''])(
    'refuses the authorization "%s"',
    (authorization) => {
      expect(refusal({ authorization }, '127.0.0.1', TOKEN)?.message).toBe(
        'METRICS_TOKEN is required as a bearer token.',
      );
    },
  );
});
