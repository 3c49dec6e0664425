import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { fileURLToPath } from 'node:url';
import { type DrawPage } from '../../src/contract/page-data.js';
import { GetCreator } from '../../src/creators/index.js';
import { GetPublicPage } from '../../src/gallery/index.js';
import { SystemClock } from '../../src/platform/clock.js';
import { Notifications } from '../../src/platform/database/notifications.js';
import { addressOf } from '../../src/platform/database/pool.js';
import { serveSpa } from '../../src/platform/http/spa.js';
import { followPages } from '../../src/platform/page-cache.js';
import { CHANGED_PAGES } from '../../src/platform/pages.js';
import { GenerationApp } from '../support/generation-app.js';
import { recordStatements, type StatementRecorder } from '../support/statements.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

// Compiled as JSX, which the sources of the server do not use.
const pagesModule = '../../web/src/app/server-entry.tsx';
const { drawPage } = (await import(pagesModule)) as { drawPage: DrawPage };

jest.setTimeout(120_000);

const WEB = fileURLToPath(new URL('../../web', import.meta.url));
const EVIL = `</script><script>alert('1')</script>\u2028`;

/** An instance that serves pages. */
class PageServer {
  draws: string[] = [];
  /** Announced changes, which it has already applied to its pages. */
  heard: string[] = [];
  private constructor(
    readonly url: string,
    private readonly server: FastifyInstance,
    /** Lies between its listener and the database. */
    readonly proxy: TcpProxy,
    private readonly changes: Notifications,
  ) {}

  static async start(app: GenerationApp): Promise<PageServer> {
    const draws: string[] = [];
    const heard: string[] = [];
    const server = fastify();
    const pages = await serveSpa(server, WEB, {
      origin: 'https://fanvas.example',
      settings: {},
      policyWith: (nonce) => `style-src 'nonce-${nonce}'`,
      pageOf: (path) => app.queries.execute(new GetPublicPage({ path })),
      clock: new SystemClock(),
      draw: (page) => {
        draws.push(page.path);
        return drawPage(page);
      },
    });
    const proxy = await startTcpProxy(addressOf(app.pool));
    const changes = new Notifications({ connectionString: proxy.url });
    await followPages(changes, pages);
    await changes.listen(CHANGED_PAGES, { notified: (name) => heard.push(name) });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    return Object.assign(new PageServer(url, server, proxy, changes), { draws, heard });
  }

  async page(path: string): Promise<{ status: number; html: string; etag: string | null }> {
    const response = await fetch(this.url + path);
    return { status: response.status, html: await response.text(), etag: response.headers.get('etag') };
  }

  async close(): Promise<void> {
    await this.changes.close();
    await this.proxy.close();
    await this.server.close();
  }
}

