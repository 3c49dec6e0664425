import { type LedgerProblem } from '../../src/audit/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { ManualClock } from '../../src/platform/clock.js';
import { type EventStore, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { HasEarnings, monthsOf, type EarningRow, type RevenueRules } from '../../src/revenue/index.js';
import { booksProjection, EarningPoster } from '../../src/finance/index.js';
import { theseCreators } from '../../src/finance/reads/creator-sums.js';
import { readCreatorMoney } from '../../src/finance/reads/read-creator-money.js';
import { activityProjection } from '../../src/revenue/reads/activity-projection.js';
import { revenueProjection } from '../../src/revenue/reads/revenue-projection.js';
import { type RevenueTables } from '../../src/revenue/tables.js';
import { revenueOf } from '../support/book-entries.js';
import { asOwner, emptyTables, keepRows } from '../support/database.js';
import { LedgerFan } from '../support/ledger-fan.js';
import { adoptPolicy } from '../support/policy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const DAY_MS = 86_400_000;
/** The rules that an empty store adopts. */
const NEW_RULES: RevenueRules = { cumulativeFrom: new Date(0) };

const TABLES = [
  ...['event', 'projection_checkpoint', 'credit_balance', 'credit_transaction', 'credits_held', 'creator_earning'],
  ...['creator_revenue_month', 'revenue_purchase', 'creator_activity_image', 'creator_activity_month'],
  ...['creator_activity_payment', 'creator_revenue_total', 'creator_activity_total', 'platform_revenue_month'],
  ...['platform_activity_month', 'earning_head', 'earning_position'],
  ...booksProjection.tables,
];

let app: TestApp;
let accounts: AccountStore;
const clock = new ManualClock(NOW);

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  accounts = new AccountStore(app.eventStore, clock, new UuidGenerator());
});
afterAll(() => app.close());
beforeEach(async () => {
  clock.set(NOW);
  await emptyTables(app, TABLES);
  await asOwner(app).query('update credit_bundle set policy_version = null');
  await adoptPolicy(app.eventStore, clock);
});

/** A fan who has spent all free credits, so that all later credits are paid. */
class Fan extends LedgerFan {
  static async begin(): Promise<Fan> {
    const fan = new Fan(accounts, clock);
    await fan.image('somebody', 30);
    return fan;
  }
  events(): Promise<StoredEvent[]> {
    return app.eventStore.readStream(`creditAccount-${this.id}`);
  }
  async rows(rules = NEW_RULES): Promise<EarningRow[]> {
    return [...revenueOf(this.id, await this.events(), rules)];
  }
}

const hasEarnings = (creatorId: string) => app.queries.execute(new HasEarnings({ creatorId }));
/** The revenue of a creator by month: images, credits, and cents of the creator and of the platform. */
async function revenueOfCreator(creatorId: string): Promise<(string | number)[][]> {
  const months = app.tables<RevenueTables>().selectFrom('creator_revenue_month').selectAll();
  const rows = await months.where('creator_id', '=', creatorId).orderBy('month').execute();
  return rows.map((row) => [
    ...[row.month, row.paid_generations, row.paid_credits, row.creator_cents, row.platform_cents],
  ]);
}
const moneyOf = async (creatorId: string) =>
  (await readCreatorMoney(createDatabase(app.pool), theseCreators([creatorId]), clock.now()))[0];

/** Three fans with purchases, images, early and late disputes, repayments, reinstatements and a chain of debts. */
async function eventfulMonths(): Promise<Fan[]> {
  const fans = [await Fan.begin(), await Fan.begin(), await Fan.begin()];
  for (const [index, fan] of fans.entries()) {
    await fan.buy('cs_1', 100, index === 0 ? 1000 : 1099);
    for (let i = 0; i < 5; i += 1) await fan.image(i % 2 ? 'ada' : 'bob');
    await fan.image('ada', 10, 'failed');
    const open = await fan.image('ada', 10, 'open');
    clock.advance(20 * DAY_MS);
    await fan.image('bob', 15, index === 1 ? 'own' : 'delivered');
    clock.advance(index * 8 * DAY_MS);
    await fan.reverse('cs_1', 'du_1', 600);
    await fan.reverse('cs_1', 're_1', 400);
    if (index === 1) await fan.fail(open);
    else await fan.deliver(open);
    await fan.buy('cs_2', 40, 333);
    if (index < 2) await fan.reinstate('cs_1', 'du_1');
    if (index === 2) await fan.buy('cs_3', 75, 750);
    await fan.image('ada', 10);
    // The last purchase had paid debt of the first one.
    if (index === 2) await fan.reverse('cs_3', 'du_3', 750);
  }
  return fans;
}

