import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import type { Execution } from '../../src/credits/ledger/pending-command.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { balancesAt, type Balances } from '../../src/credits/account/state.js';
import {
  deductCredits,
  grantBonusCredits,
  refundDeduction,
  settleDeduction,
} from '../../src/credits/account/decide.js';
import type { CreditTables } from '../../src/credits/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { asOwner, withTestDatabase, type TestDatabase } from '../support/database.js';

jest.setTimeout(60_000);

/** Maximum number of events that a command reads on a cold account: the snapshot's event and those after it. */
const FEW = 150;

let database: TestDatabase<CreditTables>;
let eventStore: PostgresEventStore;
let user: string;
const instances: Instance[] = [];

beforeAll(async () => {
  database = await withTestDatabase<CreditTables>();
  eventStore = new PostgresEventStore(database.pool);
});
afterAll(async () => {
  for (const { snapshots } of instances) await snapshots.onModuleDestroy();
  await eventStore.close();
  await database.close();
});
beforeEach(() => {
  user = `user_${v7()}`;
});

/** An instance with an empty cache. Counts the events that it reads. */
class Instance {
  readonly snapshots = new AccountSnapshots(database.db);
  eventsRead = 0;
  readonly accounts: AccountStore;

  constructor() {
    const counting = Object.create(eventStore) as PostgresEventStore;
    counting.readStream = async (...args) => {
      const events = await eventStore.readStream(...args);
      this.eventsRead += events.length;
      return events;
    };
    instances.push(this);
    this.accounts = new AccountStore(counting, new SystemClock(), new UuidGenerator(), this.snapshots);
  }

  readonly gift = (amount: number) =>
    this.accounts.execute(
      user,
      { actorId: 'admin_1' },
      (state, now) => grantBonusCredits({ grantId: 'gift', amount, reason: 'Contest' }, state, now),
      balancesAt,
    );
  readonly deduct = (id: string): Promise<Execution<Balances>> =>
    this.accounts.execute(
      user,
      { actorId: user },
      (state, now) =>
        deductCredits({ deductionId: id, amount: 1, creatorId: 'creator_1', ownGeneration: false }, state, now, 'due'),
      balancesAt,
    );
  readonly settle = (id: string) =>
    this.accounts.execute(user, { actorId: 'system' }, (state, now) =>
      settleDeduction({ deductionId: id }, state, now),
    );
  readonly refund = (id: string) =>
    this.accounts.execute(user, { actorId: 'system' }, (state, now) =>
      refundDeduction({ deductionId: id, reason: 'generation_failed' }, state, now),
    );

  /** Writes deductions with their settlements or refunds, and waits for the snapshot. @returns the deduction ids */
  async history(count: number): Promise<string[]> {
    await this.gift(10_000);
    const ids = Array.from({ length: count }, () => v7());
    for (let from = 0; from < count; from += 50) {
      const some = ids.slice(from, from + 50);
      await Promise.all(some.map(this.deduct));
      await Promise.all(some.map((id, index) => (index % 2 ? this.settle(id) : this.refund(id))));
    }
    await this.snapshots.flush();
    return ids;
  }
}

const snapshot = () =>
  database.db.selectFrom('credit_account_snapshot').selectAll().where('user_id', '=', user).executeTakeFirst();

describe('AccountSnapshots', () => {
  it('avoids reading a long stream on a cold start, and changes no answer', async () => {
    await new Instance().history(500);
    const cold = new Instance();
    const id = v7();
    const { answer } = await cold.deduct(id);
    expect(answer.total).toBe(10_030 - 250 - 1);
    expect(cold.eventsRead).toBeLessThan(FEW);
    await cold.settle(id);
    const { state, version } = await cold.accounts.load(user);
    expect(version).toBe(1 + 1_000 + 2);
    expect(balancesAt(state, Date.now())).toEqual(answer);
    expect((await snapshot())?.version).toBeGreaterThan(1_000 - FEW);
  });

  it('reads the full stream for repeats and refusals of omitted deductions', async () => {
    const ids = await new Instance().history(200);
    const [refunded = '', settled = ''] = ids;
    expect(await new Instance().settle(settled)).toMatchObject({ events: [] });
    expect(await new Instance().refund(refunded)).toMatchObject({ events: [] });
    await expect(new Instance().refund(settled)).rejects.toThrow('was settled');
    await expect(new Instance().deduct(refunded)).rejects.toThrow('was refunded');
    const late = new Instance();
    await expect(late.deduct(refunded)).rejects.toThrow('was refunded');
    expect(late.eventsRead).toBeGreaterThan(400);
  });

  it('contains open deductions, so that ending one does not read the full stream', async () => {
    const first = new Instance();
    await first.gift(10_000);
    const open = v7();
    await first.deduct(open);
    await first.history(150);
    const cold = new Instance();
    expect((await cold.refund(open)).events).toHaveLength(1);
    expect(cold.eventsRead).toBeLessThan(FEW);
  });

  it.each([
    ['of another fold version', { fold_version: 0 }],
    ['whose last event differs from the stream', { hash: 'f'.repeat(64) }],
    ['of a version that the stream does not have', { version: 1_000_000 }],
    ['that cannot be read', { state: '{' }],
  ])('ignores a snapshot %s', async (_what, damage) => {
    await new Instance().history(60);
    expect(await snapshot()).toBeDefined();
    const damaged = { state: JSON.stringify({ state: { ended: [] }, newestEnded: null, partly: false }), ...damage };
    await database.db.updateTable('credit_account_snapshot').set(damaged).where('user_id', '=', user).execute();
    const cold = new Instance();
    expect((await cold.deduct(v7())).answer.total).toBe(10_030 - 30 - 1);
    expect(cold.eventsRead).toBeGreaterThan(120);
  });

  it('changes no answer when snapshots cannot be written', async () => {
    const first = new Instance();
    await asOwner(database).query('alter table credit_account_snapshot rename to credit_account_snapshot_away');
    await first.history(60);
    expect((await new Instance().deduct(v7())).answer.total).toBe(10_030 - 30 - 1);
    await asOwner(database).query('alter table credit_account_snapshot_away rename to credit_account_snapshot');
  });
});
