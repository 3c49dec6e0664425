import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../support/app-process.js';
import { bench, quantile } from './bench.js';

/** Attackers at work at the same time, each sending its next body when the last one is answered. */
const SENDERS = 4;

/** Time between two questions to /healthz (milliseconds). */
const PROBE_EVERY_MS = 10;

/** Address of the attackers; the other client asks from 127.0.0.1. */
const ATTACKER = '127.0.0.2';

const CALL = '/rest/v1/rpc/get_gallery_generations_public';
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

await bench(async ({ databaseUrl, quick, report }) => {
  const port = await freePort();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fanvas-hostile-'));
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' };
  const child = fork(new URL('hostile-app.ts', import.meta.url), [], {
    env: { ...env, SANDBOX_DEMO: 'none', LOG_LEVEL: 'error' },
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The app for the benchmark has ended.')));
  await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined); // It is stopped below.
  const phaseMs = quick ? 100 : 3_000;
  try {
    await slowestAnswer(port, phaseMs); // Lets the compiler do its work.
    const idle = await slowestAnswer(port, phaseMs);
    const show = (name: string, slowest: number): void => {
      const row = { name: `/healthz beyond its idle time: ${name}`, unit: 'ms', target: { atMost: 100 } };
      report({ ...row, measured: Math.max(0, slowest - idle), base: 'idle, slowest, ms', baseMeasured: idle });
    };
    for (const [name, to, body] of BODIES) show(name, await duringBodies(port, to, body, phaseMs));
    const [drips, sockets] = quick ? [3, 20] : [300, 2_000];
    show('300 slow bodies', await duringConnections(port, drips, phaseMs, dripBody));
    show('2,000 idle sockets', await duringConnections(port, sockets, phaseMs, () => undefined));
  } finally {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Asks /healthz for this long and returns the time of the slowest answer (milliseconds). */
async function slowestAnswer(port: number, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const from = performance.now();
    const status = await send(port, { path: '/healthz', agent });
    if (status !== 200) throw new Error(`/healthz answered ${status}.`);
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  agent.destroy();
  return quantile(times, 1);
}

async function duringBodies(port: number, to: string, body: string, ms: number): Promise<number> {
  let attacking = true;
  const sender = async (): Promise<void> => {
    while (attacking) await send(port, { path: to, body, localAddress: ATTACKER });
  };
  const senders = Array.from({ length: SENDERS }, sender);
  try {
    return await slowestAnswer(port, ms);
  } finally {
    attacking = false;
    await Promise.all(senders);
  }
}

async function duringConnections(
  port: number,
  count: number,
  ms: number,
  use: (socket: Socket) => unknown,
): Promise<number> {
  const sockets: Socket[] = [];
  const openOne = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    if (!socket.destroyed) use(socket);
  };
  // A few at a time: the process that asks /healthz must not be the slow one.
  const openAll = async (): Promise<void> => {
    while (sockets.length < count) await Promise.all(Array.from({ length: 20 }, openOne));
  };
  const opened = openAll();
  try {
    return await slowestAnswer(port, ms);
  } finally {
    await opened;
    for (const socket of sockets) socket.destroy();
  }
}

/** Announces a body and sends a byte of it now and then. */
function dripBody(socket: Socket): void {
  socket.write(
    `POST ${CALL} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`,
  );
  const drip = setInterval(() => socket.write(' '), 500);
  socket.on('close', () => clearInterval(drip));
}

interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly agent?: Agent;
  readonly localAddress?: string;
}

/** Returns the status; 0 when the connection was cut, which is one way to refuse a body. */
async function send(port: number, { path: to, body, agent, localAddress }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        ...{ port, host: '127.0.0.1', path: to, method: body === undefined ? 'GET' : 'POST' },
        ...(agent && { agent }),
        ...(localAddress !== undefined && { localAddress }),
        headers: body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode ?? 0));
      },
    );
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}
