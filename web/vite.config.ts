import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../dist/web', import.meta.url));

const serverOutDir = fileURLToPath(new URL('../dist/web-server', import.meta.url));

/** Preloads the Latin fonts from the page, because the browser finds them late, in the stylesheet. */
function preloadFonts(): Plugin {
  return {
    name: 'fanvas:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /-latin-(?!ext-).*\.woff2$/.test(file))
          .sort()
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}

/**
 * Writes `.br` and `.gz` next to every compressible file, so that the server only picks one. Skips index.html, which
 * the server completes at run time, and does nothing in watch mode.
 */
function compressAssets(): Plugin {
  const brotli = promisify(brotliCompress);
  const gz = promisify(gzip);
  let watching = false;
  let folder = outDir;
  return {
    name: 'fanvas:compress',
    apply: 'build',
    configResolved(config) {
      watching = Boolean(config.build.watch);
      folder = resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      if (watching) return;
      for (const name of await readdir(folder, { recursive: true })) {
        if (!/\.(js|css|svg|json|txt)$/.test(name)) continue;
        const content = await readFile(join(folder, name));
        if (content.length < 1024) continue;
        await writeFile(join(folder, `${name}.gz`), await gz(content, { level: 9 }));
        await writeFile(
          join(folder, `${name}.br`),
          await brotli(content, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
          }),
        );
      }
    },
  };
}

const CHUNKS = [
  // The code of the first page, as one request instead of ten.
  { name: 'app', tags: ['$initial' as const] },
  // Icons that several pages share, and the helpers of the identity SDK: without this, each one is a request.
  { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 4 },
  {
    name: 'identity',
    test: /web[\\/]src[\\/](lib[\\/](sign-up|reverification)|features[\\/]identity[\\/]return-to)\./,
  },
  // The balance and the next daily credits, which several pages show.
  {
    name: 'credits',
    test: /web[\\/]src[\\/]features[\\/]credits[\\/].*(get-user-credit-breakdown|next-daily-credits)\./,
  },
];

export default defineConfig(({ isSsrBuild = false }) => ({
  root,
  plugins: isSsrBuild ? [react()] : [react(), tailwindcss(), preloadFonts(), compressAssets()],
  // The server's build contains its packages, which are development packages there.
  ...(isSsrBuild
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' }, publicDir: false }
    : {}),
  build: {
    outDir: isSsrBuild ? serverOutDir : outDir,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild ? {} : { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } }),
  },
}));
