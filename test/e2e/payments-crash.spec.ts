import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PaymentCrashWorld } from '../support/crash-run.js';
import { seededData } from '../support/seeded-data.js';

// Each start takes half a minute on a machine that is busy with other suites.
jest.setTimeout(480_000);

/** A crash could cost most at these points; `npm run soak` tries one more. */
describe('payment after a crash', () => {
  let world: PaymentCrashWorld;
  beforeAll(async () => {
    world = await PaymentCrashWorld.create(await seededData());
  });
  afterAll(() => world?.remove());

  it('keeps the ledger equal to the processor when a process dies after it credited a payment, and one after it took credits back', async () => {
    const died = [
      await world.crash('payments.credit.after', ['pay']),
      await world.crash('payments.reverse.after', ['refund'], 250),
    ];
    expect({ died, problems: await world.recoverAndAudit(150) }).toEqual({ died: [true, true], problems: [] });
  });
});
