import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SERVER_SEGMENTS } from '../../contract/paths.js';
import { type PageHead } from '../pages.js';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';
import { renderHead, scriptJson } from './page-head.js';

const CONFIG_PLACEHOLDER = '<!--fanvas-config-->';
/** The default head in index.html, for pages without a head of their own. */
const HEAD = /<!--fanvas-head-->([\s\S]*?)<!--\/fanvas-head-->/;

/** Placeholder in the prepared page. Each response replaces it with a new nonce. */
const NONCE_PLACEHOLDER = 'fanvas-style-nonce';

const logger = new Logger('Pages');

export interface SpaOptions {
  /** Public origin of the app. */
  readonly origin: string;
  /** Settings of the SPA, embedded into the page as JSON; `styleNonce` is added. */
  readonly settings: object;
  /** Returns the Content-Security-Policy of a page whose style elements carry this nonce. */
  readonly policyWith: (styleNonce: string) => string;
  /** Returns the head of the page at this path; null: the default head. */
  readonly headOf: (path: string) => Promise<PageHead | null>;
}

/**
 * Serves the built SPA. Hashed assets are cached for a year, and sent precompressed when the build has a `.br` or `.gz`
 * file. Every other path returns `index.html` with the head of that path; browsers revalidate it for each request and
 * receive 304 while it is unchanged.
 * @throws when the build is missing
 */
export async function serveSpa(server: FastifyInstance, directory: string, options: SpaOptions): Promise<void> {
  const template = await readFile(join(directory, 'index.html'), 'utf8');
  if (!template.includes(CONFIG_PLACEHOLDER)) throw new Error(`index.html lacks ${CONFIG_PLACEHOLDER}.`);
  if (!HEAD.test(template)) throw new Error('index.html lacks the markers of its head.');
  const page = template.replace(CONFIG_PLACEHOLDER, () =>
    settingsScript({ ...options.settings, styleNonce: NONCE_PLACEHOLDER }),
  );

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
    const head = await headFor(request, options);
    const html = page.replace(HEAD, (_, fallback: string) =>
      head ? renderHead(head, options.origin) : fallback.trim(),
    );
    // A weak ETag, because the bytes of the same page differ by encoding and by nonce.
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
    void reply.header('Cache-Control', 'no-cache').header('ETag', etag);
    if (head?.notFound) void reply.status(404);
    else if (request.headers['if-none-match'] === etag) {
      // Without this header the browser keeps the policy of its cached page, which matches the nonce in that page.
      reply.raw.removeHeader('Content-Security-Policy');
      await reply.status(304).send();
      return;
    }
    const nonce = randomBytes(16).toString('base64url');
    void reply.header('Content-Security-Policy', options.policyWith(nonce));
    await reply.type('text/html; charset=utf-8').send(html.replace(NONCE_PLACEHOLDER, nonce));
  };
  server.get('/', sendPage);
  server.get('/*', sendPage);
}

/** Returns the head of the page. If it cannot be read, the page is sent with the default head. */
async function headFor(request: FastifyRequest, { headOf }: SpaOptions): Promise<PageHead | null> {
  try {
    return await headOf(request.url.split(/[?#]/)[0] ?? '/');
  } catch (error) {
    logger.error('The head of a page could not be read; the default head is sent.', { error });
    return null;
  }
}

function settingsScript(settings: object): string {
  return `<script id="fanvas-config" type="application/json">${scriptJson(settings)}</script>`;
}
