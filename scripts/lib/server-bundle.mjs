/**
 * Bundles the server, its command lines and its threads with their packages into the folder that is the first argument:
 * `main.js`, `cli/ledger.js` and so on, with the modules that they share in `chunks`. One process loads 30 files
 * instead of 3,000. With `--production` the sandboxes are left out. With `--watch` it bundles again after each change,
 * prints a line each time, and goes on after errors. The build runs this (`build.mjs`) in a process of its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from '@swc/core';
import { rolldown, watch } from 'rolldown';
import { root } from './run.mjs';

// With it, SWC adds its own stack trace to each syntax error.
process.env['RUST_BACKTRACE'] = '0';

const [folder, ...flags] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of the bundle.');
const production = flags.includes('--production');

/** Files of `src` that are started or loaded by their path. */
const ENTRIES = [
  'main',
  'cli/doctor',
  'cli/keys',
  'cli/ledger',
  'cli/media',
  'cli/migrate',
  'cli/prices',
  'cli/projections',
  'audit/verify/verify-worker',
  'audit/runs/run-worker',
  'platform/media/encode-process',
  ...(production ? [] : ['sandbox/index', 'sandbox/process']),
];
const EXTERNAL = [
  // One copy for all chunks, which import it first.
  'reflect-metadata',
  // It has a native part.
  'sharp',
  // Optional packages of Nest and pg that are not installed
  /^@nestjs\/(?:microservices|platform-express|websockets)(?:\/|$)/,
  /^@fastify\/(?:multipart|view)$/,
  'pg-native',
  ...(production ? [/\/sandbox\/index\.js$/] : []),
];

/** @type {import('@swc/core').Options & { $schema?: string }} */
const { exclude: _specs, $schema: _schema, ...options } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

/** @type {import('rolldown').InputOptions} */
const input = {
  input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, 'src', `${name}.ts`)])),
  platform: 'node',
  tsconfig: false,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  external: EXTERNAL,
  // Only `reflect-metadata` is imported for its effect. Otherwise a barrel would bring all of its modules to a thread.
  treeshake: { moduleSideEffects: (_id, external) => external },
  onLog(level, log) {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    if (level === 'warn') process.stderr.write(`${log.message}\n`);
  },
  plugins: [
    {
      name: 'swc',
      transform: {
        filter: { id: /[\\/]src[\\/].*\.ts$/ },
        async handler(source, filename) {
          const { code, map = null } = await transform(source, { ...options, swcrc: false, filename });
          return { code, map, moduleType: 'js' };
        },
      },
    },
    {
      // Node reads the maps when it starts: those of packages would take 0.2 s and be three quarters of their size.
      name: 'packages-without-maps',
      transform: { filter: { id: /[\\/]node_modules[\\/]/ }, handler: (code) => ({ code, map: { mappings: '' } }) },
    },
  ],
};

/** @type {import('rolldown').OutputOptions} */
const output = {
  dir: folder,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Nest and the logs use the names of classes.
  keepNames: true,
  // Decorators need it before the first class.
  banner: "import 'reflect-metadata';",
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Its own path counts, so it may not become a part of an entry.
  codeSplitting: { groups: [{ name: 'server-folder', test: /[\\/]src[\\/]platform[\\/]server-folder\.ts$/ }] },
};

/** @param {unknown} error */
const report = (error) => process.stderr.write(`${/** @type {Error} */ (error).message}\n`);

if (flags.includes('--watch')) {
  watch({ ...input, output }).on('event', async (event) => {
    if (event.code === 'ERROR') report(event.error);
    if (event.code === 'BUNDLE_END') process.stdout.write('The server is bundled.\n');
    if ('result' in event) await event.result.close();
  });
} else {
  try {
    await (await rolldown(input)).write(output);
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}
