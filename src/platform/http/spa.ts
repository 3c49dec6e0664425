import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';
import { SERVER_SEGMENTS } from './server-segments.js';

const CONFIG_PLACEHOLDER = '<!--fanvas-config-->';

/**
 * Serves the built SPA: hashed assets for a year (precompressed where the build left `.br` or `.gz`), every other page
 * as `index.html`, asked for anew each time but answered with 304 while unchanged.
 * @param settings what the SPA needs to know, put into the page as JSON
 * @throws when the build is missing
 */
export async function serveSpa(server: FastifyInstance, directory: string, settings: object): Promise<void> {
  const template = await readFile(join(directory, 'index.html'), 'utf8');
  if (!template.includes(CONFIG_PLACEHOLDER)) throw new Error(`index.html lacks ${CONFIG_PLACEHOLDER}.`);
  const page = template.replace(CONFIG_PLACEHOLDER, () => settingsScript(settings));
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;

  await server.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${directory}/assets/`);
      void reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });

  const sendPage = (request: FastifyRequest, reply: FastifyReply): void => {
    const first = request.url.split(/[/?#]/)[1] ?? '';
    // Anything else may be a username, also one with a dot such as `jane.doe`; none begins with one: whoever asks for `.env` or `.git` looks for a leak.
    if (SERVER_SEGMENTS.has(first) || first.startsWith('.')) {
      sendError(reply, new ApiError(404, 'Not found', { code: 'PGRST125' }));
      return;
    }
    void reply.header('Cache-Control', 'no-cache').header('ETag', etag);
    if (request.headers['if-none-match'] === etag) void reply.status(304).send();
    else void reply.type('text/html; charset=utf-8').send(page);
  };
  server.get('/', sendPage);
  server.get('/*', sendPage);
}

/** JSON in a script element: `<` is escaped so that no value can end the element. */
function settingsScript(settings: object): string {
  const json = JSON.stringify(settings).replace(/</g, '\\u003c');
  return `<script id="fanvas-config" type="application/json">${json}</script>`;
}
