import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { serverCompiler } from '../../scripts/lib/build.mjs';
import { type ThreadStart } from '../../src/audit/verify/thread-messages.js';
import { freePort } from '../support/app-process.js';

jest.setTimeout(60_000);

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the production build', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-build-'));
    for (const name of ['src', '.swcrc', 'package.json']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const compiler = [join(root, 'node_modules/.bin/swc'), ...serverCompiler(), '--quiet'];
    execFileSync(process.execPath, compiler, { cwd: folder, stdio: 'pipe' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles the server without a file of the sandboxes', () => {
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain(join('server', 'main.js'));
    expect(files.filter((file) => /[\\/]sandbox([\\/]|$)/.test(file))).toEqual([]);
  });

  it('bundles the threads of verifications, which then need three packages and start', async () => {
    const server = join(folder, 'dist/server');
    execFileSync(process.execPath, [join(root, 'scripts/lib/thread-bundle.mjs'), server], { stdio: 'pipe' });
    const bundle = join(server, 'audit/verify/verify-worker.js');
    const chunks = join(server, 'audit/thread');
    const files = [bundle, join(server, 'audit/runs/run-worker.js')];
    const code = [...files, ...readdirSync(chunks).map((file) => join(chunks, file))].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const imports = code.flatMap((text) => [...text.matchAll(/^import (?:.* from )?"([^".][^"]*)";/gm)]);
    const packages = new Set(imports.map(([, name = '']) => name).filter((name) => !isBuiltin(name)));
    expect([...packages].sort()).toEqual(['@eventstore/db-client', 'pg', 'reflect-metadata']);

    const sums = { position: null, openedAt: 0, cumulativeFrom: null };
    const thread = new Worker(bundle, {
      workerData: {
        address: { databaseUrl: 'postgres://nobody@127.0.0.1:1/none', readOnly: true, eventStoreUrl: null },
        scope: {
          ...{ balances: sums, revenue: sums, activity: sums, booksRule: null, leavesDueUntil: null },
          earnings: { key: '', until: 0 },
          ...{ acts: { began: null, acts: [] }, imports: new Map(), sealTimes: [], claimsBegan: null },
        },
        clockOffsetMs: 0,
      } satisfies ThreadStart,
    });
    try {
      // It has loaded everything when it asks the database, which does not exist here.
      await expect(once(thread, 'exit')).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
    } finally {
      await thread.terminate();
    }
  });

  it('stops with one sentence when a provider has no keys', async () => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'dist/server/main.js')], {
      encoding: 'utf8',
      env: { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), STRIPE_SECRET_KEY: 'sk_test_1' },
    });
    expect(stderr.trim()).toBe(
      'This build has no sandboxes, so every provider needs its keys; these have none: Clerk, Replicate.',
    );
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('installs only packages that the server imports', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?!sandbox[\\/]).*(?<!\.spec)\.ts$/.test(file))
      .map((file) => read(join('src', file)))
      .join('\n');
    const idle = Object.keys(dependencies).filter((name) => !new RegExp(`'${name}(/[^']*)?'`).test(sources));
    expect(idle).toEqual([]);
  });

  it('excludes the sandboxes from the image', () => {
    expect(read('.dockerignore').split('\n')).toContain('src/sandbox');
    const [, image = ''] = read('Dockerfile')
      .split(/^FROM .*\n/m)
      .slice(1);
    expect(read('Dockerfile')).toContain('npm run build -- --production');
    expect(image.match(/^COPY .*/gm)).toEqual([
      'COPY --from=build /app/package.json ./',
      'COPY --from=build /app/node_modules ./node_modules',
      'COPY --from=build /app/dist ./dist',
    ]);
  });
});
