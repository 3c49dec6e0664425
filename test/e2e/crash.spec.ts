import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CrashWorld } from '../support/crash-run.js';
import { seededData } from '../support/seeded-data.js';

// Each start takes half a minute on a machine that is busy with other suites.
jest.setTimeout(480_000);

/** A crash could cost most at these points; `npm run soak` tries every fault point, and random moments under load. */
describe('generation after a crash', () => {
  let world: CrashWorld;
  beforeAll(async () => {
    world = await CrashWorld.create(await seededData());
  });
  afterAll(() => world?.remove());

  it('keeps every credit and picture when a process dies after it stored a picture, one after a deduction, and one while it refunds', async () => {
    const died = [
      await world.crash('generation.store-media.after', 'delivered'),
      await world.crash('generation.deduct.after', 'delivered'),
      await world.crash('generation.refund.after'),
    ];
    expect({ died, problems: await world.recoverAndAudit() }).toEqual({ died: [true, true, true], problems: [] });
  });
});
