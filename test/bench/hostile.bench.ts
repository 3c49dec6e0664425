import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { LocalFileStorage } from '../../src/platform/storage/local-file-storage.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, signIn, signUp } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { until } from '../support/until.js';
import { bench, quantile } from './bench.js';
import { startHostileApp } from './hostile-app.js';
import { type Attack, CALL, send, type Sent } from './hostile-requests.js';

/** Attackers at work at the same time, each sending its next request when the last one is answered. */
const SENDERS = 4;

/** Time between two questions to /healthz, and between two reads of a fan (milliseconds). */
const PROBE_EVERY_MS = 10;

/** Time of each attack. The first requests of a minute, which no limit refuses, are a small part of it. */
const PHASE_MS = 6_000;

/** Fans who take turns, so that none exceeds the limit of reads. */
const FANS = 120;
const QUICK_FANS = 2;

/** More than can be asked for in the time of an attack. */
const UNKNOWN = 5_000;

/** More than can be converted in the time of an attack. */
const PICTURES = 100;
const QUICK_PICTURES = 2;

const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

const BODIES: readonly (readonly [name: string, path: string, body: string])[] = [
  ['1 MB of unknown keys', CALL, keys(90_000)],
  ['16 kB of unknown keys', CALL, keys(1_500)],
  ['100 unknown keys', CALL, keys(100)],
  ['8,000 nested lists', CALL, `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`],
  ['a list of 8,000', CALL, `{"a":[${'0,'.repeat(8_000)}0]}`],
  ['a 16 kB string', CALL, `{"p_creator_id":"${'a'.repeat(16_000)}"}`],
  ['250 kB to a webhook', '/webhooks/stripe', keys(24_000)],
];

/** The times of the answers to people who attack nothing (milliseconds). */
interface Answers {
  readonly health: readonly number[];
  readonly reads: readonly number[];
}

await bench(async ({ databaseUrl, quick, report }) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fanvas-hostile-'));
  const address = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' };
  const settings = { ...process.env, ...address, SANDBOX_DEMO: 'none', LOG_LEVEL: 'fatal' };
  // This process has loaded the app already, and the figures of a smoke test mean nothing.
  const { creatorId, stop } = await (quick ? startHostileApp(settings, 2) : startProcess(settings));
  const attackers = new Worker(new URL('hostile-attackers.ts', import.meta.url));
  const phaseMs = quick ? 20 : PHASE_MS;
  try {
    const fans: ApiUser[] = [];
    while (fans.length < (quick ? QUICK_FANS : FANS))
      fans.push(await signUp(url, `fan-${fans.length}@example.com`, DEMO_PASSWORD));
    const attacker = await signUp(url, 'attacker@example.com', DEMO_PASSWORD);
    const answers = (): Promise<Answers> => answersToOthers(port, fans, phaseMs);
    if (!quick) await answers(); // Lets the compiler do its work.
    const idle = await answers();
    const idleHealth = quantile(idle.health, 0.99);
    const idleRead = quantile(idle.reads, 0.95);
    const show = ({ health, reads }: Answers, name: string): void => {
      report({
        name: `/healthz beyond its idle time: ${name}`,
        unit: 'ms',
        target: { atMost: 100 },
        measured: Math.max(0, quantile(health, 0.99) - idleHealth),
        base: 'idle, 99 % of the answers, ms',
        baseMeasured: idleHealth,
      });
      const measured = quantile(reads, 0.95);
      report({
        name: `a fan reads: ${name}`,
        unit: 'ms',
        target: { atMost: 2 },
        measured,
        ratio: measured / idleRead,
        base: 'idle, 95 % of the reads, ms',
        baseMeasured: idleRead,
      });
    };
    const attack = async (name: string, how: Omit<Attack, 'port'>): Promise<void> =>
      show(await during(attackers, { port, ...how }, answers), name);
    const requests = (name: string, senders: number, ...list: Sent[]): Promise<void> =>
      attack(name, { requests: list, senders: quick ? 2 : senders });
    const asAttacker = async (): Promise<{ token: string }> => ({ token: await attacker.token() });

    // The server holds each refused body for a while.
    const bodies = quick ? BODIES.slice(-1) : BODIES;
    for (const [name, to, body] of bodies) await requests(name, SENDERS, { path: to, body });
    const start = async (prompt: string): Promise<Sent> => ({
      path: '/rest/v1/rpc/start_generation_by_jwt',
      body: JSON.stringify({ p_creator_id: creatorId, p_prompt: prompt }),
      ...(await asAttacker()),
    });
    await requests('1,000 ligatures as a prompt', SENDERS, await start('\uFDFA'.repeat(1_000)));
    await requests('a prompt against 100 blocked words', SENDERS, await start('ab '.repeat(330)));
    const lines = { path: '/rest/v1/rpc/record_transfers', body: keys(350_000), ...(await asAttacker()) };
    await requests('4 MB to a call of finance', SENDERS, lines);
    await requests('the home page', SENDERS, { path: '/' });
    await requests('unknown addresses', SENDERS, ...pathsOf(UNKNOWN, (index) => `/no-such-name-${index}`));
    const pictures = quick ? QUICK_PICTURES : PICTURES;
    await storePictures(path.join(dataDir, 'media'), pictures);
    const files = pathsOf(pictures, (index) => `/media/${folderOf(index)}/1024.png`);
    await requests('120 connections for PNG files', 120, ...files);
    const decision = await openCase(url, fans[0] ?? attacker, attacker, creatorId);
    await requests('20 decisions of one case at once', 20, decision);
    await attack('300 slow bodies', { sockets: quick ? 3 : 300, drips: true });
    await attack('2,000 idle sockets', { sockets: quick ? 20 : 2_000 });
  } finally {
    await attackers.terminate();
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Runs the app in a process of its own. */
async function startProcess(settings: NodeJS.ProcessEnv): ReturnType<typeof startHostileApp> {
  const child = fork(new URL('hostile-app-process.ts', import.meta.url), [], { env: settings });
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('The app for the benchmark has ended.')));
  const [creatorId] = (await Promise.race([once(child, 'message'), failed])) as [string];
  failed.catch(() => undefined); // `stop` ends it.
  const stop = async (): Promise<void> => {
    child.disconnect();
    await exited;
  };
  return { creatorId, stop };
}

