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

/** Fonts are named in the stylesheet only, which the browser reads late: ask for them from the page itself. */
function preloadFonts(): Plugin {
  return {
    name: 'fanvas:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .sort()
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}

/** The pages that strangers come in by, under the kind of head that the server gives them (src/platform/http/spa.ts). */
const LANDING_PAGES = {
  home: 'features/home/home-page.tsx',
  profile: 'features/creators/creator-page.tsx',
  article: 'features/generation/generation-page.tsx',
};

/**
 * Writes down which scripts and styles each landing page needs beside those that index.html names. The server has the browser fetch them
 * with the page: else it would learn of them only when the main script runs.
 */
function listLandingAssets(): Plugin {
  return {
    name: 'fanvas:landing-assets',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const needs = (fileName: string, seen = new Set<string>()): Set<string> => {
        const chunk = byName.get(fileName);
        if (!chunk || seen.has(fileName)) return seen;
        seen.add(fileName);
        for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
        for (const imported of chunk.imports) needs(imported, seen);
        return seen;
      };
      const always = needs(chunks.find(({ isEntry }) => isEntry)?.fileName ?? '');
      const assets = Object.entries(LANDING_PAGES).map(([kind, module]) => {
        const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!page) throw new Error(`The build has no chunk for ${module}.`);
        return [kind, [...needs(page.fileName)].filter((file) => !always.has(file)).map((file) => `/${file}`)];
      });
      this.emitFile({
        type: 'asset',
        fileName: 'landing-assets.json',
        source: JSON.stringify(Object.fromEntries(assets)),
      });
    },
  };
}

/**
 * Writes `.br` and `.gz` beside every compressible file once, so that the server only has to pick one.
 * index.html is left out: the server completes it at run time. Watch mode skips the work.
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

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), preloadFonts(), listLandingAssets(), compressAssets()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
