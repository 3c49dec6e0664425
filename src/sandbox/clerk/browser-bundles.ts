import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { nullIfMissing } from '../../platform/storage/missing-file.js';

const require = createRequire(import.meta.url);

/** Packages whose browser builds `@clerk/react` loads by URL; in production it loads them from Clerk's network. */
const PACKAGES: Readonly<Record<string, () => string>> = {
  'clerk-js': () => require.resolve('@clerk/clerk-js'),
  ui: () => require.resolve('@clerk/ui'),
};
const FILE_NAME = /^[\w-][\w.-]*\.js$/;
/** Chunks have a hash and the version in their name; the two entry files do not. */
const CHUNK_NAME = /_[0-9a-f]{6}_\d+\.\d+\.\d+\.js$/;
const BROTLI_QUALITY = 9;

type Encoding = 'br' | 'gzip' | 'identity';

interface Bundle {
  readonly etag: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** Serves `GET /npm/@clerk/<package>@<version>/dist/<file>` from node_modules, compressed once and kept in memory. */
export function registerBrowserBundles(server: FastifyInstance): void {
  const bundles = new Map<string, Promise<Bundle | null>>();
  server.get('/npm/@clerk/:package/dist/:file', async (request, reply) => {
    const params = request.params as { package: string; file: string };
    const resolvePackage = PACKAGES[params.package.split('@')[0] ?? ''];
    if (!resolvePackage || !FILE_NAME.test(params.file)) return reply.callNotFound();

    const path = join(dirname(resolvePackage()), params.file);
    let loading = bundles.get(path);
    if (!loading) {
      loading = load(path);
      bundles.set(path, loading);
      // Failed reads and missing files are not cached.
      loading.then(
        (bundle) => bundle ?? bundles.delete(path),
        () => bundles.delete(path),
      );
    }
    const bundle = await loading;
    return bundle ? send(request, reply, params.file, bundle) : reply.callNotFound();
  });
}

async function load(path: string): Promise<Bundle | null> {
  const source = await readFile(path).catch(nullIfMissing);
  if (!source) return null;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(source, options), promisify(gzip)(source)]);
  const etag = `"${createHash('sha256').update(source).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { br, gzip: gzipped, identity: source } };
}

function send(request: FastifyRequest, reply: FastifyReply, file: string, bundle: Bundle): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '');
  reply.headers({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': CHUNK_NAME.test(file) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    etag: bundle.etag,
    vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  if (request.headers['if-none-match'] === bundle.etag) return reply.status(304).send();
  return reply.send(bundle.bodies[encoding]);
}

function encodingFor(accepted: string): Encoding {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
}
