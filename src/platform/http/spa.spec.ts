import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { type PageHead } from '../pages.js';
import { ManualClock } from '../clock.js';
import { pageAddress } from './page-address.js';
import { serveSpa } from './spa.js';

const EVIL = `"><script>alert('1')</script>`;
const NOBODY: PageHead = {
  title: 'Creator not found',
  description: '',
  path: '/',
  type: 'website',
  notFound: true,
};
const HEADS = new Map<string, PageHead>([
  [
    '/junoabara/generate/g1',
    {
      title: `${EVIL} · Juno`,
      description: EVIL,
      path: '/junoabara/generate/g1',
      type: 'article',
      image: { url: '/media/x/1024.webp', width: 1024, height: 1024, alt: EVIL },
      structuredData: { name: EVIL },
    },
  ],
  ...['/juno.', '/juno/g1%3E),', '//elsewhere.example.', '/%25ff', '/a%2500b'].map((path): [string, PageHead] => [
    path,
    { title: 'Not found', description: '', path, type: 'website', notFound: true },
  ]),
  ['/nobody', NOBODY],
]);
const WAITING = '<div id="root"><p>Loading…</p></div>';
const clock = new ManualClock(new Date('2026-11-27T12:00:00Z'));
/** Paths whose page was read, and those that were drawn. */
const asked: string[] = [];
const drawn: string[] = [];

