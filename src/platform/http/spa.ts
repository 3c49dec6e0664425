import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type DrawnPage,
  type DrawPage,
  PAGE_DATA_ID,
  PAGE_STYLES_ID,
  type PageData,
  VISITOR_COOKIE,
} from '../../contract/page-data.js';
import { isPagePath, SERVER_SEGMENTS } from '../../contract/paths.js';
import { type Drawn, PageCache } from '../page-cache.js';
import { type PublicPage, UNDRAWN_PAGE } from '../pages.js';
import { type Clock } from '../clock.js';
import { ApiError } from './api-error.js';
import { networkOf } from './client-network.js';
import { sendError } from './error-filter.js';
import { NetworkCounts } from './network-counts.js';
import { renderHead, scriptJson } from './page-head.js';
import { SplicedGzip } from './spliced-gzip.js';

const CONFIG_PLACEHOLDER = '<!--fanvas-config-->';
/** The default head in index.html, for pages without a head of their own. */
const HEAD = /<!--fanvas-head-->([\s\S]*?)<!--\/fanvas-head-->/;
/** The link to the styles in index.html. A drawn page contains the styles: the first view then waits for one answer. */
const STYLES = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/;
/** The links in index.html to code that the small entry imports. In a drawn page the entry switches them on. */
const PRELOADED_CODE = /<link rel="modulepreload"/g;
/** Shown until the app has drawn the page: styles in the head of index.html, and text in its root element. */
const WAITING = /\s*<!--fanvas-wait-->([\s\S]*?)<!--\/fanvas-wait-->\s*/g;
/** Where the content of a drawn page goes. */
const ROOT = '<div id="root"></div>';

/**
 * Stands for the nonce in a page until it is sent. Random, so that no text of a page contains it; the ETag is computed
 * without it.
 */
const NONCE_PLACEHOLDER = randomBytes(18).toString('base64url');

/** Pages that are kept. A page takes some 200 kB. */
const MOST_PAGES = 200;

/** Pages that one network may load in a minute: the browsers of a large office. A page costs about a millisecond. */
const MOST_LOADS = 300;

/** Unknown addresses among them. Each is looked up. */
const MOST_UNKNOWN = 120;

/** Browsers accept it. Others get the page as it is, or as the server compresses other answers. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i;

const VISITOR_HINT = new RegExp(`(?:^|; *)${VISITOR_COOKIE.replace('.', String.raw`\.`)}=(no-offer|known)(?:;|$)`);

const logger = new Logger('Pages');

export interface SpaOptions {
  /** Public origin of the app. */
  readonly origin: string;
  /** Settings of the SPA, embedded into the page as JSON; `styleNonce` is added. */
  readonly settings: object;
  /** Returns the Content-Security-Policy of a page whose style elements carry this nonce. */
  readonly policyWith: (styleNonce: string) => string;
  /** Returns the page at this path. */
  readonly pageOf: (path: string) => Promise<PublicPage>;
  /** Draws a page. Null: the browser draws all pages. */
  readonly draw: DrawPage | null;
  readonly clock: Clock;
}

/** A page that can be sent. */
interface BuiltPage {
  readonly status: 200 | 404;
  /** The HTML, cut at the place for the hint about the visitor, and at each place for the nonce. */
  readonly parts: readonly string[];
  /** The parts, compressed. */
  readonly gzip: SplicedGzip;
  readonly hash: string;
  readonly drawn: boolean;
}

/**
 * Characters that belong to the sentence or the brackets around a shared address. No match begins within a run of them:
 * each character would be a start, and a long run would take quadratic time.
 */
const SENTENCE_END = /(?<![.,)>]|%2c|%29|%3e)(?:[.,)>]|%2c|%29|%3e)+$/i;

/**
 * Serves the built SPA. Hashed assets are cached for a year, and sent precompressed when the build has a `.br` or `.gz`
 * file. Every other path returns `index.html` with the head and, for public pages, the content of that path; browsers
 * revalidate it for each request and receive 304 while it is unchanged.
 * @returns the drawn pages. They are kept once `follow(true)` says that their changes are announced
 * @throws when the build is missing
 */