describe('revenueProjection', () => {
  it.each<[string, number, RevenueRules]>([
    ['of 1 event under the new rules', 1, NEW_RULES],
    ['of 3 events under rules that change in between', 3, { cumulativeFrom: new Date(+NOW + 20 * DAY_MS) }],
    ['of 1000 events under the old rules', 1000, { cumulativeFrom: null }],
  ])('writes the same rows and monthly sums as the pure fold, in pages %s', async (_pages, size, rules) => {
    const projection = revenueProjection(() => Promise.resolve(rules));
    const activity = activityProjection(() => Promise.resolve(rules));
    const fans = await eventfulMonths();
    const events = (await Promise.all(fans.map((fan) => fan.events())))
      .flat()
      .sort((a, b) => app.eventStore.comparePositions(a.position, b.position));
    expect(events.length).toBeGreaterThan(60);
    for (let start = 0; start < events.length; start += size) {
      const page = events.slice(start, start + size);
      await app
        .tables<RevenueTables>()
        .transaction()
        .execute(async (trx) => {
          await projection.apply(page, trx);
          await activity.apply(page, trx);
        });
    }
    const due = (await Promise.all(fans.map((fan) => fan.rows(rules)))).flat();
    const inOrder = (rows: EarningRow[]): EarningRow[] =>
      [...rows].sort((a, b) =>
        a.user_id < b.user_id ? -1 : a.user_id > b.user_id ? 1 : a.version - b.version || a.line - b.line,
      );
    const found = await app.tables<RevenueTables>().selectFrom('creator_earning').selectAll().execute();
    expect(inOrder(found)).toEqual(inOrder(due));
    expect(new Set(due.map(({ kind }) => kind))).toEqual(new Set(['earning', 'correction', 'restoration']));
    const months = await app
      .tables<RevenueTables>()
      .selectFrom('creator_revenue_month')
      .selectAll()
      .orderBy('creator_id')
      .orderBy('month')
      .execute();
    const byMonth = monthsOf(due).sort((a, b) =>
      `${a.creator_id} ${a.month}` < `${b.creator_id} ${b.month}` ? -1 : 1,
    );
    expect(months).toEqual(byMonth);
    const { rows: counts } = await app.pool.query(
      `select sum(paid_generations)::int as paid, sum(free_generations)::int as free, sum(new_fans)::int as fans
       from creator_activity_month where creator_id <> 'somebody'`,
    );
    const pairs = new Set(found.map((row) => `${row.creator_id} ${row.user_id}`));
    const paid = months.reduce((sum, month) => sum + month.paid_generations, 0);
    expect(counts).toEqual([{ paid, free: 0, fans: pairs.size }]);
  });

  it('takes earnings back after a reversal of spent credits, until its reinstatement', async () => {
    const fan = await Fan.begin();
    await fan.buy('cs_1');
    for (let i = 0; i < 6; i += 1) await fan.image('ada');
    await app.project();
    expect(await revenueOfCreator('ada')).toEqual([['2026-03', 6, 60, 300, 300]]);
    expect(await moneyOf('ada')).toMatchObject({ earned_cents: 300, pending_cents: 300, payable_cents: 0 });
    await fan.reverse('cs_1', 'du_1', 1000);
    await app.project();
    expect(await revenueOfCreator('ada')).toEqual([['2026-03', 6, 0, 0, 0]]);
    await fan.reinstate('cs_1', 'du_1');
    await app.project();
    expect(await revenueOfCreator('ada')).toEqual([['2026-03', 6, 60, 300, 300]]);
    expect(await moneyOf('ada')).toMatchObject({ earned_cents: 300, pending_cents: 300 });
  });
});