let directory: string;
let server: FastifyInstance;
let pages: Awaited<ReturnType<typeof serveSpa>>;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fanvas-spa-'));
  await writeFile(
    join(directory, 'index.html'),
    '<html lang="en"><!--fanvas-head--><title>Fanvas</title><!--/fanvas-head--><!--fanvas-config-->' +
      '<!--fanvas-wait--><style>b{}</style><!--/fanvas-wait-->' +
      '<script type="module" crossorigin src="/assets/boot.js"></script>' +
      '<link rel="stylesheet" crossorigin href="/assets/boot.css">' +
      '<link rel="modulepreload" crossorigin="" href="/assets/main.js">' +
      '<body><div id="root"><!--fanvas-wait--><p>Loading…</p><!--/fanvas-wait--></div></body>',
  );
  await writeFile(join(directory, 'index.html.br'), '<title><!--fanvas-config--></title>');
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'assets', 'boot.css'), 'p{color:red}');
  server = fastify({ rewriteUrl: pageAddress });
  pages = await serveSpa(server, directory, {
    origin: 'https://fanvas.example',
    settings: { text: '</script><b>' },
    policyWith: (nonce) => `style-src 'nonce-${nonce}'`,
    clock,
    pageOf: (path) => {
      asked.push(path);
      if (path === '/broken') return Promise.reject(new Error('The database is down.'));
      const data = path === '/drawn' || path === '/undrawable' ? { creator: null } : null;
      const head = HEADS.get(path) ?? null;
      if (/^\/no-\d+$/.test(path))
        return Promise.resolve({ sharedKey: '/-', head: NOBODY, data: {}, shows: ['creators'] });
      return Promise.resolve({ sharedKey: null, head, data, shows: ['creators'] });
    },
    draw: ({ path }) => {
      drawn.push(path);
      if (path === '/undrawable') return Promise.reject(new Error('A component is broken.'));
      const preloads = '<link rel="preload" as="image" href="/hero.avif"/>';
      return Promise.resolve({ html: '<p data-s="0">Drawn</p>', preloads, css: '[data-s="0"]{width:1px}' });
    },
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

it.each(['/index.html', '/index.html.br'])('does not serve the template of its pages as the file %s', async (path) => {
  const text = await (await fetch(url + path)).text();
  expect(text).not.toContain('<!--fanvas-config-->');
  expect(text).toContain('<title>');
});

it.each(['/', '/index.html', '/junoabara', '/jane.doe', '/three.js', '/jane.doe/generate/1', '/faq?x=1'])(
  'answers %s with the page',
  async (path) => {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain('"text":"\\u003c/script>\\u003cb>"');
    const again = await fetch(url + path, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  },
);

it('sends each page with a nonce of its own for styles, and none with 304', async () => {
  const nonces = new Set<string>();
  for (let count = 0; count < 2; count += 1) {
    const response = await fetch(url);
    const policy = response.headers.get('content-security-policy');
    const nonce = /"styleNonce":"([\w-]{22})"/.exec(await response.text())?.[1] ?? '';
    expect(policy).toBe(`style-src 'nonce-${nonce}'`);
    nonces.add(nonce);
    const again = await fetch(url, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([304, null]);
  }
  expect(nonces.size).toBe(2);
});

it.each(['/assets/gone.js', '/rest/v1/x', '/media/x', '/favicon.ico', '/robots.txt', '/.env', '/.git/config'])(
  'answers %s with 404',
  async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'PGRST125' });
  },
);

it('redirects an address with the end of a sentence to its page, never to another site', async () => {
  const answer = async (path: string) => {
    const { status, headers } = await fetch(url + path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  expect(await answer('/juno.?from=chat')).toEqual([302, '/juno?from=chat']);
  expect(await answer('/juno/g1%3E),')).toEqual([302, '/juno/g1']);
  expect(await answer('/jane.doe')).toEqual([200, null]);
  expect(await answer('//elsewhere.example.')).toEqual([404, null]);
});

it('answers a long run of such characters in linear time', async () => {
  const ms = async (length: number) => {
    const path = `/${')'.repeat(length)}a`;
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const start = performance.now();
      await (await fetch(url + path)).text();
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const short = await ms(1_500);
  expect((await ms(15_000)) / short).toBeLessThan(30);
});

it.each(['/%ff', '/a%00b'])('answers the malformed address %s with the page for unknown ones', async (path) => {
  const response = await fetch(url + path);
  expect([response.status, (await response.text()).includes(WAITING)]).toEqual([404, true]);
});

it('writes the head of an address into its page, escaped', async () => {
  const html = await (await fetch(`${url}/junoabara/generate/g1?utm=1`)).text();
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('<title>Fanvas</title>');
  expect(html).toContain('<title>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; · Juno</title>');
  expect(html).toContain('<link rel="canonical" href="https://fanvas.example/junoabara/generate/g1" />');
  expect(html).toContain('<meta property="og:image" content="https://fanvas.example/media/x/1024.webp" />');
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />');
  expect(html).toContain(String.raw`"name":"\">\u003cscript>`);
});

it('answers 404 for an unknown address, and sends the default head when the head cannot be read', async () => {
  const missing = await fetch(`${url}/nobody`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('<meta name="robots" content="noindex" />');
  const broken = await fetch(`${url}/broken`);
  expect([broken.status, (await broken.text()).includes('<title>Fanvas</title>')]).toEqual([200, true]);
});

it('sends a drawn page with its content, its data, its preloads, and its styles under the nonce of the policy', async () => {
  const response = await fetch(`${url}/drawn`);
  const html = await response.text();
  const nonce = /"styleNonce":"([\w-]{22})"/.exec(html)?.[1] ?? '';
  expect(html).toContain('<div id="root"><p data-s="0">Drawn</p></div>');
  expect(html).toContain('<script id="fanvas-page" type="application/json">{"creator":null}</script>');
  expect(html).toContain('<link rel="preload" as="image" href="/hero.avif"/>');
  expect(html).toContain(`<style id="fanvas-styles" nonce="${nonce}">[data-s="0"]{width:1px}</style>`);
  expect(response.headers.get('content-security-policy')).toBe(`style-src 'nonce-${nonce}'`);
  expect(
    html.match(/<script(?! id="fanvas-(?:config|page)" type="application\/json"| type="module" crossorigin src="\/)/),
  ).toBeNull();
});

it('puts the styles into a drawn page, disables their link and keeps the links to its code for the entry', async () => {
  const drawn = await (await fetch(`${url}/drawn`)).text();
  expect(drawn).toMatch(/<style nonce="[\w-]{22}">p\{color:red\}<\/style>/);
  expect(drawn).toContain('<link data-rel="stylesheet" crossorigin href="/assets/boot.css" disabled>');
  expect(drawn).not.toMatch(/ rel="(?:stylesheet|modulepreload)"/);
  expect(drawn).toContain('<link data-rel="modulepreload" crossorigin="" href="/assets/main.js">');
  const other = await (await fetch(url)).text();
  expect(other).toContain('<link rel="stylesheet" crossorigin href="/assets/boot.css">');
  expect(other).toContain('<link rel="modulepreload" crossorigin="" href="/assets/main.js">');
  expect(other).not.toContain('p{color:red}');
});

it('shows that a page loads which the browser draws, before its styles and its code', async () => {
  const response = await fetch(url);
  const html = await response.text();
  const nonce = /"styleNonce":"([\w-]{22})"/.exec(html)?.[1] ?? '';
  expect(html).toContain(`<style nonce="${nonce}">b{}</style>`);
  expect(html.indexOf('rel="stylesheet"')).toBeGreaterThan(html.indexOf(WAITING));
  expect(await (await fetch(`${url}/drawn`)).text()).not.toMatch(/Loading…|b\{\}/);
});

it('lets the browser draw a page that the server cannot draw', async () => {
  const response = await fetch(`${url}/undrawable`);
  expect([response.status, (await response.text()).includes(WAITING)]).toEqual([200, true]);
});

it.each(['known', 'no-offer'])(
  'passes the hint %s of the browser on to a drawn page, and nothing else',
  async (hint) => {
    const ask = (path: string, cookie: string, etag = '') =>
      fetch(url + path, { headers: { cookie, 'if-none-match': etag } });
    const hinted = await ask('/drawn', `a=b; fanvas.visitor=${hint}`);
    expect(await hinted.text()).toContain(`<html data-visitor="${hint}" lang="en">`);
    expect(hinted.headers.get('vary')).toBe('Accept-Encoding, Cookie');
    expect((await ask('/drawn', '', hinted.headers.get('etag') ?? '')).status).toBe(200);
    expect((await ask('/drawn', `fanvas.visitor=${hint}`, hinted.headers.get('etag') ?? '')).status).toBe(304);
    expect(await (await ask('/drawn', `fanvas.visitor=${hint}x"`)).text()).toContain('<html lang="en">');
    expect(await (await ask('/faq', `fanvas.visitor=${hint}`)).text()).toContain('<html lang="en">');
  },
);

describe('limits of pages', () => {
  const ask = async (path: string) => {
    const { status, headers } = await fetch(url + path);
    return [status, headers.get('retry-after')];
  };

  beforeEach(() => pages.follow(true));
  afterEach(() => {
    pages.follow(false);
    clock.advance(60_000);
  });

  it('draws one page for all unknown addresses, and looks them up again when creators have changed', async () => {
    drawn.length = 0;
    asked.length = 0;
    for (const path of ['/no-1', '/no-2', '/no-1']) expect(await ask(path)).toEqual([404, null]);
    expect([drawn, asked]).toEqual([['/-'], ['/no-1', '/no-2']]);
    pages.forget('creators');
    expect(await ask('/no-1')).toEqual([404, null]);
    expect([drawn, asked]).toEqual([['/-'], ['/no-1', '/no-2', '/no-1']]);
  });

  it('allows 120 unknown addresses a minute and network, and no look-up beyond; kept and private pages are sent on', async () => {
    await ask('/faq');
    for (let count = 0; count < 120; count += 1) expect(await ask(`/no-${count}`)).toEqual([404, null]);
    clock.advance(45_500);
    asked.length = 0;
    expect([await ask('/no-x'), await ask('/jane.doe'), await ask('/faq')]).toEqual([
      [429, '15'],
      [429, '15'],
      [200, null],
    ]);
    expect(asked).toEqual([]);
    expect(await ask('/my-creations')).toEqual([200, null]);
    const page = await fetch(`${url}/jane.doe`);
    expect(await page.text()).toContain(WAITING);
    clock.advance(14_500);
    expect([await ask('/no-200'), await ask('/jane.doe')]).toEqual([
      [404, null],
      [200, null],
    ]);
  });

  it('allows a network 300 pages a minute; from then on the browser draws them', async () => {
    const before = await (await fetch(`${url}/drawn`)).text();
    expect(before).not.toContain(WAITING);
    for (let count = 1; count < 300; count += 1) expect(await ask('/my-creations')).toEqual([200, null]);
    expect([await ask('/drawn'), await ask('/my-creations')]).toEqual([
      [429, '60'],
      [429, '60'],
    ]);
    expect(await (await fetch(`${url}/drawn`)).text()).toContain(WAITING);
    clock.advance(60_000);
    expect(await ask('/drawn')).toEqual([200, null]);
  });
});
