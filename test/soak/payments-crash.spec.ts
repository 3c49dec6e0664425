import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PaymentCrashWorld } from '../support/crash-run.js';

jest.setTimeout(300_000);

describe('payment after a crash', () => {
  let world: PaymentCrashWorld;
  // A folder for each crash: a webhook that the processor repeats later would reach the fault point of the next one.
  beforeEach(async () => {
    world = await PaymentCrashWorld.create(await mkdtemp(join(tmpdir(), 'fanvas-crash-')));
  });
  afterEach(() => world?.remove());

  it.each([
    ['payments.store-event.after', ['pay'], 250],
    ['payments.credit.after', ['pay'], 250],
    ['payments.reverse.after', ['pay', 'refund'], 150],
  ] as const)('%s: grants once, and keeps the ledger equal to the processor', async (point, actions, credits) => {
    expect(await world.crash(point, actions)).toBe(true);
    expect(await world.recoverAndAudit(credits)).toEqual([]);
  });
});