describe('ledger verify', () => {
  /** Returns the problems of projections: the accounts of this suite have no generations and no checkouts. */
  const verify = async (store: EventStore = app.eventStore): Promise<{ problems: LedgerProblem[]; rows: number }> => {
    const { problems, summary } = await verifiedLedger({ pool: app.pool, eventStore: store }, () => clock.now());
    return {
      problems: problems.filter(({ kind }) => kind !== 'generation' && kind !== 'payment'),
      rows: summary.rows['creator_revenue'] ?? 0,
    };
  };
  /** The first of the three fans, and what puts their months back. */
  let months: { readonly fan: Fan; readonly restore: () => Promise<void>; readonly end: Date } | undefined;
  const projectedMonths = async (): Promise<Fan> => {
    if (months) {
      await months.restore();
      clock.set(months.end);
      return months.fan;
    }
    const [fan] = (await eventfulMonths()) as [Fan];
    await app.project();
    await app.get(EarningPoster).runOnce();
    months = { fan, restore: await keepRows(app, TABLES), end: clock.now() };
    return fan;
  };

  it('compares every row and reports no problem', async () => {
    await projectedMonths();
    const { problems, rows } = await verify();
    expect(problems).toEqual([]);
    const { rows: counted } = await app.pool.query<{ count: number }>(
      'select (select count(*) from creator_earning) + (select count(*) from revenue_purchase) as count',
    );
    expect(rows).toBe(counted[0]?.count);
    expect(rows).toBeGreaterThan(40);
  });

  it('reports no problem for lagging projections and concurrent writes', async () => {
    const fan = await projectedMonths();
    await fan.buy('cs_late', 500, 5000);
    await fan.image('ada', 60);
    await fan.reverse('cs_late', 're_late', 1000);
    expect((await verify()).problems).toEqual([]);

    const newcomer = await Fan.begin();
    let meanwhile = 0;
    class Busy extends PostgresEventStore {
      override async scanStreams(...args: Parameters<EventStore['scanStreams']>): Promise<Iterable<StoredEvent>> {
        meanwhile += 1;
        await fan.image('ada', 10);
        await newcomer.buy(`cs_${meanwhile}`);
        await newcomer.image('bob', 10);
        await app.project();
        return super.scanStreams(...args);
      }
    }
    const busy = new Busy(app.pool);
    expect((await verify(busy)).problems).toEqual([]);
    await busy.close();
    expect(meanwhile).toBeGreaterThan(0);
    expect((await verify()).problems).toEqual([]);
  });

  it('ignores missing rows before the first projection, and names rows without events', async () => {
    const fan = await Fan.begin();
    await fan.buy('cs_1', 100, 1000);
    await fan.image('ada', 60);
    expect(await verify()).toEqual({ problems: [], rows: 0 });
    await app.pool.query(`insert into revenue_purchase values ('nobody', 'cs_1', 100, 1000, 3, 3, 3, null)`);
    await app.pool.query(`insert into creator_revenue_month values ('mallory', '2026-03', 1, 10, 50, 50)`);
    expect((await verify()).problems.map((problem) => [problem.stream, problem.what])).toEqual([
      ['creditAccount-nobody', 'revenue_purchase has a row that no event makes: purchase cs_1.'],
      ['*', 'creator_revenue_month has a row that no event makes: creator mallory in 2026-03, 50 cents.'],
    ]);
  });

  /** The sums of a changed row differ too: they are compared with the rows. */
  const isNoSum = ({ what: sentence }: LedgerProblem): boolean => !sentence.includes(', but its rows give ');

  /** Selects a row of this kind of the first fan. It is neither the first nor the last row. */
  const one = (kind: EarningRow['kind']): string =>
    `(select user_id, version, line from creator_earning where kind = '${kind}' order by user_id, version, line limit 1)`;
  it.each<[string, string, string[]]>([
    [
      'an earning with a cent too much for the creator',
      `update creator_earning set creator_cents = creator_cents + 1, platform_cents = platform_cents - 1
       where (user_id, version, line) = ${one('earning')}`,
      [
        'creator_earning has creator_cents 51, but the events give 50: line 0, earning of generation ',
        'creator_earning has platform_cents 49, but the events give 50: line 0, earning of generation ',
      ],
    ],
    [
      'an earning that was moved to another creator',
      `update creator_earning set creator_id = 'mallory' where (user_id, version, line) = ${one('earning')}`,
      ['creator_earning has creator_id "mallory", but the events give "bob": line 0, earning of generation '],
    ],
    [
      'an earning that was moved to another month',
      `update creator_earning set month = '2026-02' where (user_id, version, line) = ${one('earning')}`,
      ['creator_earning has month "2026-02", but the events give "2026-03": line 0, earning of generation '],
    ],
    [
      'an earning that could be paid out earlier',
      `update creator_earning set payable_at = payable_at - interval '1 day'
       where (user_id, version, line) = ${one('earning')}`,
      [
        'creator_earning has payable_at 2026-04-08T09:00:00.000Z, but the events give 2026-04-09T09:00:00.000Z: line 0, ',
      ],
    ],
    [
      'an earning that was dropped',
      `delete from creator_earning where (user_id, version, line) = ${one('earning')}`,
      ['creator_earning lacks the line of this event: line 0, earning of generation '],
    ],
    [
      'a correction that was dropped',
      `delete from creator_earning where (user_id, version, line) = ${one('correction')}`,
      ['creator_earning lacks the line of this event: line 0, correction of generation '],
    ],
    [
      'an earning that was added',
      `insert into creator_earning select user_id, version, 7, kind, 'mallory', gen_random_uuid()::text, lot_id, reversal_id,
         credits, unit_price_cents, creator_cents, platform_cents, occurred_at, month, payable_at, own_generation
       from creator_earning where (user_id, version, line) = ${one('earning')}`,
      ['creator_earning has a line that no event makes: line 7, earning of generation '],
    ],
    [
      'an earning that was added behind the last event, and one in front of the first',
      `insert into creator_earning select user_id, v, 0, kind, 'mallory', gen_random_uuid()::text, lot_id, reversal_id,
         credits, unit_price_cents, creator_cents, platform_cents, occurred_at, month, payable_at, own_generation
       from creator_earning cross join unnest(array[-2147483648, 999]) as v
       where (user_id, version, line) = ${one('earning')}`,
      Array.from({ length: 2 }, () => 'creator_earning has a line that no event makes: line 0, earning of generation '),
    ],
    [
      'an earning of an unknown fan',
      `insert into creator_earning select 'nobody', version, line, kind, 'mallory', deduction_id, lot_id, reversal_id,
         credits, unit_price_cents, creator_cents, platform_cents, occurred_at, month, payable_at, own_generation
       from creator_earning where (user_id, version, line) = ${one('earning')}`,
      ['creator_earning has a line that no event makes: line 0, earning of generation '],
    ],
    [
      'a wrong debt',
      `update revenue_purchase set debt = 7 where lot_id = 'cs_1' and user_id = (select min(user_id) from revenue_purchase)`,
      ['revenue_purchase has debt 7, but the events give 0: purchase cs_1.'],
    ],
    [
      'credits of a purchase that were settled and left out',
      `update revenue_purchase set settled_credits = settled_credits - 10
       where lot_id = 'cs_1' and user_id = (select min(user_id) from revenue_purchase)`,
      ['revenue_purchase has settled_credits '],
    ],
    [
      'a debt for another reversal',
      `update revenue_purchase set reversal_id = 're_9'
       where lot_id = 'cs_1' and user_id = (select min(user_id) from revenue_purchase)`,
      ['revenue_purchase has reversal_id "re_9", but the events give "re_1": purchase cs_1.'],
    ],
    [
      'a purchase that was dropped',
      `delete from revenue_purchase where lot_id = 'cs_1' and user_id = (select min(user_id) from revenue_purchase)`,
      ['revenue_purchase lacks a row: purchase cs_1.'],
    ],
    [
      'a cent of a month that went to the creator',
      `update creator_revenue_month set creator_cents = creator_cents + 1, platform_cents = platform_cents - 1
       where creator_id = 'ada' and month = '2026-03'`,
      ['creator_revenue_month has creator_cents ', ': creator ada in 2026-03.'],
    ],
    [
      'a month that was dropped',
      `delete from creator_revenue_month where creator_id = 'ada' and month = '2026-03'`,
      ['creator_revenue_month lacks a row: creator ada in 2026-03, '],
    ],
    [
      'a month that went to another creator',
      `update creator_revenue_month set creator_id = 'mallory' where creator_id = 'ada' and month = '2026-03'`,
      [
        'creator_revenue_month lacks a row: creator ada in 2026-03, ',
        'creator_revenue_month has a row that no event makes: creator mallory in 2026-03, ',
      ],
    ],
  ])('names %s', async (_case, tamper, named) => {
    await projectedMonths();
    const { rowCount } = await asOwner(app).query(tamper);
    expect(rowCount).toBeGreaterThan(0);
    const { problems } = await verify();
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['projection']));
    expect(problems.filter(isNoSum).map((problem) => problem.what)).toEqual(
      named.map((words) => expect.stringContaining(words) as unknown),
    );
  });

  it.each<[string, string, string[]]>([
    [
      'a delivered image that was dropped',
      `delete from creator_activity_image where creator_id = 'ada' and user_id = (select min(user_id) from creator_earning)
         and version = (select max(version) from creator_activity_image i
           where i.creator_id = 'ada' and i.user_id = (select min(user_id) from creator_earning))`,
      ['creator_activity_image lacks the line of this event: generation '],
    ],
    [
      'a free image that was turned into a paid one',
      `update creator_activity_image set paid = true
       where creator_id = 'somebody' and user_id = (select min(user_id) from creator_earning)`,
      ['creator_activity_image has paid true, but the events give false: generation '],
    ],
    [
      'more fans of a month',
      `update creator_activity_month set new_fans = new_fans + 1 where creator_id = 'ada' and month = '2026-03'`,
      ['creator_activity_month has new_fans 3, but the events give 2: creator ada in 2026-03.'],
    ],
    [
      'images of a month that were dropped',
      `delete from creator_activity_month where creator_id = 'bob' and month = '2026-03'`,
      ['creator_activity_month lacks a row: creator bob in 2026-03.'],
    ],
    [
      'images of a creator without any',
      `insert into creator_activity_month values ('mallory', '2026-03', 1, 1, 1)`,
      ['creator_activity_month has a row that no event makes: creator mallory in 2026-03.'],
    ],
    [
      'more revenue of a creator, for a better place in a list',
      `update creator_revenue_total set creator_cents = creator_cents + 1 where creator_id = 'ada'`,
      ['creator_revenue_total has creator_cents '],
    ],
    [
      "a creator's total that was dropped",
      `delete from creator_activity_total where creator_id = 'bob'`,
      ['creator_activity_total lacks a row: creator bob.'],
    ],
    [
      'a total of a creator without any',
      `insert into creator_activity_total values ('mallory', 1, 1)`,
      ['creator_activity_total has a row that no event makes: creator mallory.'],
    ],
    [
      "less of the platform's revenue in a month",
      `update platform_revenue_month set platform_cents = platform_cents - 1 where month = '2026-03'`,
      ['platform_revenue_month has platform_cents '],
    ],
    [
      "a month of the platform's images that was dropped",
      `delete from platform_activity_month where month = '2026-03'`,
      ['platform_activity_month lacks a row: 2026-03.'],
    ],
    [
      'a dispute that was turned into a refund',
      `update creator_activity_payment set kind = 'refund'
       where payment_id = 'du_1' and user_id = (select min(user_id) from creator_earning)`,
      [
        'creator_activity_payment lacks the dispute du_1.',
        'creator_activity_payment has the refund du_1, but no event makes this row.',
      ],
    ],
    [
      'a dispute that seems lost',
      `update creator_activity_payment set undone_at = null
       where payment_id = 'du_1' and user_id = (select min(user_id) from creator_earning)`,
      ['creator_activity_payment has undone_at null, but the events give '],
    ],
  ])('names %s in the figures of creators', async (_case, tamper, named) => {
    await projectedMonths();
    const { rowCount } = await asOwner(app).query(tamper);
    expect(rowCount).toBeGreaterThan(0);
    const { problems } = await verify();
    expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['projection']));
    expect(problems.filter(isNoSum).map((problem) => problem.what)).toEqual(
      named.map((words) => expect.stringContaining(words) as unknown),
    );
  });

  it('reports that unreadable events prevent the comparison of months', async () => {
    await projectedMonths();
    await asOwner(app).query(
      `update event set data = data - 'allocations' where type = 'DeductionSettled' and stream || version =
         (select 'creditAccount-' || user_id || version from creator_earning order by user_id, version limit 1)`,
    );
    const problems = (await verify()).problems.filter(({ kind }) => kind === 'projection');
    expect(problems.map((problem) => [problem.stream === '*', problem.what])).toEqual([
      [false, expect.stringContaining('Revenue cannot be recomputed from this event on: ')],
      [false, expect.stringContaining('Images cannot be counted from this event on: ')],
      [false, expect.stringContaining('The books cannot be recomputed from this event on: ')],
      [true, 'The months of creators cannot be compared: the events of an account cannot be read.'],
      [true, 'The images of creators cannot be compared: the events of an account cannot be read.'],
    ]);
  });
});

