import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { serveMetrics } from '../../src/platform/metrics/serve-metrics.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { readContractSchemas } from '../../src/platform/api-docs/api-description.js';
import { type ApiDocument, handlersOf, type Operation } from '../../src/platform/api-docs/describe-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Fastify adds a HEAD route to each GET route. TRACE is only ever refused, and @nestjs/swagger does not list it. */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH']);

const routes = new Set<string>();
let app: TestApp;
let description: ApiDocument;

beforeAll(async () => {
  app = await startTestApp({
    mount: (server) => {
      server.addHook('onRoute', ({ method, url }) => {
        const path = url.replace(/:(\w+)/g, '{$1}');
        for (const name of [method].flat()) if (METHODS.has(name)) routes.add(`${name} ${path}`);
      });
      // The only route that Nest does not handle
      serveMetrics(server, new Metrics(), { token: null, trustProxy: false });
    },
  });
  const answer = await fetch(`${app.url}/docs/api/openapi.json`);
  description = (await answer.json()) as ApiDocument;
});
afterAll(() => app.close());

function operations(): (Operation & { readonly route: string })[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method.toUpperCase()))
      .map(([method, operation]) => ({ ...operation, route: `${method.toUpperCase()} ${path}` })),
  );
}

describe('GET /docs/api/openapi.json', () => {
  it('describes every route of the server and no other', () => {
    const described = operations().map(({ route }) => route);
    expect(described.sort()).toEqual([...routes].sort());
  });

  it('gives every operation a unique id', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
  });

  it('has schemas that compile', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    ajvFormats.default(ajv);
    ajv.addVocabulary(['components']);
    const { components } = description;
    for (const { requestBody, responses } of operations()) {
      const contents = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content }) => content)];
      for (const { schema } of contents.flatMap((content) => Object.values(content))) {
        ajv.compile({ ...schema, components });
      }
    }
  });

  it('has handlers that take the class which the contract names, and no other with the same fields', async () => {
    const contract = (await readContractSchemas())!;
    const handlers = [...handlersOf(app.get(ModulesContainer)).values()];
    const taken = handlers.flatMap(({ entry, requestClass }) => {
      if (entry?.kind !== 'rpc' && entry?.kind !== 'function') return [];
      const { request } = entry.kind === 'rpc' ? contract.rpc[entry.name] : contract.functions[entry.name];
      return [{ call: entry.name, names: request['title'], takes: requestClass?.name ?? 'NoParameters' }];
    });
    expect(taken.length).toBeGreaterThan(150);
    expect(taken.filter(({ names, takes }) => names !== takes)).toEqual([]);
  });

  it('shows the limits of requests, the role of the caller and the rate limit', () => {
    const { post } = description.paths['/rest/v1/rpc/refund_purchase'] ?? {};
    expect(post?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['p_reason', 'p_session_id'],
      properties: { p_reason: { maxLength: 500 }, p_request_id: { format: 'uuid' }, p_credits: { minimum: 1 } },
    });
    expect(post?.security).toEqual([{ bearer: [] }]);
    expect(post?.description).toContain('For the role admin.');
    expect(post?.description).toContain('10 in 60 s per caller');
  });
});

describe('GET /docs/api', () => {
  it('shows every route on a page without scripts', async () => {
    const answer = await fetch(`${app.url}/docs/api`);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(answer.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}';`);
    expect(page).not.toMatch(/<script|\son\w+=/i);
    for (const { route } of operations()) expect(page).toContain(route);
    expect(page).toContain('<code>p_session_id</code></th>');
    expect(page).toContain('<code>p_credits</code> <small>optional</small></th>');
  });
});
