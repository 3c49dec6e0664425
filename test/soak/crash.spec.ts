import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_FAULT_POINTS } from '../../src/generation/generation-steps.js';
import { CrashWorld, type Story } from '../support/crash-run.js';

/** The story in which a step occurs. The steps that are not listed occur in the story `delivered`. */
const STORIES: Readonly<Record<string, Story>> = {
  drop: 'refused',
  fail: 'cancelled',
  refund: 'failed',
  'cancel-at-provider': 'cancelled',
};

const RANDOM_CRASHES = Number(process.env['SOAK_CRASHES'] ?? '100');
const SEED = Number(process.env['SOAK_SEED'] ?? '20261121');

/** Yields random delays below five seconds, in milliseconds; the same for the same seed (mulberry32). */
function* delays(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    yield ((t ^ (t >>> 14)) >>> 0) % 5_000;
  }
}

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

  const random = delays(SEED);
  it.each(Array.from({ length: RANDOM_CRASHES }, (_, index) => [index + 1, random.next().value as number]))(
    'keeps every credit in crash %i, %i ms after five fans began',
    async (_, ms) => {
      expect(await world.crashAfter(ms)).toEqual([]);
    },
  );
});
