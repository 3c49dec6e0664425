import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { type Attack, CALL, send } from './hostile-requests.js';

/** Address of the attackers; the other clients ask from 127.0.0.1. */
const ATTACKER = '127.0.0.2';

const { port, senders = 0, requests = [], sockets: count = 0, drips = false } = workerData as Attack;
const sockets: Socket[] = [];
let attacking = true;
let turn = 0;

parentPort?.once('message', () => {
  attacking = false;
  for (const socket of sockets) socket.destroy();
});
parentPort?.postMessage('started');
await Promise.all([...Array.from({ length: senders }, sendRequests), openSockets()]);

async function sendRequests(): Promise<void> {
  while (attacking) {
    const next = requests[(turn += 1) % requests.length];
    if (next) await send(port, { ...next, localAddress: ATTACKER });
  }
}

async function openSockets(): Promise<void> {
  while (attacking && sockets.length < count) await Promise.all(Array.from({ length: 20 }, openOne));
}

async function openOne(): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  if (!attacking) socket.destroy();
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