describe('drawn pages', () => {
  let app: GenerationApp;
  let first: PageServer;
  let second: PageServer;
  let recorder: StatementRecorder;
  let creatorId: string;
  let username: string;
  let picture: { id: string; userId: string };

  beforeAll(async () => {
    recorder = recordStatements();
    app = await GenerationApp.start();
    [first, second] = [await PageServer.start(app), await PageServer.start(app)];
    creatorId = await app.newCreator('Juno Abara');
    username = (await app.queries.execute(new GetCreator({ creatorId })))?.username ?? '';
    picture = await complete('A lighthouse');
    // Generation and creators refuse such texts.
    await app.pool.query('update generation set prompt = $2 where id = $1', [picture.id, `A lighthouse ${EVIL}`]);
    await app.pool.query('update creator set bio = $2 where id = $1', [creatorId, EVIL]);
    await app.curate(creatorId, [picture.id]);
  });
  afterAll(async () => {
    await Promise.all([first?.close(), second?.close()]);
    await app?.close();
    recorder?.stop();
  });

  async function complete(prompt: string): Promise<{ id: string; userId: string }> {
    const userId = await app.newUser();
    return { id: await app.delivered(userId, creatorId, prompt), userId };
  }
  const paths = () => ['/', `/${username}`, `/${username}/generate/${picture.id}`];

  it('draws a page with at most five statements, once for a burst of visitors, and then without any', async () => {
    for (const path of paths()) {
      await until(async () => (await first.page(path)).html.includes('Juno Abara'), 'the page with the creator');
      const change = `the end of ${path}`;
      await app.pool.query(`select pg_notify($1, '*'), pg_notify($1, $2)`, [CHANGED_PAGES, change]);
      // Earlier announcements, such as that of the gallery, have then arrived as well.
      await until(() => first.heard.includes(change), 'the announcement');
      first.draws.length = 0;
      let before = recorder.all.length;
      await Promise.all(Array.from({ length: 20 }, () => first.page(path)));
      const asked = recorder.all.slice(before).filter(({ text }) => /^\s*select/i.test(text) && text !== 'select 1');
      expect(asked.length).toBeLessThanOrEqual(5);
      expect(first.draws).toEqual([path]);
      before = recorder.all.length;
      await first.page(path);
      expect(recorder.all.slice(before).filter(({ text }) => text !== 'select 1')).toEqual([]);
      expect(first.draws).toEqual([path]);
    }
  });

  it('sends hostile prompts as text, in the content, the head and the data', async () => {
    for (const path of paths().slice(1)) {
      const { html } = await first.page(path);
      expect(html).not.toContain('<script>alert');
      const data: unknown = JSON.parse(/<script id="fanvas-page"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '');
      expect(data).toMatchObject({ creator: { bio: EVIL }, gallery: [{ prompt: `A lighthouse ${EVIL}` }] });
    }
  });

  it('sends the same page to everyone, with a nonce of its own for each', async () => {
    const path = `/${username}/generate/${picture.id}`;
    const visitor = await fetch(first.url + path);
    const owner = await fetch(second.url + path, {
      headers: { authorization: `Bearer ${picture.userId}`, cookie: '__session=x' },
    });
    expect(owner.headers.get('etag')).toBe(visitor.headers.get('etag'));
    const nonces = [visitor, owner].map(
      ({ headers }) => /nonce-([\w-]+)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '',
    );
    expect(new Set(nonces).size).toBe(2);
    const one = await visitor.text();
    const other = await owner.text();
    expect(one.replaceAll(nonces[0] ?? '', '')).toBe(other.replaceAll(nonces[1] ?? '', ''));
    expect(one).toContain('"is_owner":false');
    expect(one).not.toContain(picture.userId);
  });

  describe('heads', () => {
    const ORIGIN = 'https://fanvas.example';
    const unknownId = '01a00000-0000-7000-8000-000000000000';
    const content = (html: string, name: string): string | undefined =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
    /** Each response has a nonce of its own. */
    const withoutNonce = (html: string): string => html.replaceAll(/"styleNonce":"[\w-]+"|nonce="[\w-]+"/g, '');

    it('gives the home page one title, a canonical address and the card of the product', async () => {
      const { status, html } = await first.page('/?utm_source=x');
      expect(status).toBe(200);
      expect(html.match(/<title>.*?<\/title>/g)).toEqual(['<title>Fanvas: Create Official Fan Art with AI</title>']);
      expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/" />`);
      expect(content(html, 'og:image')).toBe(`${ORIGIN}/icons/card.jpg`);
      expect(content(html, 'twitter:card')).toBe('summary_large_image');
    });

    it('names the creator of a page, and the address in its usual spelling', async () => {
      const { html } = await first.page(`/${username.toUpperCase()}`);
      expect(html).toContain(`<title>Juno Abara (@${username}) · Fanvas</title>`);
      expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/${username}" />`);
      expect(content(html, 'og:type')).toBe('profile');
    });

    it('[F2.52] describes a finished image as an ImageObject', async () => {
      const path = `/${username}/generate/${picture.id}`;
      const { html } = await first.page(path);
      expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${path}" />`);
      expect(content(html, 'twitter:card')).toBe('summary_large_image');
      const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '';
      expect(JSON.parse(data)).toMatchObject({
        '@type': 'ImageObject',
        name: `A lighthouse ${EVIL}`,
        // The address of the app, which has no PUBLIC_URL here.
        url: `http://localhost:3000${path}`,
        creator: { name: 'Juno Abara' },
      });
    });

    it('gives an unfinished image the page of an unknown one and of one of another creator', async () => {
      const { generationId } = await app.begin(await app.newUser(), creatorId, 'a secret lighthouse');
      const pending = await first.page(`/${username}/generate/${generationId}`);
      const unknown = await first.page(`/${username}/generate/${unknownId}`);
      const foreign = await first.page(`/somebody-else/generate/${picture.id}`);
      expect(pending.html).not.toContain('secret');
      expect(content(pending.html, 'robots')).toBe('noindex');
      const [one, two, three] = [pending, unknown, foreign].map(({ html }) => withoutNonce(html));
      expect([two, three]).toEqual([one, one]);
    });

    it('[F2.03] answers 404 where there is no creator, page or public image, and 200 for the other pages', async () => {
      const image = `/${username}/generate/${unknownId}`;
      const missing = ['/nobody-of-this-name', '/a/b/c', '/faq/more', '/settings', '/generation', '/x/create', image];
      for (const path of missing) {
        const { status, html } = await first.page(path);
        expect([path, status, html.includes('<div id="root">'), content(html, 'robots')]).toEqual([
          path,
          404,
          true,
          'noindex',
        ]);
      }
      for (const path of [
        ...['/sign-in', '/credits', '/faq/', '/admin/users', '/oauth/callback'],
        `/${username}/generate`,
      ]) {
        expect([path, (await first.page(path)).status]).toEqual([path, 200]);
      }
    });

    it('lists the public pages in the sitemap, which robots.txt names, and hides no name that begins like a private page', async () => {
      const text = async (path: string): Promise<string> => (await fetch(app.url + path)).text();
      const robots = await text('/robots.txt');
      const sitemap = /^Sitemap: (.*)\/sitemap\.xml$/m.exec(robots);
      const xml = await text('/sitemap.xml');
      const rules = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, rule = '']) => rule);
      expect(rules).toContain('/admin/');
      expect(rules.filter((rule) => !/[$/]$/.test(rule))).toEqual([]);
      for (const path of ['/', '/faq', `/${username}`, `/${username}/generate/${picture.id}`]) {
        expect(xml).toContain(`<loc>${sitemap?.[1]}${path}</loc>`);
      }
    });
  });

  it('drops the pages that show a hidden picture on all instances, and answers 404 for its own', async () => {
    const path = `/${username}/generate/${picture.id}`;
    for (const instance of [first, second]) for (const each of paths()) await instance.page(each);
    const hide = (hidden: boolean) =>
      app.rpc('hide_generation_by_jwt', picture.userId, { p_generation_id: picture.id, p_hidden: hidden });
    expect((await hide(true)).status).toBe(200);
    for (const instance of [first, second]) {
      await until(async () => (await instance.page(path)).status === 404, 'the 404');
      await until(
        async () => !(await instance.page(`/${username}`)).html.includes('A lighthouse'),
        'the gallery without it',
      );
      expect((await instance.page(path)).html).not.toContain('A lighthouse');
    }
    await hide(false);
    for (const instance of [first, second]) {
      await until(async () => (await instance.page(path)).status === 200, 'the picture');
    }
  });

  it('drops the pages of an archived creator on all instances', async () => {
    for (const instance of [first, second]) for (const each of paths()) await instance.page(each);
    const show = (visible: boolean) =>
      app.pool.query('update creator set is_visible = $2 where id = $1', [creatorId, visible]);
    await show(false);
    for (const instance of [first, second]) {
      await until(async () => (await instance.page(`/${username}`)).status === 404, 'the archived creator');
      await until(async () => !(await instance.page('/')).html.includes('Juno Abara'), 'the list without the creator');
      expect((await instance.page(`/${username}`)).html).toContain('Creator Archived.');
    }
    await show(true);
    for (const instance of [first, second]) {
      await until(async () => (await instance.page('/')).html.includes('Juno Abara'), 'the list with the creator');
    }
  });

  it('keeps no page while changes are not announced, and listens again after a lost connection', async () => {
    await first.page('/');
    await first.proxy.fail();
    await until(async () => {
      first.draws.length = 0;
      await first.page('/');
      await first.page('/');
      return first.draws.length === 2;
    }, 'pages that are drawn for each request');
    await first.proxy.listen();
    await until(async () => {
      first.draws.length = 0;
      await first.page('/');
      await first.page('/');
      return first.draws.length === 0;
    }, 'pages that are kept again');
  });

  it('draws another spelling of an address in the browser', async () => {
    first.draws.length = 0;
    for (const path of [`/${username.toUpperCase()}`, `/${username}/`, `/${username}/generate/${picture.id}/`]) {
      const { status, html } = await first.page(path);
      expect([path, status, html.includes('Loading…')]).toEqual([path, 200, true]);
    }
    expect(first.draws).toEqual([]);
    // The browser redirects `/@name` to `/name`, so both have the same status.
    for (const at of ['/@', '/%40']) {
      const known = await first.page(at + username);
      expect([known.status, known.html.includes('Loading…')]).toEqual([200, true]);
      expect(known.html).toContain(`<link rel="canonical" href="https://fanvas.example/${username}"`);
      expect((await first.page(`${at}nobody-here`)).status).toBe(404);
    }
    expect((await first.page(`/@@${username}`)).status).toBe(404);
  });

  it('draws the page of unknown creators and of unknown addresses once for all of them', async () => {
    await first.page('/nobody-before');
    await first.page('/no/such/page');
    first.draws.length = 0;
    const unknown = await first.page('/nobody-here');
    expect([unknown.status, unknown.html.includes('>Creator not found</h1>')]).toEqual([404, true]);
    const { status, html } = await first.page('/no/page/here');
    expect([status, html.includes('>Page not found</h1>')]).toEqual([404, true]);
    expect(first.draws).toEqual([]);
  });
});
