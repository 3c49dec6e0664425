import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { withEventVersions } from './verifier-versions.js';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

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
      handler: (_html, { bundle = {}, chunk }) => {
        const chunkOf = (file: string): Rolldown.OutputChunk => {
          const found = bundle[file];
          if (found?.type !== 'chunk') throw new Error(`The build has no chunk ${file}.`);
          return found;
        };
        const withImports = (files: readonly string[]): Set<string> => {
          const all = new Set(files);
          // A set also visits what is added to it meanwhile.
          for (const file of all) for (const imported of chunkOf(file).imports) all.add(imported);
          return all;
        };
        const entry = withImports(chunk ? [chunk.fileName] : []);
        const app = withImports([...entry].flatMap((file) => chunkOf(file).dynamicImports));
        const files = [...app].filter((file) => !entry.has(file));
        if (files.length === 0) throw new Error('The entry of the web app does not import the app.');
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: '', href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

/** Writes the table of event versions into the public verifier. */
function embedEventVersions(): Plugin {
  const file = join('ledger', 'verify-fanvas.mjs');
  return {
    name: 'fanvas:event-versions',
    apply: 'build',
    async closeBundle() {
      await writeFile(join(outDir, file), withEventVersions(await readFile(join(root, 'public', file), 'utf8')));
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

const { resolve: resolveForRouter } = createRequire(import.meta.resolve('react-router-dom/package.json'));
/** The folder of the router's build without warnings for developers. Its package names only the other build. */
const ROUTER = join(dirname(resolveForRouter('react-router/package.json')), 'dist', 'production');

const CHUNKS = [
  // The code of the first page, as one request instead of ten.
  {
    name: 'boot',
    test: /rolldown[\\/]runtime|vite[\\/]preload-helper|web[\\/]src[\\/](boot\.ts|app[\\/](chunk-reload|chunk-timeout|early-input|first-pictures|server-answer)\.|lib[\\/](next-task|storage)\.)|contract[\\/]page-data\./,
    priority: 3,
  },
  // React runs in a task before the app's code: see boot.ts.
  {
    name: 'react',
    test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|web[\\/]src[\\/](app[\\/]react|lib[\\/]jsx-runtime)\./,
    priority: 4,
  },
  {
    name: 'app',
    test: /web[\\/]src[\\/](main\.|components[\\/](portrait|states)\.|lib[\\/](use-(media|mounted-for)|problem-of)\.)|icons[\\/]arrow-(left|right)\./,
    includeDependenciesRecursively: true,
    priority: 2,
  },
  // Small parts that several pages share: without this, each one is a request.
  {
    name: 'shared',
    test: /lucide-react[\\/]|web[\\/]src[\\/](components|lib)[\\/](?!dialog|menu|table|toast|switch|reverif|sign-up|work-area)/,
    minShareCount: 3,
  },
  // Icons that several pages share, and the helpers of the identity SDK: without this, each one is a request.
  { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 5, priority: 1 },
  {
    name: 'identity',
    test: /web[\\/]src[\\/](lib[\\/](sign-up|reverification)|features[\\/]identity[\\/]return-to)\./,
  },
  // Parts of messages, menus and dialogs, and parts of menus and dialogs only: two requests instead of nine.
  {
    name: 'layers',
    test: /@radix-ui[\\/](primitive|react-(collection|compose-refs|context|dismissable-layer|id|portal|presence|primitive|slot|use-\w[\w-]*))[\\/]/,
    minShareCount: 3,
  },
  {
    name: 'menu',
    test: /node_modules[\\/](@radix-ui|@floating-ui|react-remove-scroll\w*|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|tslib|get-nonce)[\\/]|web[\\/]src[\\/]components[\\/](menu|dialog)\./,
    minShareCount: 3,
  },
  // The prompt bar with what it needs, on the pages of creators and pictures.
  {
    name: 'prompt',
    test: /web[\\/]src[\\/]features[\\/](generation[\\/].*(prompt|aspect-ratio|paused-bar|navigation|has-active|get-user-generations)|credits[\\/]refresh|creators[\\/](refresh|components[\\/]gallery-grid))|src[\\/](contract[\\/](generation|moderation|aspect-ratios)|generation[\\/]sanitise-prompt)\./,
    minShareCount: 2,
  },
  // Parts that the pages of pictures share.
  { name: 'picture', test: /web[\\/]src[\\/]features[\\/]generation[\\/]/, minShareCount: 2 },
  // The balance and the next daily credits, which several pages show.
  {
    name: 'credits',
    test: /web[\\/]src[\\/]features[\\/]credits[\\/].*(get-user-credit-breakdown|next-daily-credits)\./,
  },
];

/** Compiles JSX for `web/src/lib/jsx-runtime.ts`. */
const jsx = react({ jsxImportSource: '#web' });

export default defineConfig(({ command, isSsrBuild = false }) => ({
  root,
  plugins: isSsrBuild
    ? [jsx]
    : [jsx, tailwindcss(), preloadFonts(), preloadApp(), embedEventVersions(), compressAssets()],
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
