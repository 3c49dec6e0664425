import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import fc from 'fast-check';
import { StrictMode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import type { PageData } from '../../../src/contract/page-data.js';
import { PAGE_PATHS } from '../../../src/contract/paths.js';
import {
  accessibilityFaults,
  CREATOR,
  endPage,
  fakeServer,
  GALLERY_ITEM,
  generation,
  PICTURE,
} from '../../test/page.js';
import { beginFirstDraw, endFirstDraw } from '../lib/first-draw.js';
import { createQueryClient } from '../lib/query.js';
import { App } from './app.js';
import { fillCache } from './page-data.js';
import { whenInitialized } from './page-code.js';
import { routes } from './routes.js';

// React's server renderer creates a channel when it is loaded. It uses it for streams only, and jsdom has none.
Object.assign(globalThis, {
  MessageChannel: class {
    readonly port1 = {};
    readonly port2 = {};
  },
});
const { drawPage } = await import('./server-entry.js');

const ORIGIN = 'https://fanvas.example';
const HASH = '1QcSHQRnh493V4dIh4eXh1h4kJUI';
const image = {
  ...PICTURE,
  thumbhash: HASH,
  sources: [{ url: '/media/g1.avif', width: 640, type: 'image/avif' as const }],
};
const creator = { ...CREATOR, profile: image, works: [image] };
const item = { ...GALLERY_ITEM, image };
const picture = generation({
  id: 'g9',
  status: 'completed',
  phase: null,
  prompt: item.prompt,
  image,
  image_url: image.url,
  is_owner: false,
  credits_closed: true,
  completed_at: '2026-11-20T21:05:00.000Z',
});

/** The pages of help and law. */
const TEXTS = PAGE_PATHS.slice(PAGE_PATHS.indexOf('/faq'));
const PAGES: Record<string, PageData> = {
  '/': { creators: [creator, { ...creator, id: 'c2', username: 'rafa' }, { ...creator, id: 'c3', username: 'kit' }] },
  '/junoabara': { creator, gallery: [item, { ...item, id: 'g8' }] },
  '/junoabara/generate/g9': { creator, gallery: [item, { ...item, id: 'g8' }], generation: picture },
  '/nobody': { creator: null },
  '/a/b/c': {},
  ...Object.fromEntries(TEXTS.map((path) => [path, {}])),
};

const draw = (path: string, data = PAGES[path] ?? {}) => {
  beginFirstDraw({ hydrates: true });
  return drawPage({ path, data, origin: ORIGIN });
};

describe('drawPage', () => {
  let root: Root | undefined;
  const complaints = jest.spyOn(console, 'error');

  beforeEach(() => {
    // The identity SDK loads when the browser is idle, which no test waits for.
    jest.useFakeTimers();
    complaints.mockClear();
    // jsdom has no fonts
    Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } });
  });
  afterEach(async () => {
    await act(async () => root?.unmount());
    root = undefined;
    endFirstDraw();
    endPage();
  });

  /** Hydrates the page as the browser does, and returns its container and the calls that it has sent. */
  async function hydrate(path: string, drawnAt = path) {
    const server = fakeServer({});
    const { html, css } = await draw(drawnAt, PAGES[path]);
    const container = document.createElement('div');
    container.innerHTML = html;
    // React compares the text of a style attribute in development.
    const styles = css.split('\n').map((rule) => /\{(.*)\}$/.exec(rule)?.[1] ?? '');
    for (const element of container.querySelectorAll<HTMLElement>('[data-s]')) {
      element.setAttribute('style', styles[Number(element.dataset['s'])] ?? '');
      element.removeAttribute('data-s');
    }
    document.body.replaceChildren(container);
    window.history.replaceState(null, '', path);
    const client = createQueryClient();
    fillCache(client, path, PAGES[path] ?? {});
    const router = createBrowserRouter(routes);
    await whenInitialized(router);
    const recovered: unknown[] = [];
    await act(async () => {
      root = hydrateRoot(
        container,
        <StrictMode>
          <App router={router} client={client} />
        </StrictMode>,
        { onRecoverableError: (error) => recovered.push(error) },
      );
    });
    return { container, server, recovered };
  }

  it.each(Object.keys(PAGES))(
    'draws %s so that the browser hydrates it without a complaint or a call',
    async (path) => {
      const { container, server, recovered } = await hydrate(path);
      expect(recovered).toEqual([]);
      expect(complaints.mock.calls).toEqual([]);
      expect(server.calls).toEqual([]);
      expect(container.querySelector('h1, h2')).not.toBeNull();
    },
  );

  it.each([
    ['/nobody', '/-'],
    ['/a/b/c', '/-/-/-'],
  ])('hydrates %s from the page of all unknown addresses without a complaint', async (path, drawnAt) => {
    const { recovered } = await hydrate(path, drawnAt);
    expect(recovered).toEqual([]);
    expect(complaints.mock.calls).toEqual([]);
  });

  it.each(Object.keys(PAGES))(
    'draws %s without accessibility faults, also for a browser without scripts',
    async (path) => {
      document.body.innerHTML = (await draw(path)).html;
      expect(await accessibilityFaults()).toEqual([]);
    },
  );

  it('draws links, texts and visible pictures, and says what needs scripts', async () => {
    document.body.innerHTML = (await draw('/junoabara')).html;
    const tile = document.querySelector('a[href="/junoabara/generate/g9"] img');
    expect(tile?.getAttribute('alt')).toBe(item.prompt);
    expect(tile?.className).not.toContain('opacity-0');
    expect(document.querySelector('h1')?.textContent).toContain(creator.name);
    expect(document.querySelector('main noscript')?.textContent).toContain('needs JavaScript');
    expect(document.querySelector('form')).toBeNull();
  });

  it('draws the prompt, the picture and the date of a generation', async () => {
    document.body.innerHTML = (await draw('/junoabara/generate/g9')).html;
    expect(document.querySelector('h1')?.textContent).toBe(item.prompt);
    expect(document.querySelector('time')?.textContent).toBe('20 November 2026 at 21:04 UTC');
    expect(document.querySelector('a[href^="https://x.com"]')?.getAttribute('href')).toContain('generate%2Fg9');
  });

  it('returns styles as rules, because the policy refuses style attributes', async () => {
    for (const path of Object.keys(PAGES)) {
      const { html, css } = await draw(path);
      expect(html).not.toMatch(/ style=/);
      const numbers = [...html.matchAll(/ data-s="(\d+)"/g)].map(([, number]) => Number(number));
      expect(css.split('\n').filter(Boolean)).toHaveLength(new Set(numbers).size);
      expect(html).not.toMatch(/<(?:title|meta|link|script)/);
    }
  });

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !/[\0\r]/.test(text) && text.trim() !== ''),
    fc
      .array(
        fc.constantFrom(
          ...[
            '</script><script>alert(1)</script>',
            '<img src=x onerror=alert(1)>',
            '" onload="alert(1)',
            "'",
            '`',
            '&quot;',
          ],
          ...[
            ' style="color:red"',
            ' data-s="0"',
            '<!--',
            '-->',
            '</style>',
            '{}',
            '\u2028',
            '\u2029',
            '<title>x</title>',
          ],
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join('')),
  );

  it('shows hostile names, texts and prompts as text', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, prompt) => {
        const data = {
          creator: { ...creator, name, bio: prompt, style: name },
          gallery: [{ ...item, prompt }],
          generation: { ...picture, prompt, creator_name: name },
          creators: [{ ...creator, name, bio: prompt, style: name }],
        };
        for (const path of ['/', '/junoabara/generate/g9']) {
          const { html } = await draw(path, data);
          const parsed = new DOMParser().parseFromString(`<div id="root">${html}</div>`, 'text/html');
          const elements = [...parsed.querySelectorAll('*')];
          expect(parsed.querySelectorAll('script, style, meta, title, iframe, object')).toHaveLength(0);
          expect(parsed.body.children).toHaveLength(1);
          for (const { attributes } of elements) {
            for (const { name: attribute } of attributes) expect(attribute).not.toMatch(/^on|^style$/);
          }
        }
        const { html } = await draw('/junoabara/generate/g9', data);
        const parsed = new DOMParser().parseFromString(html, 'text/html');
        expect(parsed.querySelector('h1')?.textContent).toBe(prompt);
      }),
      { numRuns: 10 },
    );
  });
});
