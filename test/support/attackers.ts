import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Addresses of the attackers. Everyone else comes from 127.0.0.1, so the limits of an address do not touch them. */
const HOSTILE_ADDRESS = '127.0.0.2';
const SLOW_ADDRESS = '127.0.0.3';

/** Pause of a sender between two requests, ms: it must keep the app busy, not this process. */
const PAUSE_MS = 50;

const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
const nested = (depth: number): string => `{"p_prompt":${'['.repeat(depth)}${']'.repeat(depth)}}`;

const CALLS = [
  '/rest/v1/rpc/get_gallery_generations_public',
  '/rest/v1/rpc/start_generation_by_jwt',
  '/rest/v1/rpc/get_public_creators',
  '/functions/v1/create-checkout-session',
  '/functions/v1/replicate-api',
  '/webhooks/stripe',
  '/webhooks/clerk',
  '/%ff%fe/constructor?__proto__=1',
] as const;

const BODIES: readonly string[] = [
  keys(90_000),
  keys(1_500),
  keys(100),
  nested(8_000),
  `{"a":[${'0,'.repeat(8_000)}0]}`,
  `{"p_creator_id":"${'a'.repeat(16_000)}"}`,
  '{"__proto__":{"p_prompt":"a"}}',
  '{"path":"constructor"}',
  '{"p_prompt":"',
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
  { 'Stripe-Signature': 't=1,v1=00' },
  { 'svix-id': 'msg_1', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' },
];

export interface AttackCounts {
  /** Hostile bodies that were sent. */
  bodies: number;
  /** Connections that sent their body slowly or nothing at all. */
  slowConnections: number;
  /** Hostile bodies that were answered with 500: a mistake of the app. */
  internalErrors: number;
}

/** Sends hostile bodies and keeps slow connections open until `stop`. A closed connection is opened again. */
export class Attackers {
  readonly counts: AttackCounts = { bodies: 0, slowConnections: 0, internalErrors: 0 };
  private stopping = false;
  private readonly sockets = new Set<Socket>();
  private readonly running: Promise<void>[] = [];

  constructor(private readonly port: number) {}

  /** @param size how many senders, dripping bodies and idle connections */
  start(size: { readonly senders: number; readonly drips: number; readonly idle: number }): void {
    for (let index = 0; index < size.senders; index += 1) this.running.push(this.sendBodies(index));
    for (let index = 0; index < size.drips; index += 1) this.running.push(this.keepOpen(drip));
    for (let index = 0; index < size.idle; index += 1) this.running.push(this.keepOpen(() => undefined));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.running);
  }

  private async sendBodies(start: number): Promise<void> {
    for (let turn = start; !this.stopping; turn += 1) {
      const path = pick(CALLS, turn);
      const body = pick(BODIES, turn * 7 + start);
      const headers = pick(HEADERS, turn * 3);
      if ((await this.send(path, body, headers)) === 500) this.counts.internalErrors += 1;
      this.counts.bodies += 1;
      await delay(PAUSE_MS);
    }
  }

  /** Returns the status; 0 when the connection was cut, which is one way to refuse a body. */
  private send(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    return new Promise((resolve) => {
      const outgoing = request(
        {
          port: this.port,
          host: '127.0.0.1',
          localAddress: HOSTILE_ADDRESS,
          path,
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
        },
        (response) => {
          response.resume();
          response.once('close', () => resolve(response.statusCode ?? 0));
        },
      );
      outgoing.once('error', () => resolve(0));
      outgoing.end(body);
    });
  }

  private async keepOpen(use: (socket: Socket) => void): Promise<void> {
    while (!this.stopping) {
      const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: SLOW_ADDRESS });
      this.sockets.add(socket);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      // A refused or cut connection also closes.
      socket.on('error', () => socket.destroy());
      socket.once('connect', () => {
        this.counts.slowConnections += 1;
        use(socket);
      });
      await closed;
      this.sockets.delete(socket);
      await delay(1_000);
    }
  }
}

/** Announces a body and sends a byte of it now and then. */
function drip(socket: Socket): void {
  socket.write(
    `POST ${CALLS[0]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`,
  );
  const timer = setInterval(() => socket.write(' '), 500);
  socket.once('close', () => clearInterval(timer));
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}
