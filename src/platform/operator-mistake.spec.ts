import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config/load-config.js';
import { checkDatabase } from './database/check-database.js';
import { createPool } from './database/pool.js';
import { requireFreePort } from './http/free-port.js';
import { printedError } from './operator-mistake.js';

const printedBy = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'no error', printedError);

describe('printedError', () => {
  it('returns one sentence when the port is in use, and when the database does not accept connections', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await printedBy(requireFreePort('127.0.0.1', port))).toBe(
      `Port ${port} is in use: stop the program that uses it, or set PORT to another one.`,
    );
    server.close();
    await once(server, 'close');
    expect(await printedBy(requireFreePort('127.0.0.1', port))).toBe('no error');
    const url = `postgres://u:hush@127.0.0.1:${port}/x`;
    const pool = createPool(url);
    expect(await printedBy(checkDatabase(pool, url))).toBe(
      `The database at 127.0.0.1:${port} does not accept connections; check DATABASE_URL.`,
    );
    await pool.end();
  });

  it('returns one sentence when a setting is wrong', async () => {
    const load = Promise.resolve().then(() => loadConfig({ LOG_LEVEL: 'loud' }, '/'));
    expect(await printedBy(load)).toMatch(/^LOG_LEVEL must be one of .+$/);
  });

  it('returns an unexpected error itself, with its stack', () => {
    const error = new Error('A defect');
    expect(printedError(error)).toBe(error);
    expect(printedError('text')).toBe('text');
  });
});
