import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { CancelGeneration } from '../../src/generation/use-cases/cancel-generation.js';
import { GENERATION_FAULT_POINTS, type GenerationFaultPoint } from '../../src/generation/generation-steps.js';
import { type GenerationRow } from '../../src/generation/tables.js';
import { SimulatedCrash } from '../support/crashing-fault-points.js';
import { GenerationApp } from '../support/generation-app.js';

// A loaded machine takes its time to start Postgres.
jest.setTimeout(30_000);

let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator();
});
afterAll(() => app.close());

/** What the fan and the provider do; a crash may interrupt it anywhere. */
type Scenario = (userId: string) => Promise<void>;

const succeeding: Scenario = async (userId) => {
  const { predictionId } = await app.begin(userId, creatorId);
  await succeed(predictionId ?? '');
};

async function succeed(predictionId: string): Promise<void> {
  app.provider.move(predictionId, { status: 'succeeded', output: [app.outputs.url] });
  await app.webhook(predictionId);
}

const failing: Scenario = async (userId) => {
  const { predictionId } = await app.begin(userId, creatorId);
  app.provider.move(predictionId ?? '', { status: 'failed', error: 'Prediction interrupted' });
  await app.webhook(predictionId ?? '');
};

const cancelled: Scenario = async (userId) => {
  const { generationId } = await app.begin(userId, creatorId);
  app.clock.advance(3_000);
  await app.commands.execute(new CancelGeneration({ userId, target: { generationId } }));
  await app.worker.idle();
};

const refusedByProvider: Scenario = async (userId) => {
  app.provider.creation = 'refuse';
  await app.begin(userId, creatorId);
};

const timingOut: Scenario = async (userId) => {
  await app.begin(userId, creatorId);
  await app.pass(GENERATION_TIMEOUT_MS + 60_000, 60_000);
};

const withoutCredits: Scenario = async (userId) => {
  for (let count = 0; count < 4; count += 1) await succeeding(userId);
};

/**
 * The process is gone; a new one starts, the provider draws on and sends its webhooks again, and time goes by: two
 * minutes at most until everything is at its end.
 */
async function restart(userId: string): Promise<void> {
  await app.worker.idle();
  app.faults.restart();
  app.provider.creation = 'accept';
  for (let round = 0; round < 12; round += 1) {
    const open = (await rowsOf(userId)).filter((row) => row.credits_closed_at === null || row.provider_cancel_due);
    if (open.length === 0) return;
    for (const { prediction_id: predictionId } of open) {
      if (predictionId === null) continue;
      const { status } = await app.provider.get(predictionId);
      if (status === 'starting') app.provider.move(predictionId, { status: 'succeeded', output: app.outputs.url });
      await app.webhook(predictionId);
    }
    await app.pass(10_000);
  }
}

async function rowsOf(userId: string): Promise<GenerationRow[]> {
  return app.db.selectFrom('generation').selectAll().where('user_id', '=', userId).execute();
}

/** Every generation is at its end, its deduction has the matching end, and the balance is what that makes. */
async function expectOrder(userId: string): Promise<void> {
  const rows = await rowsOf(userId);
  for (const row of rows) {
    expect(row.credits_closed_at).not.toBeNull();
    const { state } = await app.deduction(userId, row.id);
    if (row.status === 'completed') {
      expect(state).toBe('settled');
      expect(row.image).not.toBeNull();
    } else {
      expect(row.status).toBe('failed');
      expect(['refunded', 'voided']).toContain(state);
      expect(row.refunded).toBe(state === 'refunded');
      expect(row.provider_cancel_due && row.prediction_id !== null).toBe(false);
    }
  }
  const delivered = rows.filter((row) => row.status === 'completed').length;
  expect((await app.balances(userId)).total).toBe(30 - 10 * delivered);
  const ledger = await app.ledger(userId);
  const count = (type: string): number => ledger.filter((each) => each === type).length;
  expect(count('CreditsDeducted')).toBe(count('DeductionSettled') + count('CreditsRefunded'));
}

const SCENARIOS = { succeeding, failing, cancelled, refusedByProvider, timingOut, withoutCredits };

/** The points that each scenario comes by, found by running it without a crash. */
async function pointsOf(scenario: Scenario): Promise<Set<string>> {
  app.faults.restart();
  app.faults.reached.clear();
  await scenario(await app.newUser()).catch(() => undefined);
  await app.worker.idle();
  app.provider.creation = 'accept';
  return new Set(app.faults.reached);
}

/** Every scenario begins the same; its beginning is tried once. */
const BEGINNING = /^generation\.(insert|deduct|create|store-prediction)\./;

describe('after a crash', () => {
  const seen = new Set<string>();

  it.each(Object.entries(SCENARIOS))(
    'at any point of a generation that is %s, credits and pictures are in order again',
    async (_, scenario) => {
      const points = await pointsOf(scenario);
      expect(points.size).toBeGreaterThan(0);
      for (const point of points) {
        if (BEGINNING.test(point) && seen.has(point)) continue;
        seen.add(point);
        const userId = await app.newUser();
        app.faults.crashAt(point as GenerationFaultPoint);
        // What the fan saw of it is another matter; only the crash itself must have happened.
        await scenario(userId).catch((error: unknown) => {
          if (!(error instanceof Error)) throw error;
        });
        await app.worker.idle();
        expect({ point, crashed: app.faults.crashed }).toEqual({ point, crashed: true });
        await restart(userId);
        try {
          await expectOrder(userId);
        } catch (error) {
          throw new Error(`Not in order after a crash at ${point}.`, { cause: error });
        }
        // And the fan can go on.
        if ((await app.balances(userId)).total >= 10) {
          await succeeding(userId);
          await expectOrder(userId);
        }
      }
    },
    120_000,
  );

  it('every named point was tried', () => {
    expect([...seen].sort()).toEqual([...GENERATION_FAULT_POINTS].sort());
  });

  it('the fan whose request died has not paid, and is told so by the generation', async () => {
    const userId = await app.newUser();
    app.faults.crashAt('generation.deduct.after');
    await expect(app.begin(userId, creatorId)).rejects.toThrow(SimulatedCrash);
    expect((await app.balances(userId)).total).toBe(20);
    app.faults.restart();
    await app.pass(60_000);
    expect((await app.balances(userId)).total).toBe(30);
    expect(await rowsOf(userId)).toMatchObject([
      {
        status: 'failed',
        error_message: 'Generation failed: No prediction ID assigned (server error)',
        refund_reason: 'server_error',
        refunded: true,
      },
    ]);
  });

  it('a prediction that nobody wrote down still becomes the picture when its webhook comes in time', async () => {
    const userId = await app.newUser();
    app.faults.crashAt('generation.store-prediction.before');
    await expect(app.begin(userId, creatorId)).rejects.toThrow(SimulatedCrash);
    app.faults.restart();
    await app.pass(10_000);
    await succeed(app.provider.ids().at(-1) ?? '');
    expect(await rowsOf(userId)).toMatchObject([{ status: 'completed' }]);
    await expectOrder(userId);
  });
});
