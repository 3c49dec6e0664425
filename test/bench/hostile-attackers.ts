import { connect, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { type Attack, CALL, send } from './hostile-requests.js';

/** Address of the attackers; the other clients ask from 127.0.0.1. */
const ATTACKER = '127.0.0.2';

const sockets: Socket[] = [];
let stop = new AbortController();
let turn = 0;

/** Begins an attack, or ends it, and answers when it has begun or ended. */
parentPort?.on('message', (attack: Attack | 'stop') => {
  if (attack === 'stop') {
    stop.abort();
    for (const socket of sockets.splice(0)) socket.destroy();
    return;
  }
  stop = new AbortController();
  parentPort?.postMessage('started');
  void run(attack).then(() => parentPort?.postMessage('ended'));
});

async function run(attack: Attack): Promise<void> {
  const { signal } = stop;
  const senders = Array.from({ length: attack.senders ?? 0 }, () => sendRequests(attack, signal));
  await Promise.all([...senders, openSockets(attack, signal)]);
}

async function sendRequests({ port, requests = [] }: Attack, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = requests[(turn += 1) % requests.length];
    if (next) await send(port, { ...next, localAddress: ATTACKER, signal });
  }
}

async function openSockets(attack: Attack, signal: AbortSignal): Promise<void> {
  const { sockets: count = 0 } = attack;
  while (!signal.aborted && sockets.length < count) {
    await Promise.all(Array.from({ length: 20 }, () => openOne(attack, signal)));
  }
}

async function openOne({ port, drips = false }: Attack, signal: AbortSignal): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  if (signal.aborted) socket.destroy();
  else if (drips) dripBody(socket);
}

/** Announces a body and sends a byte of it now and then. */
function dripBody(socket: Socket): void {
  socket.write(
    `POST ${CALL} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`,
  );
  const drip = setInterval(() => socket.write(' '), 500);
  socket.on('close', () => clearInterval(drip));
}
