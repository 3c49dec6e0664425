import { type QueryBus } from '@nestjs/cqrs';
import { theseCreators } from '../../src/finance/reads/creator-sums.js';
import { readCreatorMoney } from '../../src/finance/reads/read-creator-money.js';
import { type FinanceTables } from '../../src/finance/tables.js';
import { type RevenueTables } from '../../src/revenue/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { GetCreatorAnalytics, GetCreatorHistory } from '../../src/revenue/index.js';
import { GetCreatorAnalyticsHandler, GetCreatorHistoryHandler } from '../../src/revenue/reads/get-creator-analytics.js';
import { bench, medianTime } from './bench.js';

/** Calls of one phase. */
const CALLS = 300;
const POPULAR = 'creator_popular';
const SMALL = 'creator_small';

await bench(async ({ pool, databaseUrl, quick, vacuum, compare }) => {
  const db = createDatabase<RevenueTables>(pool);
  const fill = createPool(databaseUrl, { max: 1, statementTimeoutMs: 0 });
  const images = quick ? 1_000 : 1_000_000;
  for (const [creator, count] of [
    [POPULAR, images],
    [SMALL, 10],
  ] as const) {
    // Two years of images by many fans: seven in ten are paid, one in fifty was taken back 40 days later.
    await fill.query(
      `insert into creator_activity_image
       select $1 || '_fan_' || n % 50000, n, $1, gen_random_uuid(), n % 10 < 7, case when n % 10 < 7 then 0 else 10 end,
         now() - (n::float8 / $2) * interval '730 days' from generate_series(1, $2::integer) as n`,
      [creator, count],
    );
    await fill.query(
      `insert into creator_earning (user_id, version, line, kind, creator_id, deduction_id, lot_id, credits, unit_price_cents,
         creator_cents, platform_cents, occurred_at, month, payable_at)
       select user_id, version, 0, 'earning', creator_id, deduction_id, 'cs_' || user_id, 10, 10, 50, 50, occurred_at,
         to_char(occurred_at at time zone 'UTC', 'YYYY-MM'), occurred_at + interval '30 days'
       from creator_activity_image where creator_id = $1 and paid`,
      [creator],
    );
    await fill.query(
      `insert into creator_earning (user_id, version, line, kind, creator_id, deduction_id, lot_id, reversal_id, credits,
         unit_price_cents, creator_cents, platform_cents, occurred_at, month, payable_at)
       select user_id, version, 1, 'correction', creator_id, deduction_id, lot_id, 'du_' || version, -10, 10, -50, -50, at,
         to_char(at at time zone 'UTC', 'YYYY-MM'), at
       from creator_earning cross join lateral (select occurred_at + interval '40 days' as at) as taken
       where creator_id = $1 and version % 50 = 0 and at < now()`,
      [creator],
    );
  }
  await fill.query(
    `insert into creator_activity_month
     select creator_id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM'), count(*) filter (where paid),
       count(*) filter (where not paid), count(*) / 20 from creator_activity_image group by 1, 2`,
  );
  await fill.query(
    `insert into creator_revenue_month (creator_id, month, paid_generations, paid_credits, creator_cents, platform_cents,
       correction_cents, changes)
     select creator_id, month, count(*) filter (where kind = 'earning'), sum(credits), sum(creator_cents), sum(platform_cents),
       coalesce(sum(creator_cents) filter (where kind = 'correction'), 0), count(*) filter (where kind = 'correction')
     from creator_earning group by 1, 2`,
  );
  await fill.query(
    `insert into book_entry (user_id, version, line, account, event_type, occurred_at, cents, credits, lot_id,
       deduction_id, creator_id, reversal_id, payable_at)
     select user_id, version, line, 2100, 'DeductionSettled', occurred_at, -creator_cents, 0, lot_id, deduction_id,
       creator_id, reversal_id, payable_at
     from creator_earning`,
  );
  await fill.query(
    `insert into book_creator_sum (creator_id, account, unit, starts_at, cents)
     select creator_id, sum_account, unit,
       date_trunc(unit, case sum_account when 2100 then occurred_at else payable_at end, 'UTC'), sum(cents)
     from book_entry cross join unnest(array[2100, 2120]) as accounts (sum_account)
     cross join unnest(array['day', 'month']) as units (unit)
     where book_entry.account = 2100 group by 1, 2, 3, 4`,
  );
  await vacuum(fill);
  await fill.end();

  const clock = new SystemClock();
  const none = {} as QueryBus;
  const analytics = new GetCreatorAnalyticsHandler(db, clock, none);
  const finance = createDatabase<FinanceTables>(pool);
  const history = new GetCreatorHistoryHandler(db, clock, none);
  const { stats } = await analytics.execute(new GetCreatorAnalytics({ creatorId: POPULAR }));
  if (stats.total_generations !== images) throw new Error(`There are ${stats.total_generations} images.`);

  const phase = (call: () => Promise<unknown>): Promise<number> => medianTime(quick ? 3 : CALLS, call);
  const calls: Readonly<Record<string, (creatorId: string) => Promise<unknown>>> = {
    'the dashboard': async (creatorId) => {
      await analytics.execute(new GetCreatorAnalytics({ creatorId }));
      await readCreatorMoney(finance, theseCreators([creatorId]), clock.now());
    },
    'the history of 24 months': (creatorId) => history.execute(new GetCreatorHistory({ creatorId, monthsBack: 24 })),
  };
  for (const [name, call] of Object.entries(calls)) {
    await compare({
      name: `${name} of a creator with 1,000,000 images`,
      unit: 'ms',
      target: { atMost: 1.5 },
      run: () => phase(() => call(POPULAR)),
      base: 'with 10 images',
      runBase: () => phase(() => call(SMALL)),
    });
  }
});