export async function serveSpa(
  server: FastifyInstance,
  directory: string,
  options: SpaOptions,
): Promise<Pick<PageCache<unknown>, 'forget' | 'follow'>> {
  const template = await readFile(join(directory, 'index.html'), 'utf8');
  for (const marker of ['<html', CONFIG_PLACEHOLDER]) {
    if (!template.includes(marker)) throw new Error(`index.html lacks ${marker}.`);
  }
  if (!template.replace(WAITING, '').includes(ROOT)) throw new Error(`index.html lacks ${ROOT}.`);
  if (!HEAD.test(template)) throw new Error('index.html lacks the markers of its head.');
  const page = template.replace(CONFIG_PLACEHOLDER, () =>
    jsonScript('fanvas-config', { ...options.settings, styleNonce: NONCE_PLACEHOLDER }),
  );
  const styles = await stylesOf(template, directory);
  const pages = new PageCache<BuiltPage>(MOST_PAGES);
  const undrawn = await build('', UNDRAWN_PAGE, page, styles, options);
  const pageAt = (path: string): Promise<BuiltPage> =>
    pages.get(path, async () => {
      const found = await readPage(path, options);
      const key = found.sharedKey;
      if (key === null) return build(path, found, page, styles, options);
      const drawShared = () => build(key, { ...found, shows: [] }, page, styles, options);
      return { page: await pages.get(key, drawShared), shows: found.shows, shared: true };
    });
  const loads = new NetworkCounts(MOST_LOADS, options.clock);
  const unknown = new NetworkCounts(MOST_UNKNOWN, options.clock);

  await server.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: false,
    // `sendPage` sends this template, completed with the head and the settings.
    globIgnore: ['index.html*'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${directory}/assets/`);
      void reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });

  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const first = request.url.split(/[/?#]/)[1] ?? '';
    // Any other first segment may be a username. Usernames may contain a dot (`jane.doe`), but not begin with one:
    // requests for `.env` or `.git` are probes for leaked files.
    if (SERVER_SEGMENTS.has(first) || first.startsWith('.')) {
      sendError(reply, new ApiError(404, 'Not found', { code: 'PGRST125' }));
      return;
    }
    const [path = '/', ...query] = request.url.split(/(?=[?#])/);
    const network = networkOf(request.ip);
    const limited =
      loads.secondsToWait(network) || (!pages.has(path) && !isPagePath(path) && unknown.secondsToWait(network));
    loads.count(network);
    const { status, parts, gzip, hash, drawn } = limited ? undrawn.page : await pageAt(path);
    if (status === 404) unknown.count(network);
    const bare = path.replace(SENTENCE_END, '');
    if (status === 404 && bare !== path && /^\/[^/\\]/.test(bare)) {
      await reply.redirect(bare + query.join(''), 302);
      return;
    }
    const hint = drawn ? VISITOR_HINT.exec(request.headers.cookie ?? '')?.[1] : undefined;
    // A weak ETag, because the bytes of the same page differ by encoding and by nonce.
    const etag = `W/"${hash}${hint === undefined ? '' : `-${hint}`}"`;
    void reply.header('Cache-Control', 'no-cache').header('ETag', etag);
    void reply.header('Vary', drawn ? 'Accept-Encoding, Cookie' : 'Accept-Encoding');
    // The browser draws the page, so that people in a large network can read it.
    if (limited) void reply.status(429).header('Retry-After', limited);
    else if (status === 404) void reply.status(404);
    else if (request.headers['if-none-match'] === etag) {
      // Without this header the browser keeps the policy of its cached page, which matches the nonce in that page.
      reply.raw.removeHeader('Content-Security-Policy');
      await reply.status(304).send();
      return;
    }
    const nonce = randomBytes(16).toString('base64url');
    void reply.header('Content-Security-Policy', options.policyWith(nonce)).type('text/html; charset=utf-8');
    const between = parts.slice(1).map((_, index) => (index > 0 ? nonce : hint ? ` data-visitor="${hint}"` : ''));
    if (GZIP.test(request.headers['accept-encoding'] ?? '')) {
      await reply.header('Content-Encoding', 'gzip').send(gzip.with(between));
    } else await reply.send(parts.map((part, index) => part + (between[index] ?? '')).join(''));
  };
  server.get('/', sendPage);
  server.get('/*', sendPage);
  return pages;
}

/** The page at a path. If its data cannot be read, the browser draws it. */
async function readPage(path: string, { pageOf }: Pick<SpaOptions, 'pageOf'>): Promise<PublicPage> {
  try {
    return await pageOf(path);
  } catch (error) {
    logger.error('The data of a page could not be read; the browser draws it.', { error });
    return UNDRAWN_PAGE;
  }
}

async function build(
  path: string,
  page: PublicPage,
  template: string,
  styles: string,
  options: SpaOptions,
): Promise<Drawn<BuiltPage>> {
  const { head, data, shows } = page;
  const drawn = data && options.draw ? await drawOrNull(options.draw, path, data, options.origin) : null;
  const html = (drawn ? drawnPage(template, styles, drawn, data) : waitingPage(template)).replace(
    HEAD,
    (_, fallback: string) =>
      [head ? renderHead(head, options.origin) : fallback.trim(), ...(drawn ? headOf(drawn) : [])].join('\n    '),
  );
  const root = html.indexOf('<html') + '<html'.length;
  const parts = [html.slice(0, root), ...html.slice(root).split(NONCE_PLACEHOLDER)];
  const hash = createHash('sha256').update(parts.join('')).digest('base64url').slice(0, 22);
  const gzip = await SplicedGzip.of(parts);
  return {
    page: { status: head?.notFound ? 404 : 200, parts, gzip, hash, drawn: drawn !== null },
    // A page that could not be drawn is tried again.
    shows: data && options.draw && !drawn ? null : shows,
  };
}

/** The page with the content that the server has drawn. */
function drawnPage(template: string, styles: string, { html }: DrawnPage, data: PageData | null): string {
  return template
    .replace(WAITING, '')
    .replace(STYLES, () => styles)
    .replace(PRELOADED_CODE, '<link data-rel="modulepreload"')
    .replace(ROOT, () => `<div id="root">${html}</div>\n    ${jsonScript(PAGE_DATA_ID, data ?? {})}`);
}

/** The page that the browser draws. It shows at once that it loads: the styles come after that, and before the code. */
function waitingPage(template: string): string {
  const link = STYLES.exec(template)?.[0] ?? '';
  return template
    .replace(STYLES, '')
    .replace(WAITING, (_, waiting: string) => waiting.replace('<style>', `<style nonce="${NONCE_PLACEHOLDER}">`))
    .replace('</body>', () => `  ${link}\n  </body>`);
}

/**
 * The styles that a built index.html links to, as an element. A disabled link follows, which the entry gives its `rel`:
 * the code then finds it. Otherwise the code would load the styles again, and the browser would lay out the page again.
 * With a `rel` in the HTML, Chromium 150 loads the file although the link is disabled.
 */
async function stylesOf(template: string, directory: string): Promise<string> {
  const [link, file] = STYLES.exec(template) ?? [];
  if (link === undefined || file === undefined) return '';
  return (
    styleElement(await readFile(join(directory, file), 'utf8')) +
    link.replace(' rel=', ' data-rel=').replace('>', ' disabled>')
  );
}

async function drawOrNull(draw: DrawPage, path: string, data: PageData, origin: string): Promise<DrawnPage | null> {
  try {
    return await draw({ path, data, origin });
  } catch (error) {
    logger.error('A page could not be drawn; the browser draws it.', { path, error });
    return null;
  }
}

function headOf({ preloads, css }: DrawnPage): string[] {
  return [
    ...(preloads === '' ? [] : [preloads]),
    ...(css === '' ? [] : [styleElement(css, ` id="${PAGE_STYLES_ID}"`)]),
  ];
}

function styleElement(css: string, attributes = ''): string {
  return `<style${attributes} nonce="${NONCE_PLACEHOLDER}">${css}</style>`;
}

function jsonScript(id: string, data: object): string {
  return `<script id="${id}" type="application/json">${scriptJson(data)}</script>`;
}
