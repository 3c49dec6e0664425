import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_FAULT_POINTS } from '../../src/generation/steps/generation-steps.js';
import { CrashWorld, type Story } from '../support/crash-run.js';
import { seededRandom } from '../support/random.js';

/** The story in which a step occurs. The steps that are not listed occur in the story `delivered`. */
const STORIES: Readonly<Record<string, Story>> = {
  drop: 'refused',
  fail: 'cancelled',
  refund: 'failed',
  'cancel-at-provider': 'cancelled',
};

const RANDOM_CRASHES = Number(process.env['SOAK_CRASHES'] ?? '100');
/** A random crash happens before this age of the process, ms. */
const LATEST_CRASH_MS = 5_000;
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

jest.setTimeout(300_000);

describe('generation after a crash', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await CrashWorld.create(await mkdtemp(join(tmpdir(), 'fanvas-crash-')));
  });
  afterAll(() => world?.remove());

  it.each(GENERATION_FAULT_POINTS)(
    'keeps every credit and ends every generation after a crash at %s',
    async (point) => {
      const step = point.split('.')[1] ?? '';
      expect(await world.crashAt(point, STORIES[step] ?? 'delivered')).toEqual({ died: true, problems: [] });
    },
  );

  const random = seededRandom(SEED);
  it.each(Array.from({ length: RANDOM_CRASHES }, (_, index) => [index + 1, Math.floor(random() * LATEST_CRASH_MS)]))(
    'keeps every credit in crash %i, %i ms after five fans began',
    async (_, ms) => {
      expect(await world.crashAfter(ms)).toEqual([]);
    },
  );
});
