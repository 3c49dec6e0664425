import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';

/** A proxy between a client and a server that simulates a bad network. */
export interface TcpProxy {
  /** The server's address with the proxy's port. */
  readonly url: string;
  /** Drops the answer to the next request that contains this text, and the connection when the answer begins. */
  loseAnswerTo(text: string): void;
  /** Keeps connections open and passes nothing on, in either direction, until `resume`. */
  stall(): void;
  /** Requests still arrive, but no answer returns until `resume`. */
  stallAnswers(): void;
  /** Passes on what was held back. */
  resume(): void;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Breaks every connection and refuses new ones, until `listen`. */
  fail(): Promise<void>;
  /** Accepts connections again, at the same port. With `target`, forwards to the host and port of that URL. */
  listen(target?: string): Promise<void>;
  /** Resolves when the server next sends an answer that is held back. */
  heldAnswer(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A proxy to the host and port of this URL, on a free loopback port.
 * @param isAnswer whether data of the server contains an answer; by default all of it does
 */
export async function startTcpProxy(
  target: string,
  isAnswer: (chunk: Buffer) => boolean = () => true,
): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  let listener: Server | null = null;
  let ownPort = 0;
  const sockets = new Set<Socket>();
  let losing: string | null = null;
  let holding: 'nothing' | 'answers' | 'both' = 'nothing';
  let held: { readonly to: Socket; readonly chunk: Buffer }[] = [];
  let onHeldAnswer: (() => void)[] = [];
  const pass = (chunk: Buffer, to: Socket, hold: boolean): void => {
    if (hold) held.push({ to, chunk });
    else to.write(chunk);
  };
  const onConnection = (client: Socket): void => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // Broken on purpose.
      socket.on('error', () => socket.destroy());
    }
    let lost = false;
    client.on('data', (chunk) => {
      if (losing !== null && chunk.includes(losing)) {
        losing = null;
        lost = true;
      }
      pass(chunk, upstream, holding === 'both');
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk) => {
      if (lost) {
        if (isAnswer(chunk)) client.destroy();
        return;
      }
      if (holding !== 'nothing') {
        for (const resolve of onHeldAnswer) resolve();
        onHeldAnswer = [];
      }
      pass(chunk, client, holding !== 'nothing');
    });
  };
  const listen = async (to?: string): Promise<void> => {
    if (to !== undefined) ({ hostname, port } = new URL(to));
    listener = createServer(onConnection).listen(ownPort, '127.0.0.1');
    await once(listener, 'listening');
    ownPort = (listener.address() as { port: number }).port;
  };
  await listen();
  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(ownPort);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const fail = async (): Promise<void> => {
    const closed = listener && once(listener, 'close');
    listener?.close();
    listener = null;
    cut();
    await closed;
  };
  return {
    url: url.href,
    loseAnswerTo: (text) => (losing = text),
    stall: () => (holding = 'both'),
    stallAnswers: () => (holding = 'answers'),
    resume: () => {
      holding = 'nothing';
      for (const { to, chunk } of held) to.write(chunk);
      held = [];
    },
    cut,
    heldAnswer: () => new Promise((resolve) => onHeldAnswer.push(resolve)),
    fail,
    listen,
    close: fail,
  };
}
