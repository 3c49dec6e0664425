import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accountProjection } from '../../src/credits/index.js';
import { createPool } from '../../src/platform/database/pool.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { EventStoreSettingError, openEventStore } from '../../src/platform/event-store/open-event-store.js';
import { repositionEvents } from '../../src/platform/event-store/reposition.js';
import { projections } from '../../src/composition/projections.js';
import { activityProjection, policyRules, revenueProjection } from '../../src/revenue/index.js';
import { asOwner } from '../support/database.js';
import { type LedgerApp, startLedger } from '../support/ledger-app.js';

/** Transaction numbers of the server that the dump came from. */
const AHEAD = 1_000_000_000;
const LOCAL = { eventStoreUrl: null };

let ledger: LedgerApp;
/** The owner as the command has it: the setting for maintenance is its own. */
let owner: ReturnType<typeof createPool>;

beforeAll(async () => {
  ledger = await startLedger();
  owner = createPool(ledger.database.ownerUrl, { max: 1 });
});
afterAll(async () => {
  await owner.end();
  await ledger.close();
});
beforeEach(async () => {
  await ledger.clear();
  for (const user of ['alice', 'mallory']) await ledger.eventfulAccount(user);
});

const query = async (text: string, ...values: unknown[]): Promise<void> => {
  await asOwner(ledger.database).query(text, values);
};

/** Events and checkpoints as a restored dump of another server has them. */
const restore = async (): Promise<void> => {
  await query('update event set xid = ((xid::text)::bigint + $1::bigint)::text::xid8', AHEAD);
  await query(
    `update projection_checkpoint
     set position = (split_part(position, '/', 1)::bigint + $1::bigint) || '/' || split_part(position, '/', 2)`,
    AHEAD,
  );
};

const refusal = async (): Promise<string> => {
  const error: unknown = await openEventStore(LOCAL, ledger.database.pool).then(
    async (store) => store.close(),
    (reason: unknown) => reason,
  );
  if (!error) return '';
  expect(error).toBeInstanceOf(EventStoreSettingError);
  return (error as Error).message;
};

const order = async (): Promise<string[]> => {
  const { rows } = await ledger.database.pool.query<{ event_id: string }>(
    'select event_id from event order by xid, position',
  );
  return rows.map((row) => row.event_id);
};

const revenue = () => revenueProjection(policyRules(ledger.eventStore));
const activity = () => activityProjection(policyRules(ledger.eventStore));

/** The projections continue, and agree with the events. */
const expectSound = async (): Promise<void> => {
  await ledger.project();
  expect(await ledger.verify()).toEqual([]);
  const { pool } = ledger.database;
  for (const projection of [accountProjection, revenue(), activity()] as const) {
    const found = await compareWithFresh(
      { pool, eventStore: ledger.eventStore },
      projection as typeof accountProjection,
    );
    expect(found).toMatchObject({ differences: 0, unapplied: 0 });
  }
};

describe('a restored dump', () => {
  it('refuses the start with the command that repairs it', async () => {
    expect(await refusal()).toBe('');
    await restore();
    expect(await refusal()).toContain('Run npm run projections -- reposition once, while the app is stopped.');
    const audit = await openEventStore(LOCAL, ledger.database.pool, { positions: 'any positions' });
    await audit.close();
  });

  it('continues after the repair, also with events that were stored before it, and after a second restore', async () => {
    for (let times = 0; times < 2; times += 1) {
      const before = await order();
      await restore();
      await ledger.gift('alice', 3);
      await ledger.gift('bob', 5);
      const result = await repositionEvents(owner);
      expect(result).toEqual({ events: before.length, reset: [] });
      expect((await order()).slice(0, before.length)).toEqual(before);
      expect(await refusal()).toBe('');
      await expectSound();
    }
    expect(await repositionEvents(owner)).toEqual({ events: 0, reset: [] });
  });

  it('builds projections again that were built without the restored events', async () => {
    await restore();
    await query('delete from projection_checkpoint');
    await ledger.gift('alice', 3);
    expect(await refusal()).toContain('npm run projections -- reposition');
    // Only the new event is visible, so this projection lacks the others.
    await query(
      `insert into projection_checkpoint (name, version, position)
       select $1, $2, xid || '/' || position from event where xid < pg_snapshot_xmax(pg_current_snapshot()) limit 1`,
      ...[accountProjection.name, accountProjection.version],
    );
    expect((await repositionEvents(owner)).reset).toEqual([accountProjection.name]);
    await expectSound();
  });

  it('refuses the start when the projections have applied later events than exist, and rebuilds these projections', async () => {
    await query(`delete from event where stream = 'creditAccount-mallory'`);
    await query(`delete from generation where user_id = 'mallory'`);
    expect(await refusal()).toContain('The projections of this database have applied later events than it contains');
    const { events, reset } = await repositionEvents(owner);
    // The store has no event of a payout or of the processor.
    const unused = new Set(['payouts', 'processor']);
    const names = projections.map(({ name }) => name).filter((name) => !unused.has(name));
    expect([events, [...reset].sort()]).toEqual([0, names.sort()]);
    expect(await refusal()).toBe('');
    await expectSound();
  });

  it('starts when a single event was moved beyond the end, which the audit names', async () => {
    await query(`update event set xid = '9000000000000000000' where stream = 'creditAccount-mallory' and version = 2`);
    expect(await refusal()).toBe('');
    expect(await ledger.verify()).toContainEqual(expect.objectContaining({ kind: 'position', version: 2 }));
  });
});
