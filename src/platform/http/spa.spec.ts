import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';

// The files themselves are its business, and Jest cannot load it.
jest.unstable_mockModule('@fastify/static', () => ({ default: () => Promise.resolve() }));
const { serveSpa } = await import('./spa.js');

let directory: string;
let server: FastifyInstance;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fanvas-spa-'));
  await writeFile(join(directory, 'index.html'), '<title>Fanvas</title><!--fanvas-config-->');
  server = fastify();
  await serveSpa(server, directory, { text: '</script><b>' });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

it.each(['/', '/junoabara', '/jane.doe', '/three.js', '/jane.doe/generate/1', '/faq?x=1'])(
  'answers %s with the page',
  async (path) => {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain('"text":"\\u003c/script>\\u003cb>"');
    const again = await fetch(url + path, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  },
);

it.each(['/assets/gone.js', '/rest/v1/x', '/media/x', '/favicon.ico', '/robots.txt', '/.env', '/.git/config'])(
  'has no page at %s',
  async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'PGRST125' });
  },
);
