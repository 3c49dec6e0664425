import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CrashWorld, type Story } from '../support/crash-run.js';

/** Those where a crash could cost most; `npm run soak` takes them all. */
const POINTS: readonly (readonly [string, Story])[] = [
  ['generation.deduct.after', 'delivered'],
  ['generation.create.after', 'delivered'],
  ['generation.store-media.after', 'delivered'],
  ['generation.settle.before', 'delivered'],
  ['generation.refund.after', 'failed'],
];

jest.setTimeout(180_000);

describe('a process that is killed', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await CrashWorld.create();
  });
  afterAll(() => world?.remove());

  it.each(POINTS)('at %s loses and doubles no credit, and every generation ends', async (point, story) => {
    expect(await world.crashAt(point, story)).toEqual({ died: true, problems: [] });
  });

  it('while five fans are at work loses and doubles no credit', async () => {
    expect(await world.crashAfter(900)).toEqual([]);
  });
});
