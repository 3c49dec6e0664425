import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { commandsOf, type PageCommands } from '../../scripts/lib/page-commands.mjs';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { attempt, command, SteadyRequests } from '../support/compose.js';
import { addFirstCreator } from '../support/first-creator.js';
import { draw, generationsOf, stateOf, untilDrawn } from '../support/main-job.js';
import { until } from '../support/until.js';

jest.setTimeout(1_800_000);

const PAGE = fileURLToPath(new URL('../../docs/deploy.md', import.meta.url));
/** Sections that are read at another time than the first installation. */
const LATER = ['Update', 'Backup', 'Restore', 'The end of a trial'];
/** The commit that is the update has this file. */
const UPDATE_MARK = 'update-of-the-test.txt';
const URL_OF_TRIAL = 'https://localhost';
const FAN = 'fan@machine.test';
const PASSWORD = 'correct-horse-9';
const START_MS = 180_000;

const machine = process.env['MACHINE'] ?? '';
const repository = process.env['REPOSITORY'] ?? '';
let page: readonly PageCommands[];

/** Runs commands on the machine as root, as an operator does. @returns their output */
async function onMachine(text: string): Promise<string> {
  return (await command('docker', ['exec', '--workdir=/root', machine, 'bash', '-euo', 'pipefail', '-c', text])).trim();
}

/** @throws an error that names the line of the page whose commands failed */
async function runCommands(commands: readonly PageCommands[]): Promise<void> {
  expect(commands.length).toBeGreaterThan(0);
  for (const { line, section, text } of commands) {
    const begin = performance.now();
    await onMachine(text).catch((error: unknown) => {
      throw new Error(`docs/deploy.md, line ${line} (${section}): ${String((error as Error).message)}`);
    });
    process.stdout.write(`Line ${line} (${section}): ${((performance.now() - begin) / 1_000).toFixed(0)} s\n`);
  }
}

/** Waits until all processes answer, and the proxy. */
async function untilReady(): Promise<void> {
  const addresses = [3001, 3002, 3003].map((port) => `http://127.0.0.1:${port}/readyz`);
  const answers = async (address: string): Promise<boolean> =>
    fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
  const allAnswer = async (): Promise<boolean> =>
    (await Promise.all([...addresses, `${URL_OF_TRIAL}/readyz`].map(answers))).every(Boolean);
  await until(allAnswer, 'the processes', START_MS, 1_000);
}

const pidOf = (name: string): Promise<string> => onMachine(`systemctl show --property=MainPID --value fanvas@${name}`);

/** All processes are ready, and their programs find nothing wrong. */
async function expectSound(): Promise<void> {
  await untilReady();
  expect(await onMachine('fanvas ledger verify')).toContain('No problems');
  expect(await onMachine('fanvas doctor')).not.toMatch(/^(PROBLEM|note)/m);
}

/** Names of the pictures in the bucket, without the files of the ledger. */
async function objects(): Promise<string[]> {
  const lines = await onMachine('s3cmd --config=/etc/fanvas/s3cfg ls --recursive s3://fanvas/media/');
  const names = [...lines.matchAll(/s3:\/\/fanvas\/media\/(\S+)$/gm)].map(([, name = '']) => name);
  return names.filter((name) => !name.startsWith('ledger/'));
}

async function statusOfPicture(address: string): Promise<number> {
  const response = await fetch(new URL(address, URL_OF_TRIAL));
  await response.arrayBuffer();
  return response.status;
}

beforeAll(async () => {
  if (!machine) throw new Error('Run npm run test:deploy.');
  page = commandsOf(await readFile(PAGE, 'utf8'));
  await until(
    async () =>
      (await attempt('docker', ['exec', machine, 'systemctl', 'is-system-running'])).output.trim() === 'running',
    'the boot',
    60_000,
    500,
  );
  // The repository of the page is this checkout.
  await onMachine(
    `printf '[url "/fanvas.git"]\\n\\tinsteadOf = https://code.fanvas.example/fanvas.git\\n[safe]\\n\\tdirectory = *\\n' > /etc/gitconfig`,
  );
});