describe('the revenue of a creator', () => {
  it('counts earnings as payable after thirty days', async () => {
    const fan = await Fan.begin();
    await fan.buy('cs_1');
    await fan.image('ada');
    clock.advance(10 * DAY_MS);
    await fan.image('ada');
    await app.project();
    clock.advance(20 * DAY_MS - 1);
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 100, payable_cents: 0 });
    clock.advance(1);
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 50, payable_cents: 50 });
  });

  it('takes payable earnings back after a chargeback, and returns them with the reinstatement', async () => {
    const fan = await Fan.begin();
    await fan.buy('cs_1', 60, 600);
    for (let i = 0; i < 6; i += 1) await fan.image('ada');
    clock.advance(90 * DAY_MS);
    await app.project();
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 0, payable_cents: 300, debt_cents: 0 });
    await fan.reverse('cs_1', 'du_1', 600);
    const other = await Fan.begin();
    await other.buy('cs_2', 100, 1000);
    await other.image('ada', 10);
    await app.project();
    // Nothing was paid out, so nothing is owed back.
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 50, payable_cents: 0, debt_cents: 0 });
    clock.advance(30 * DAY_MS);
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 0, payable_cents: 50, debt_cents: 0 });
    await fan.reinstate('cs_1', 'du_1');
    await app.project();
    expect(await moneyOf('ada')).toMatchObject({ pending_cents: 0, payable_cents: 350, debt_cents: 0 });
  });

  it('adds up by month, and is known once there is any', async () => {
    expect(await hasEarnings('ada')).toBe(false);
    const fan = await Fan.begin();
    await fan.buy('cs_1');
    for (let month = 0; month < 3; month += 1) {
      for (let image = 0; image <= month; image += 1) await fan.image('ada');
      clock.advance(31 * DAY_MS);
    }
    await fan.image('own', 10, 'own');
    await app.project();
    expect(await revenueOfCreator('ada')).toEqual([
      ['2026-03', 1, 10, 50, 50],
      ['2026-04', 2, 20, 100, 100],
      ['2026-05', 3, 30, 150, 150],
    ]);
    expect(await hasEarnings('ada')).toBe(true);
    expect(await revenueOfCreator('own')).toHaveLength(1);
    expect(await hasEarnings('own')).toBe(false);
  });
});
