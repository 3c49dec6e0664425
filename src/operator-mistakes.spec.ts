import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { OPERATOR_MISTAKES, printedError } from './operator-mistakes.js';
import { loadConfig } from './platform/config/load-config.js';
import { checkDatabase } from './platform/database/check-database.js';
import { createPool } from './platform/database/pool.js';
import { requireFreePort } from './platform/http/free-port.js';

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

  it('knows the errors of keys, the event store, the embedded database and its rights', () => {
    expect(OPERATOR_MISTAKES.map(({ name }) => name).sort()).toEqual([
      'ClaimKeyError',
      'ConfigError',
      'DataFolderError',
      'DatabaseUnavailableError',
      'EmbeddedPostgresError',
      'EventStoreSettingError',
      'FolderTakenError',
      'KeyError',
      'NewerDatabaseError',
      'NotMigratedError',
      'NotOwnerError',
      'PastBusyError',
      'PortTakenError',
      'RightsError',
      'SigningKeyError',
    ]);
    for (const kind of OPERATOR_MISTAKES) {
      const mistake: unknown = Object.assign(Object.create(kind.prototype as object), { message: 'Check it.' });
      expect(printedError(mistake)).toBe('Check it.');
    }
  });

  it('returns an unexpected error itself, with its stack', () => {
    const error = new Error('A defect');
    expect(printedError(error)).toBe(error);
    expect(printedError('text')).toBe('text');
  });
});
