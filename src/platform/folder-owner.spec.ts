import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderTakenError, ownFolder } from './folder-owner.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fanvas-owner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another program on the port of the folder. */
async function onPortOfFolder(answer: (socket: Socket) => void): Promise<Server> {
  const [file = ''] = readdirSync(folder);
  const { port } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { port: number };
  const server = createServer(answer).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

describe('ownFolder', () => {
  it('refuses a second process with the address of the first, until that one gives the folder back', async () => {
    const release = await ownFolder(folder, 'http://localhost:3000');
    await expect(ownFolder(folder, 'http://localhost:3001')).rejects.toThrow(
      'Fanvas runs on this data folder already, at http://localhost:3000: use that one, or set DATA_DIR to another folder and PORT to another port.',
    );
    release();
    const again = await ownFolder(folder, 'http://localhost:3001');
    again();
  });

  it('gives a copy of the folder to another process', async () => {
    const release = await ownFolder(folder, 'http://localhost:3000');
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    const other = await ownFolder(copy, 'http://localhost:3001');
    other();
    release();
    rmSync(copy, { recursive: true });
  });

  it('gives the folder to one of many that ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => ownFolder(folder, `http://x:${n}`)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of asked) {
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(FolderTakenError);
      else each.value();
    }
  });

  it('starts when another program has its port, and is found there after that program has ended', async () => {
    (await ownFolder(folder, 'x'))();
    const other = await onPortOfFolder((socket) => socket.end('HTTP/1.1 400'));
    const release = await ownFolder(folder, 'http://localhost:3000');
    await expect(ownFolder(folder, 'http://localhost:3001')).rejects.toThrow('http://localhost:3000');
    await closed(other);
    await expect(ownFolder(folder, 'http://localhost:3001')).rejects.toThrow('http://localhost:3000');
    release();
  });

  it('refuses while the first process is stopped and does not answer', async () => {
    (await ownFolder(folder, 'x'))();
    const sockets: Socket[] = [];
    const silent = await onPortOfFolder((socket) => sockets.push(socket));
    await expect(ownFolder(folder, 'x')).rejects.toThrow('A process that does not answer uses this data folder');
    for (const socket of sockets) socket.destroy();
    await closed(silent);
  });
});
