import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CrashWorld, type Story } from '../support/crash-run.js';
import { seededData } from '../support/seeded-data.js';

/** A crash could cost most between the deduction and its end; `npm run soak` tries every fault point. */
const POINTS: readonly (readonly [string, Story])[] = [
  ['generation.deduct.after', 'delivered'],
  ['generation.refund.after', 'failed'],
];

jest.setTimeout(180_000);

describe('generation after a crash', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await CrashWorld.create(await seededData());
  });
  afterAll(() => world?.remove());

  it.each(POINTS)('keeps every credit and ends every generation after a crash at %s', async (point, story) => {
    expect(await world.crashAt(point, story)).toEqual({ died: true, problems: [] });
  });

  it('keeps every credit after a crash while five fans are active', async () => {
    expect(await world.crashAfter(900)).toEqual([]);
  });
});
