import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { userOf } from '../../src/platform/database/pool.js';
import { rpc } from '../support/api-client.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';
import { createImage, startWithCreator } from '../support/running-app.js';

jest.setTimeout(60_000);

/** The default of DATABASE_CONNECTIONS. */
const CONNECTIONS = 12;

describe('connections of a process', () => {
  let database: TestDatabase<unknown>;
  const limitTo = (connections: number): Promise<unknown> =>
    asOwner(database).query(`alter role ${userOf(database.url)} connection limit ${connections}`);

  beforeAll(async () => {
    database = await withTestDatabase();
    // The app of the test is the only user of this role.
    await database.pool.end();
    await limitTo(CONNECTIONS);
  });
  afterAll(async () => {
    await limitTo(-1);
    await database.close();
  });

  it('starts, projects events and answers many requests at once with twelve of them', async () => {
    const app = await startWithCreator({ DATABASE_URL: database.url });
    try {
      const many = Array.from({ length: 80 }, async () => (await rpc(app.url, 'get_public_creators')).status);
      await createImage(app.url, 'twelve');
      expect(new Set(await Promise.all(many))).toEqual(new Set([200]));
    } finally {
      await app.stop();
    }
  });
});
