import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rpc, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { seededData } from '../support/seeded-data.js';

jest.setTimeout(90_000);

const PUBLIC_URL = 'https://fanvas.example';

/** Each response has a nonce of its own. */
const withoutNonce = (html: string): string => html.replace(/"styleNonce":"[\w-]+"/, '');

describe('pages without scripts', () => {
  let dataDir: string;
  let app: AppProcess;
  let creator: { id: string; username: string; name: string };
  let finished: { id: string; prompt: string };

  beforeAll(async () => {
    dataDir = await seededData();
    app = await startApp({
      dataDir,
      port: await freePort(),
      env: { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '100', PUBLIC_URL },
    });
    const creators = await rpc<{ id: string; username: string; name: string }[]>(app.url, 'get_public_creators');
    creator = creators.body[0] ?? { id: '', username: '', name: '' };
    const gallery = { p_creator_id: creator.id };
    const items = await rpc<{ id: string; prompt: string }[]>(app.url, 'get_gallery_generations_public', gallery);
    finished = items.body[0] ?? { id: '', prompt: '' };
  });
  afterAll(async () => {
    await app?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function page(path: string): Promise<{ status: number; html: string }> {
    const response = await fetch(app.url + path);
    return { status: response.status, html: await response.text() };
  }
  const content = (html: string, name: string): string | undefined =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

  it('the home page has a title and a canonical address', async () => {
    const { status, html } = await page('/?utm_source=x');
    expect(status).toBe(200);
    expect(html).toContain('<title>Fanvas: Create Official Fan Art with AI</title>');
    expect(html).toContain(`<link rel="canonical" href="${PUBLIC_URL}/" />`);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(content(html, 'og:image')).toBe(`${PUBLIC_URL}/icons/card.jpg`);
    expect(content(html, 'twitter:card')).toBe('summary_large_image');
  });

  it('has icons, a manifest and the card of the product', async () => {
    const { html } = await page('/');
    const type = async (path: string): Promise<string> => {
      const response = await fetch(app.url + path);
      await response.arrayBuffer();
      return `${response.status} ${response.headers.get('content-type') ?? ''}`;
    };
    const linked = [...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)"[^>]* href="([^"]+)"/g)];
    expect(linked.map(([, path]) => path)).toEqual([
      '/favicon.ico',
      '/favicon.svg',
      '/icons/apple-touch.png',
      '/icons/manifest.webmanifest',
    ]);
    for (const [, path = ''] of linked) expect(await type(path)).toMatch(/^200 /);
    expect(await type('/icons/card.jpg')).toBe('200 image/jpeg');
    const manifest = (await (await fetch(`${app.url}/icons/manifest.webmanifest`)).json()) as {
      readonly icons: readonly { readonly src: string }[];
    };
    for (const { src } of manifest.icons) expect(await type(src)).toBe('200 image/png');
  });

  it('a creator’s page names the creator and shows the portrait', async () => {
    const { html } = await page(`/${creator.username}`);
    expect(html).toContain(`<title>${creator.name} (@${creator.username}) · Fanvas</title>`);
    expect(content(html, 'og:type')).toBe('profile');
    const image = await fetch(app.url + new URL(content(html, 'og:image') ?? '').pathname);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const upper = await page(`/${creator.username.toUpperCase()}`);
    expect(upper.html).toContain(`<link rel="canonical" href="${PUBLIC_URL}/${creator.username}" />`);
  });

  it('[F2.52] a finished image’s page shows the image and carries its ImageObject', async () => {
    const path = `/${creator.username}/generate/${finished.id}`;
    const { html } = await page(path);
    expect(html).toContain(`<link rel="canonical" href="${PUBLIC_URL}${path}" />`);
    expect(content(html, 'twitter:card')).toBe('summary_large_image');
    const data: unknown = JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '');
    expect(data).toMatchObject({
      '@type': 'ImageObject',
      name: finished.prompt,
      url: PUBLIC_URL + path,
      creator: { name: creator.name },
    });
  });

  it('an unfinished image has the same page as an unknown one and one of another creator', async () => {
    const fan = await signUp(app.url, 'fan@share.test', 'correct-horse-9');
    const started = await fan.rpc<{ generation_id: string }>('start_generation_by_jwt', {
      p_prompt: 'a secret lighthouse',
      p_creator_id: creator.id,
      p_prediction_id: 'test-share-page',
    });
    expect(started.status).toBe(200);
    const pending = await page(`/${creator.username}/generate/${started.body.generation_id}`);
    const unknown = await page(`/${creator.username}/generate/01a00000-0000-7000-8000-000000000000`);
    const foreign = await page(`/somebody-else/generate/${finished.id}`);
    expect(pending.html).not.toContain('secret');
    expect(content(pending.html, 'robots')).toBe('noindex');
    const [first, second, third] = [pending, unknown, foreign].map(({ html }) => withoutNonce(html));
    expect([second, third]).toEqual([first, first]);
  });

  it('[F2.03] answers 404 with a page for an unknown creator', async () => {
    const { status, html } = await page('/nobody-of-this-name');
    expect(status).toBe(404);
    expect(html).toContain('<div id="root">');
    expect(content(html, 'robots')).toBe('noindex');
    for (const path of ['/sign-in', '/credits']) expect((await page(path)).status).toBe(200);
  });

  it('answers 404 where there is no page and no public image, and 200 for the other pages', async () => {
    const image = `/${creator.username}/generate/01a00000-0000-7000-8000-000000000000`;
    for (const path of ['/a/b/c', '/faq/more', '/settings', '/generation', '/x/create', image]) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/faq/', '/admin/users', '/oauth/callback', `/${creator.username}/generate`]) {
      expect([path, (await page(path)).status]).toEqual([path, 200]);
    }
  });

  it('the sitemap lists the public pages, and robots.txt names the sitemap', async () => {
    const { status, html: xml } = await page('/sitemap.xml');
    expect(status).toBe(200);
    for (const path of ['/', '/faq', `/${creator.username}`, `/${creator.username}/generate/${finished.id}`]) {
      expect(xml).toContain(`<loc>${PUBLIC_URL}${path}</loc>`);
    }
    const robots = await page('/robots.txt');
    expect(robots.html).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
  });
});
