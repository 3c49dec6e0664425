import { OperatorMistake } from './operator-mistake.js';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

const ANSWER_MS = 2_000;
/** Ports of connections that programs open begin above these (32768 on Linux). */
const PORTS = { from: 20_000, to: 32_000 } as const;
/** Another program may have the first port. */
const CANDIDATE_PORTS = 3;

/** Which ports the owner of a folder listens on, and how it is recognised. Written once. */
interface Meeting {
  readonly port: number;
  readonly token: string;
}

/** Another process owns the folder. The message is one sentence. */
export class FolderTakenError extends OperatorMistake {
  /** @param address where people reach that process; null when it does not answer */
  constructor(address: string | null) {
    super(
      address === null
        ? 'A process that does not answer uses this data folder: stop it, or set DATA_DIR to another folder.'
        : `Fanvas runs on this data folder already, at ${address}: use that one, or set DATA_DIR to another folder and PORT to another port.`,
    );
  }
}

/**
 * Makes this process the only one that writes to a folder. It listens on a port of the folder: the system gives a port
 * to one process, and takes it back when that process is killed.
 * @param address where people reach this process
 * @returns gives the folder back
 * @throws FolderTakenError while another process owns it
 */
export async function ownFolder(folder: string, address: string): Promise<() => void> {
  const { port, token } = await meetingOf(folder);
  for (let candidate = port; candidate < port + CANDIDATE_PORTS; candidate += 1) {
    const server = await listen(candidate, `${token} ${address}`);
    try {
      // Behind a port of its own, an owner may have a later one, because this one was in use when it started.
      for (let asked = candidate + (server ? 1 : 0); asked < port + CANDIDATE_PORTS; asked += 1)
        await ask(asked, token);
    } catch (error) {
      server?.close();
      throw error;
    }
    if (server) return () => server.close();
  }
  throw new Error(`The ports ${port} to ${port + CANDIDATE_PORTS - 1} are in use by other programs.`);
}

async function meetingOf(folder: string): Promise<Meeting> {
  await mkdir(folder, { recursive: true });
  const { dev, ino } = await stat(folder, { bigint: true });
  // A copy of the folder has another name for it, and may be used at the same time.
  const file = join(folder, `owner-${dev}-${ino}.json`);
  const own: Meeting = { port: randomInt(PORTS.from, PORTS.to), token: randomUUID() };
  const written = join(folder, `${own.token}.json`);
  await writeFile(written, JSON.stringify(own), { mode: 0o600 });
  try {
    await link(written, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(written);
  }
  return JSON.parse(await readFile(file, 'utf8')) as Meeting;
}

/** @returns null when the port is in use */
async function listen(port: number, answer: string): Promise<Server | null> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(answer)).listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return null;
    throw error;
  }
  return server.unref();
}

/** @throws FolderTakenError when an owner of the folder listens there, or a program that does not answer */
async function ask(port: number, token: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' }).setTimeout(ANSWER_MS);
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  try {
    const silent = once(socket, 'timeout').then(() => true);
    const closed = once(socket, 'close').then(() => false);
    if ((await Promise.race([silent, closed])) && answer === '') throw new FolderTakenError(null);
  } catch (error) {
    if (codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ECONNRESET') throw error;
  } finally {
    socket.destroy();
  }
  if (answer.startsWith(`${token} `)) throw new FolderTakenError(answer.slice(token.length + 1));
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
