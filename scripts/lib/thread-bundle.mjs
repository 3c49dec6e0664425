/**
 * Bundles the threads of verifications with the packages that they use, in place, in the folder of the compiled server
 * that is the first argument. Each thread loads all of its modules: 800 take a second of processor time, the
 * bundle takes a fifth of that. The build runs this (`build.mjs`); the threads also run without it.
 */
import { join } from 'node:path';
import { build } from 'vite';

const server = process.argv[2];
if (!server) throw new Error('Name the folder of the compiled server.');
const folder = join(server, 'audit');
const THREADS = ['verify/verify-worker', 'runs/run-worker'];
/** Packages that are loaded as they are: small ones, and one that only EventStoreDB needs. */
const NOT_BUNDLED = ['pg', 'reflect-metadata', '@eventstore/db-client'];

await build({
  configFile: false,
  root: server,
  publicDir: false,
  logLevel: 'error',
  ssr: { noExternal: true, external: NOT_BUNDLED },
  build: {
    ssr: true,
    outDir: folder,
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(THREADS.map((name) => [name, join(folder, `${name}.js`)])),
      // Nest loads its optional packages only when they are used, and the thread uses none of them.
      external: (id) => /^@nestjs\/(?:microservices|websockets|platform-\w+)(?:\/|$)/.test(id),
      // Without this, a barrel of a context would bring all of its modules.
      treeshake: { moduleSideEffects: (_id, external) => external },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'thread/[name]-[hash].js',
        // Decorators need `reflect-metadata` before the first chunk.
        strictExecutionOrder: true,
      },
    },
  },
});