describe('an installation by the commands of docs/deploy.md', () => {
  it('begins on an empty machine, and ends with a doctor who finds nothing wrong', async () => {
    await runCommands(page.filter(({ section }) => !LATER.includes(section)));
    await expectSound();
  });

  it('redirects to the certificate, and shows no port of a trial to other machines', async () => {
    const plain = await fetch('http://localhost/explore?x=1', { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://localhost/explore?x=1']);
    const listening = await onMachine(`ss --tcp --listening --numeric --no-header | awk '{ print $4 }'`);
    const addresses = listening.split('\n');
    expect(addresses).toEqual(expect.arrayContaining(['127.0.0.1:443', '127.0.0.1:80']));
    const open = addresses.filter((address) => !/^(127\.\d+\.\d+\.\d+|\[::1\])(%lo)?:/.test(address));
    expect(open).toEqual([]);
  });

  it('draws an image of a first creator, whose picture is in the bucket until it is deleted', async () => {
    await addFirstCreator(URL_OF_TRIAL);
    const fan = await signUp(URL_OF_TRIAL, FAN, PASSWORD);
    await draw(fan, URL_OF_TRIAL);
    await untilDrawn(fan);
    const [kept] = await generationsOf(fan, URL_OF_TRIAL);
    const before = await objects();
    await draw(fan, URL_OF_TRIAL);
    await untilDrawn(fan);
    const deleted = (await generationsOf(fan, URL_OF_TRIAL)).find(({ id }) => id !== kept?.id);
    expect([kept?.status, deleted?.status]).toEqual(['completed', 'completed']);
    expect(await statusOfPicture(deleted?.image_url ?? '')).toBe(200);
    expect((await objects()).length).toBeGreaterThan(before.length);

    const { status } = await fan.rpc('delete_generation_by_jwt', { p_generation_id: deleted?.id });
    expect(status).toBe(200);
    expect(await statusOfPicture(deleted?.image_url ?? '')).toBe(404);
    expect(await statusOfPicture(kept?.image_url ?? '')).toBe(200);
    await until(async () => (await objects()).length === before.length, 'the end of the objects', 60_000, 2_000);
  });

  it('answers when a process is killed, and starts it again', async () => {
    const fan = await signUp(URL_OF_TRIAL, 'kill@machine.test', PASSWORD);
    await draw(fan, URL_OF_TRIAL);
    for (const name of ['web1', 'worker']) {
      const pid = await pidOf(name);
      await onMachine(`kill -9 ${pid}`);
      const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(URL_OF_TRIAL)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      await until(async () => !['0', pid].includes(await pidOf(name)), 'the restart', 60_000, 500);
    }
    await untilDrawn(fan);
    expect(await generationsOf(fan, URL_OF_TRIAL)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ status: 'failed' })]),
    );
    await expectSound();
  });

  it('answers every request during the update of the page', async () => {
    const before = await onMachine('readlink /opt/fanvas/current');
    await commitUpdate();
    const requests = new SteadyRequests(URL_OF_TRIAL, ['/healthz', '/favicon.svg', '/healthz', '/favicon.svg']);
    await runCommands(page.filter(({ section }) => section === 'Update'));
    await requests.end();
    process.stdout.write(
      `Update: ${requests.answered} requests, ${requests.failed} failed, the slowest took ${requests.slowestMs.toFixed(0)} ms.\n`,
    );
    expect([...requests.failures]).toEqual([]);
    expect(requests.answered).toBeGreaterThan(100);
    const after = await onMachine('readlink /opt/fanvas/current');
    expect(after).not.toBe(before);
    for (const name of ['web1', 'web2', 'worker']) {
      expect(await onMachine(`readlink /proc/${await pidOf(name)}/cwd`)).toBe(after);
    }
    await expectSound();
  });

  it('saves the database and the bucket by its timer', async () => {
    await runCommands(page.filter(({ section }) => section === 'Backup'));
    expect(await onMachine('pg_restore --list /var/backups/fanvas/*/database.dump')).toContain(
      'TABLE DATA public event ',
    );
    const saved = Number(
      await onMachine("find /var/backups/fanvas/*/bucket/media -type f -not -path '*/ledger/*' | wc -l"),
    );
    expect(saved).toBe((await objects()).length);
    await onMachine('systemctl start fanvas-backup.service');
    const links = await onMachine(
      "find /var/backups/fanvas/*/bucket/media -type f -not -path '*/ledger/*' -links 2 | wc -l",
    );
    expect(Number(links)).toBe(2 * saved);
  });

  it('restores the database and the bucket from that backup', async () => {
    const fan = await signIn(URL_OF_TRIAL, FAN, PASSWORD);
    const saved = await stateOf(fan, URL_OF_TRIAL);
    const [first] = await objects();
    await draw(fan, URL_OF_TRIAL);
    await untilDrawn(fan);
    expect(await stateOf(fan, URL_OF_TRIAL)).not.toEqual(saved);
    await onMachine(`s3cmd --config=/etc/fanvas/s3cfg del s3://fanvas/media/${first}`);

    const locale = 'select encoding, datcollate, datctype from pg_database where datname = current_database()';
    const localeOf = (): Promise<string> => onMachine(`runuser -u postgres -- psql -At fanvas -c "${locale}"`);
    const localeBefore = await localeOf();
    await runCommands(page.filter(({ section }) => section === 'Restore'));
    expect(await localeOf()).toBe(localeBefore);
    const same = await signIn(URL_OF_TRIAL, FAN, PASSWORD);
    expect(await stateOf(same, URL_OF_TRIAL)).toEqual(saved);
    const pictures = (await generationsOf(same, URL_OF_TRIAL)).flatMap(({ image_url: address }) => address || []);
    expect(pictures.length).toBeGreaterThan(0);
    for (const address of pictures) expect(await statusOfPicture(address)).toBe(200);
    expect(await objects()).toContain(first);
    await expectSound();
  });

  it('comes back by itself when the machine is restarted', async () => {
    const fan = await signIn(URL_OF_TRIAL, FAN, PASSWORD);
    const before = await stateOf(fan, URL_OF_TRIAL);
    await command('docker', ['restart', '--time=60', machine]);
    await untilReady();
    const same: ApiUser = await signIn(URL_OF_TRIAL, FAN, PASSWORD);
    expect(await stateOf(same, URL_OF_TRIAL)).toEqual(before);
    const [generation] = await generationsOf(same, URL_OF_TRIAL);
    expect(await statusOfPicture(generation?.image_url ?? '')).toBe(200);
    await expectSound();
  });

  it('leaves an empty installation without sandboxes at the end of the trial', async () => {
    await runCommands(page.filter(({ section }) => section === 'The end of a trial'));
    expect(await onMachine('cat /etc/fanvas/fanvas.env')).not.toMatch(/SANDBOXES_URL|ALLOW_TEST_KEYS|localhost/);
    await expect(fetch('http://127.0.0.1:3100')).rejects.toThrow('fetch failed');
    expect(await objects()).toEqual([]);
    const tables = "select count(*) from pg_tables where schemaname = 'public'";
    expect(await onMachine(`runuser -u postgres -- psql -At fanvas -c "${tables}"`)).toBe('0');
    // The settings lack nothing but these.
    const { output } = await attempt('docker', ['exec', machine, 'fanvas', 'migrate']);
    expect(output).toContain('every provider needs its keys');
  });
});

/** Adds a commit to the repository of the page. */
async function commitUpdate(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fanvas-update-'));
  const git = (...args: string[]): Promise<string> =>
    command('git', ['-c', 'user.name=Test', '-c', 'user.email=test@fanvas.test', ...args], { folder });
  try {
    await git('clone', '--quiet', '--depth=1', `file://${repository}`, '.');
    await writeFile(join(folder, UPDATE_MARK), 'The update.\n');
    await git('add', UPDATE_MARK);
    await git('commit', '--quiet', '--no-verify', '--message=Update');
    await git('push', '--quiet');
  } finally {
    await rm(folder, { recursive: true });
  }
}
