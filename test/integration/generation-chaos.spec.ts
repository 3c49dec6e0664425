import { afterAll, beforeAll, describe, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { CancelGeneration } from '../../src/generation/use-cases/cancel-generation.js';
import { GENERATION_FAULT_POINTS } from '../../src/generation/steps/generation-steps.js';
import { type PredictionStatus } from '../../src/generation/providers/image-provider.js';
import { expectOrder } from '../support/generation-order.js';
import { type CreateBehaviour, type Delivery } from '../support/fake-image-provider.js';
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

const user = fc.nat(1);
const index = fc.nat(5);

/** Events that may happen in any order and at any time. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('start' as const), user }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cancel' as const), user }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('provider moves' as const),
      index,
      status: fc.constantFrom<PredictionStatus>('processing', 'succeeded', 'succeeded', 'failed', 'canceled'),
      withPicture: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('webhook' as const), index }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('old webhook again' as const), index }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('time passes' as const), ms: fc.nat(40_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('crash soon' as const),
      point: fc.constantFrom(...GENERATION_FAULT_POINTS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('creation' as const),
      behaviour: fc.constantFrom<CreateBehaviour>('accept', 'refuse', 'lose the answer', 'lose the request'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('provider is' as const), available: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('files are' as const), status: fc.constantFrom(200, 404, 503) }),
  },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

class World {
  readonly deliveries: Delivery[] = [];
  private readonly knownBefore = new Set(app.provider.ids());

  constructor(readonly users: readonly [string, string]) {}

  /** Ignores the answers to fans and provider; the test checks the final state only. */
  async happens(event: Happening): Promise<void> {
    switch (event.what) {
      case 'start':
        await app.begin(this.userOf(event.user), creatorId).catch(ignoreRefusal);
        return;
      case 'cancel':
        return this.cancel(this.userOf(event.user));
      case 'provider moves': {
        const id = this.prediction(event.index);
        if (id === undefined) return;
        const { status } = app.provider.move(id, {});
        // A prediction ends once.
        if (status !== 'starting' && status !== 'processing') return;
        app.provider.move(id, { status: event.status, output: event.withPicture ? [app.outputs.url] : null });
        return;
      }
      case 'webhook': {
        const id = this.prediction(event.index);
        if (id === undefined) return;
        const delivery = app.provider.delivery(id, app.clock.now());
        this.deliveries.push(delivery);
        await app.post(delivery);
        await app.worker.idle();
        return;
      }
      case 'old webhook again': {
        const delivery = this.deliveries[event.index];
        if (delivery) await app.post(delivery);
        return;
      }
      case 'time passes':
        return app.pass(event.ms, 10_000);
      case 'crash soon':
        app.faults.crashAt(event.point);
        return;
      case 'restart':
        await app.worker.idle();
        app.faults.restart();
        return;
      case 'creation':
        app.provider.creation = event.behaviour;
        return;
      case 'provider is':
        app.provider.available = event.available;
        return;
      case 'files are':
        app.outputs.status = event.status;
        return;
    }
  }

  /** Repairs everything and waits for the slowest retry. */
  async calm(): Promise<void> {
    await app.worker.idle();
    app.faults.restart();
    app.provider.creation = 'accept';
    app.provider.available = true;
    app.outputs.status = 200;
    await app.pass(GENERATION_TIMEOUT_MS + 180_000, 60_000);
  }

  private async cancel(userId: string): Promise<void> {
    const row = await app.db
      .selectFrom('generation')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    if (row)
      await app.commands
        .execute(new CancelGeneration({ userId, target: { generationId: row.id } }))
        .catch(ignoreRefusal);
  }

  private userOf(place: number): string {
    return place === 0 ? this.users[0] : this.users[1];
  }

  private prediction(place: number): string | undefined {
    const ids = app.provider.ids().filter((id) => !this.knownBefore.has(id));
    // The newest first, because it counts.
    return ids.reverse()[place % Math.max(1, ids.length)];
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error)) throw error;
}

describe('a generation under random events', () => {
  it('charges a fan for exactly the images that arrived', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 30 }), async (events) => {
        const world = new World([await app.newUser(), await app.newUser()]);
        for (const event of events) await world.happens(event);
        await world.calm();
        for (const userId of world.users) await expectOrder(app, userId);
      }),
      // Other events in each soak run, and the same in each other run
      { numRuns: inSoak(200, 6), seed: inSoak(Date.now(), 20_260_310), endOnFailure: true },
    );
  }, 120_000);
});
