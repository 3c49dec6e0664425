import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { checkDatabase, type DatabaseCheck } from './check-database.js';
import { createPool } from './pool.js';

/** Columns and values of an answer; text: the server's error, after its code if it has one; null: no answer. */
type Answer = Readonly<Record<string, string>> | string | null;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The end of a pooler or server that clients speak to. `answer` gets the text and the number of the client. */
async function listening(answer: (text: string, client: number) => Answer): Promise<string> {
  let clients = 0;
  const server = createServer((socket) => serve(socket, (clients += 1), answer)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `postgres://user:hush@127.0.0.1:${(server.address() as AddressInfo).port}/fanvas`;
}

function serve(socket: Socket, client: number, answer: (text: string, client: number) => Answer): void {
  let started = false;
  socket.on('error', () => undefined); // the client is gone
  socket.on('data', (data) => {
    if (!started) {
      started = true;
      const key = Buffer.alloc(8);
      key.writeInt32BE(9_000 + client);
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('K', key), message('Z', 'I')]));
      return;
    }
    if (data[0] !== 'Q'.charCodeAt(0)) return;
    const found = answer(data.toString('utf8', 5, data.length - 1), client);
    if (found !== null) socket.write(Buffer.concat([...bodyOf(found), message('Z', 'I')]));
  });
}

function bodyOf(answer: Exclude<Answer, null>): Buffer[] {
  if (typeof answer === 'string') {
    const [, code = '08P01', words = answer] = /^([0-9A-Z]{5}): (.*)$/.exec(answer) ?? [];
    return [message('E', `SERROR\0C${code}\0M${words}\0\0`)];
  }
  const entries = Object.entries(answer);
  const columns = entries.map(([name]) => {
    const rest = Buffer.alloc(18);
    rest.writeInt32BE(name === 'encoding' ? 25 : 23, 6); // text or int4
    return Buffer.concat([Buffer.from(`${name}\0`), rest]);
  });
  const values = entries.map(([, value]) => Buffer.concat([int32(value.length), Buffer.from(value)]));
  const count = int32(entries.length).subarray(2);
  return [
    ...[message('T', Buffer.concat([count, ...columns])), message('D', Buffer.concat([count, ...values]))],
    message('C', 'SELECT 1\0'),
  ];
}

function message(kind: string, body: Buffer | string): Buffer {
  const content = Buffer.from(body as string);
  return Buffer.concat([Buffer.from(kind), int32(content.length + 4), content]);
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

const SERVER = { version: '180004', encoding: 'UTF8' };

async function problemWith(url: string, check: DatabaseCheck = { connections: 5 }): Promise<string> {
  const pool = createPool(url, { max: 1 });
  try {
    const found = await checkDatabase(pool, url, check).catch((error: unknown) => (error as Error).message);
    return String(found).replace(/127\.0\.0\.1:\d+/, 'HOST');
  } finally {
    await pool.end();
  }
}

describe('checkDatabase', () => {
  it('accepts a server, and a pooler that gives each client a connection of its own', async () => {
    const server = await listening((_text, client) => ({ ...SERVER, pid: String(9_000 + client) }));
    expect(await problemWith(server)).toBe('undefined');
    const pooler = await listening((_text, client) => ({ ...SERVER, pid: String(client) }));
    expect(await problemWith(pooler)).toBe('undefined');
  });

  it('refuses a database that is not in UTF-8, with the command that makes another one', async () => {
    const url = await listening((_text, client) => ({ ...SERVER, encoding: 'LATIN1', pid: String(9_000 + client) }));
    expect(await problemWith(url)).toBe(
      `The database at HOST stores text as LATIN1, which has no emoji; create it with: create database … encoding 'UTF8' template template0.`,
    );
  });

  it('refuses a server that is too old, and one that is not up yet', async () => {
    const old = await listening((_text, client) => ({ ...SERVER, version: '130023', pid: String(9_000 + client) }));
    expect(await problemWith(old)).toBe('The database at HOST is older than Postgres 14; use a newer server.');
    const upgrading = await listening(() => '57P03: the database system is starting up');
    expect(await problemWith(upgrading)).toBe(
      'The database at HOST is starting up or shutting down; check DATABASE_URL.',
    );
  });

  it('shows the words of a server that refuses, and reports no answer only when there is none', async () => {
    const url = await listening(() => 'unsupported startup parameter: x');
    expect(await problemWith(url)).toBe(
      `The database at HOST answered 'unsupported startup parameter: x'; check DATABASE_URL.`,
    );
    expect(await problemWith(await listening(() => 'database "fanvas" does not exist'))).toBe(
      'The database at HOST has no database of that name; check DATABASE_URL.',
    );
    expect(await problemWith(await listening(() => 'SASL authentication failed'))).toBe(
      'The database at HOST refused the user name or password; check DATABASE_URL.',
    );
  });

  it('refuses poolers that give a connection for a transaction or a statement', async () => {
    const sentence =
      'The connection pooler at HOST gives a connection for one transaction or statement only; set its pool_mode to session, or give Fanvas the address of the server itself, too, in DATABASE_DIRECT_URL.';
    // The second client gets the connection that the first one had.
    const same = await listening(() => ({ ...SERVER, pid: '1' }));
    expect(await problemWith(same)).toBe(sentence);
    // The first client gets another one while a transaction of the second has its own.
    let statements = 0;
    const other = await listening(() => ({ ...SERVER, pid: String((statements += 1)) }));
    expect(await problemWith(other)).toBe(sentence);
    const statement = await listening((text, client) =>
      text === 'begin' ? 'transaction blocks not allowed' : { ...SERVER, pid: String(client) },
    );
    expect(await problemWith(statement)).toBe(sentence);
  });

  it('refuses a pooler with fewer connections than a process needs', async () => {
    const url = await listening((_text, client) =>
      client > 3 ? 'no more connections allowed' : { ...SERVER, pid: String(client) },
    );
    expect(await problemWith(url, { connections: 3 })).toBe('undefined');
    const small = await listening((_text, client) =>
      client > 3 ? 'no more connections allowed' : { ...SERVER, pid: String(client) },
    );
    expect(await problemWith(small, { connections: 4 })).toBe(
      `The connection pooler at HOST gives fewer than the 4 connections that a process of Fanvas needs (it answered 'no more connections allowed'); raise its default_pool_size.`,
    );
  });
});
