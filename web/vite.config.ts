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
 * Preloads the code of the app, which the small entry imports. The server removes this from a page that it has drawn:
 * there the code comes after the first pictures.
 */
function preloadApp(): Plugin {
  return {
    name: 'fanvas:preload-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const app = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/src/main.tsx') === true,
        );
        if (app?.type !== 'chunk') throw new Error('The build has no chunk of src/main.tsx.');
        return [app.fileName, ...app.imports].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: '', href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
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

/** The folder of the router's build without warnings for developers. Its package names only the other build. */
const ROUTER = fileURLToPath(new URL('dist/production/', import.meta.resolve('react-router/package.json')));

const CHUNKS = [
  // The code of the first page, as one request instead of ten.
  {
    name: 'boot',
    test: /rolldown[\\/]runtime|vite[\\/]preload-helper|web[\\/]src[\\/](boot\.ts|app[\\/](early-input|first-pictures)\.)|contract[\\/]page-data\./,
    priority: 3,
  },
  {
    name: 'app',
    test: /web[\\/]src[\\/](main\.|components[\\/](portrait|states)\.|lib[\\/]use-(media|mounted-for)\.)|icons[\\/]arrow-right\./,
    includeDependenciesRecursively: true,
    priority: 2,
  },
  // Small parts that several pages share: without this, each one is a request.
  {
    name: 'shared',
    test: /lucide-react[\\/]|web[\\/]src[\\/](components|lib)[\\/](?!dialog|menu|table|toast|switch|reverif|sign-up)/,
    minShareCount: 3,
  },
  // Icons that several pages share, and the helpers of the identity SDK: without this, each one is a request.
  { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 5, priority: 1 },
  {
    name: 'identity',
    test: /web[\\/]src[\\/](lib[\\/](sign-up|reverification)|features[\\/]identity[\\/]return-to)\./,
  },
];

export default defineConfig(({ command, isSsrBuild = false }) => ({
  root,
  plugins: isSsrBuild ? [react()] : [react(), tailwindcss(), preloadFonts(), preloadApp(), compressAssets()],
  resolve: {
    alias:
      command === 'build'
        ? [
            { find: /^react-router$/, replacement: join(ROUTER, 'index.mjs') },
            { find: /^react-router\/dom$/, replacement: join(ROUTER, 'dom-export.mjs') },
          ]
        : [],
  },
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
