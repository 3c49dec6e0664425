import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { CancelGeneration } from '../../src/generation/use-cases/cancel-generation.js';
import { GENERATION_FAULT_POINTS, type GenerationFaultPoint } from '../../src/generation/steps/generation-steps.js';
import { type GenerationRow } from '../../src/generation/tables.js';
import { expectOrder } from '../support/generation-order.js';
import { SimulatedCrash } from '../support/crashing-fault-points.js';
import { GenerationApp } from '../support/generation-app.js';
import { inSoak } from '../support/soak.js';

// Starting Postgres takes long on a loaded machine.
jest.setTimeout(30_000);

let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator();
});
afterAll(() => app.close());

/** The actions of fan and provider. A crash may interrupt them at any point. */
type Scenario = (userId: string) => Promise<void>;

const succeeding: Scenario = async (userId) => {
  const { predictionId } = await app.begin(userId, creatorId);
  await app.succeed(predictionId);
};

const failing: Scenario = async (userId) => {
  const { predictionId } = await app.begin(userId, creatorId);
  await app.fail(predictionId);
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
 * Simulates a new process after a crash. The provider continues and sends its webhooks again. Advances the clock by at
 * most two minutes, until everything has ended.
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

const SCENARIOS = { succeeding, failing, cancelled, refusedByProvider, timingOut, withoutCredits };

/** The generation's fault points that a scenario reaches in a run without a crash. Leaves out those of payments. */
async function pointsOf(scenario: Scenario): Promise<Set<string>> {
  app.faults.restart();
  app.faults.reached.clear();
  await scenario(await app.newUser()).catch(() => undefined);
  await app.worker.idle();
  app.provider.creation = 'accept';
  return new Set([...app.faults.reached].filter((point) => point.startsWith('generation.')));
}

/** Points after which credits or a picture could be lost. `npm run soak` tries every point. */
const COSTLY = ['deduct', 'create', 'store-media', 'complete', 'settle', 'refund'] as const;
const TRIED: readonly GenerationFaultPoint[] =
  inSoak(1, 0) === 1 ? GENERATION_FAULT_POINTS : COSTLY.map((step) => `generation.${step}.after` as const);

/** All scenarios share their beginning, so its points are tested once. */
const BEGINNING = /^generation\.(insert|deduct|create|store-prediction)\./;

describe('crash recovery', () => {
  const seen = new Set<string>();

  it.each(Object.entries(SCENARIOS))(
    'restores credits and images after a crash in a generation that is %s',
    async (_, scenario) => {
      const points = await pointsOf(scenario);
      expect(points.size).toBeGreaterThan(0);
      for (const point of TRIED.filter((each) => points.has(each))) {
        if (BEGINNING.test(point) && seen.has(point)) continue;
        seen.add(point);
        const userId = await app.newUser();
        app.faults.crashAt(point);
        // The fan's answer does not matter here; only the crash must have happened.
        await scenario(userId).catch((error: unknown) => {
          if (!(error instanceof Error)) throw error;
        });
        await app.worker.idle();
        expect({ point, crashed: app.faults.crashed }).toEqual({ point, crashed: true });
        await restart(userId);
        try {
          await expectOrder(app, userId);
        } catch (error) {
          throw new Error(`Inconsistent after a crash at ${point}.`, { cause: error });
        }
        // The fan can start another generation.
        if ((await app.balances(userId)).total >= 10) {
          await succeeding(userId);
          await expectOrder(app, userId);
        }
      }
    },
    120_000,
  );

  it('covers every point that it tries', () => {
    expect([...seen].sort()).toEqual([...TRIED].sort());
  });

  it('refunds the fan whose start crashed, and shows the failure in the generation', async () => {
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

  it('completes an unstored prediction when its webhook arrives in time', async () => {
    const userId = await app.newUser();
    app.faults.crashAt('generation.store-prediction.before');
    await expect(app.begin(userId, creatorId)).rejects.toThrow(SimulatedCrash);
    app.faults.restart();
    await app.pass(10_000);
    await app.succeed(app.provider.ids().at(-1) ?? '');
    expect(await rowsOf(userId)).toMatchObject([{ status: 'completed' }]);
    await expectOrder(app, userId);
  });
});
