import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';
import { seedLedger } from '../support/seed-ledger.js';

jest.setTimeout(3_600_000);

const CLI = fileURLToPath(new URL('../../dist/server/cli/ledger.js', import.meta.url));
/** Number of seeded events. One account has half of them. */
const EVENTS = Number(process.env['SOAK_EVENTS'] ?? '1000000');
/** Heap limit in megabytes. Node needs about 100 more for itself, its code and its buffers; the process may use 500. */
const HEAP_MB = 256;

let database: TestDatabase<never>;

beforeAll(async () => {
  database = await withTestDatabase<never>();
  await seedLedger(asOwner(database), { accounts: Math.ceil(EVENTS / 2 / 12), eventsEach: 12, revenue: true });
  await seedLedger(asOwner(database), { accounts: 1, eventsEach: EVENTS / 2, prefix: 'long', revenue: true });
});
afterAll(() => database.close());

describe('ledger verify', () => {
  it(`verifies ${EVENTS} events with a heap of at most ${HEAP_MB} MB`, async () => {
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, CLI, 'verify'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('No problems found.') });
  });
});