/** Asks /healthz and reads as a fan for this long. */
async function answersToOthers(port: number, fans: readonly ApiUser[], ms: number): Promise<Answers> {
  const tokens = await Promise.all(fans.map(async (fan) => fan.token()));
  let turn = 0;
  const [health, reads] = await Promise.all([
    answerTimes(port, ms, () => ({ path: '/healthz' })),
    answerTimes(port, ms, () => ({
      path: '/rest/v1/rpc/has_active_pending_generation_jwt',
      body: '{}',
      token: tokens[(turn += 1) % tokens.length] ?? '',
    })),
  ]);
  return { health, reads };
}

/** Sends one request after the other for this long. */
async function answerTimes(port: number, ms: number, next: () => Sent): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const from = performance.now();
    const sent = next();
    const status = await send(port, { ...sent, agent });
    if (status !== 200) throw new Error(`${sent.path} answered ${status}.`);
    times.push(performance.now() - from);
    await delay(PROBE_EVERY_MS);
  }
  agent.destroy();
  return times;
}

/** Measures while an attack runs in the thread `attackers`: its work must not delay what is measured. */
async function during(attackers: Worker, attack: Attack, measure: () => Promise<Answers>): Promise<Answers> {
  attackers.postMessage(attack);
  await once(attackers, 'message');
  try {
    return await measure();
  } finally {
    const ended = once(attackers, 'message');
    attackers.postMessage('stop');
    await ended;
  }
}

function pathsOf(count: number, pathOf: (index: number) => string): Sent[] {
  return Array.from({ length: count }, (_, index) => ({ path: pathOf(index) }));
}

function folderOf(index: number): string {
  return `picture-for-downloads-${index}`;
}

/** One grainy picture, stored under many names. */
async function storePictures(mediaDir: string, count: number): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = sharp({ create: { width: 1024, height: 1280, channels: 3, background: '#777', noise } });
  const bytes = await picture.webp().toBuffer();
  const storage = new LocalFileStorage(mediaDir);
  for (let index = 0; index < count; index += 1) await storage.put(`${folderOf(index)}/1024.webp`, bytes, '');
}

/** Lets `fan` make a picture and `reporter` report it. Returns an admin's decision of the case. */
async function openCase(url: string, fan: ApiUser, reporter: ApiUser, creatorId: string): Promise<Sent> {
  const prompt = { p_creator_id: creatorId, p_prompt: 'a lighthouse in fog' };
  const { body: started } = await fan.rpc<{ generation_id: string }>('start_generation_by_jwt', prompt);
  const id = started.generation_id;
  const isMade = async (): Promise<boolean> =>
    (await fan.rpc<{ status: string }>('get_generation_by_id', { p_generation_id: id })).body.status === 'completed';
  await until(isMade, 'the picture', 60_000, 500);
  await reporter.rpc('report_generation', { p_generation_id: id, p_reason: 'other' });
  const admin = await signIn(url, 'admin@fanvas.test', DEMO_PASSWORD);
  const decision = { p_kind: 'report', p_id: id, p_decision: 'keep' };
  const { status } = await admin.rpc('get_moderation_case', decision);
  if (status !== 200) throw new Error(`The case was answered with ${status}.`);
  return { path: '/rest/v1/rpc/decide_moderation_case', body: JSON.stringify(decision), token: await admin.token() };
}
