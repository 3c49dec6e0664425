import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type CollectedSpan, TraceCollector } from '../support/trace-collector.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { traced } from '../../src/platform/tracing/spans.js';
import { startTracing } from '../../src/platform/tracing/start-tracing.js';
import { createImage, startWithCreator } from '../support/running-app.js';

// Needs its own app: the settings of traces are those of a process.
jest.setTimeout(60_000);

const PROMPT = 'A lighthouse at dawn';
let collector: TraceCollector;
let url: string;
let fanId: string;

const named = (name: string | RegExp): CollectedSpan[] =>
  collector.spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
const first = (name: string | RegExp): CollectedSpan => {
  const [span] = named(name);
  if (!span) throw new Error(`No span is named ${name}.`);
  return span;
};
/** The names of the spans around a span, from the outside. */
const around = (span: CollectedSpan): string[] => {
  const parent = collector.spans.find(({ id, trace }) => id === span.parent && trace === span.trace);
  return parent ? [...around(parent), parent.name] : [];
};

beforeAll(async () => {
  collector = await TraceCollector.start();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=fans',
    OTEL_SERVICE_NAME: 'fanvas-of-the-test',
  });
  const app = await startWithCreator({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  ({ url } = app);
  const fan = await createImage(url, 'traced');
  fanId = fan.userId;
  await app.stop();
});

afterAll(async () => {
  // Other specs of this process send no traces.
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  await collector.stop();
});

describe('tracing', () => {
  it('sends traces by OTLP with the headers and the name of the standard settings', () => {
    expect(collector.requests.length).toBeGreaterThan(0);
    for (const { path, headers, body } of collector.requests) {
      expect(path).toBe('/v1/traces');
      expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-tenant': 'fans' });
      expect(body.includes('fanvas-of-the-test')).toBe(true);
    }
  });

  it('makes a span of a request, around its statements and its append', () => {
    const request = first('POST /rest/v1/rpc/start_generation_by_jwt');
    expect(Object.fromEntries(request.attributes)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/rest/v1/rpc/start_generation_by_jwt',
      'http.response.status_code': '200',
    });
    const own = collector.spans.filter(({ trace }) => trace === request.trace);
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['event store append', 'insert', 'select']));
    const append = own.find(({ name }) => name === 'event store append');
    expect(append?.attributes.get('fanvas.stream.kind')).toBe('creditAccount');
    expect(around(append as CollectedSpan)).toEqual([request.name]);
  });

  it('makes a trace of each step of a worker, with the calls of the provider', () => {
    const calls = named(/^POST 127\.0\.0\.1:/);
    expect(calls.length).toBeGreaterThan(0);
    const finish = first('generation finish');
    expect([finish.parent, finish.failed]).toEqual(['', false]);
    const fetched = collector.spans.find(({ name, trace }) => trace === finish.trace && name.startsWith('GET '));
    expect([fetched?.attributes.get('http.response.status_code'), fetched?.failed]).toEqual(['200', false]);
    const pages = named('projection credit_account');
    expect(new Set(pages.map(({ parent }) => parent))).toEqual(new Set(['']));
    expect(Math.max(...pages.map(({ attributes }) => Number(attributes.get('fanvas.events.read'))))).toBeGreaterThan(0);
    // A step names the request that caused it: the webhook of the provider.
    const webhooks = named('POST /webhooks/replicate').map(({ trace }) => trace);
    expect(webhooks).toEqual(expect.arrayContaining([...finish.links]));
    expect(finish.links).toHaveLength(1);
  });

  it('sends no prompt, person, token or value of a statement', () => {
    const all = Buffer.concat(collector.requests.map(({ body }) => body));
    for (const secret of [PROMPT, 'traced@running.test', fanId, 'Bearer ', 'eyJ']) {
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    }
    for (const { attributes } of collector.spans) expect(attributes.get('db.query.text') ?? '').not.toContain("'");
  });

  it('ends, with one warning, when the collector is away or refuses', async () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '10';
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => void lines.push(line) });
    const stop = startTracing(logger, { stopMs: 300 });
    for (let span = 0; span < 3; span += 1) await traced('lost', {}, () => Promise.resolve());
    await stop();
    await traced('after the end', {}, () => Promise.resolve());
    expect(lines.length).toBeLessThanOrEqual(1);
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    const known = collector.spans.length;
    const again = startTracing(logger);
    await expect(traced('failed', {}, () => Promise.reject(new TypeError('secret')))).rejects.toThrow('secret');
    await again();
    const [failed] = collector.spans.slice(known);
    expect([failed?.name, failed?.failed, failed?.attributes.get('error.type')]).toEqual(['failed', true, 'TypeError']);
    expect(lines.join()).not.toContain('duplicate');
  });
});
