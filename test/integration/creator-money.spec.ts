import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type AdminOverview } from '../../src/contract/admin.js';
import { type PlatformRevenue, type RevenueCreatorRow } from '../../src/contract/applications.js';
import { type CreatorLiabilities, type TrialBalance } from '../../src/contract/finance.js';
import { type CreatorPayouts, type PayoutStatements } from '../../src/contract/payouts.js';
import {
  type CreatorAnalytics,
  type CreatorEarning,
  type CreatorMoney,
  type CreatorMonthlyHistory,
} from '../../src/contract/revenue.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { payoutIdOf } from '../../src/finance/runs/payout-ids.js';
import { AdvancePayoutRun } from '../../src/finance/use-cases/advance-payout-run.js';
import { EndPayout, HoldPayouts, ReleasePayouts } from '../../src/finance/use-cases/change-payout.js';
import { ManualClock } from '../../src/platform/clock.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { LedgerFan } from '../support/ledger-fan.js';
import { ADMIN, approvedCreator, carryOut, payoutRun, recordTransfer, saveDetails } from '../support/payouts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { rowsOf } from '../support/csv.js';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;
const CREATOR = 'user_of_money';

const clock = new ManualClock(new Date('2026-03-10T09:00:00Z'));
let app: TestApp;
let creatorId: string;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  creatorId = await approvedCreator(app, CREATOR, 'Aria Vale');
  await saveDetails(app, CREATOR);
});
afterAll(() => app.close());

/** The figures of a state, US cents. Those that are left out are zero. */
type Figures = Partial<Omit<CreatorMoney, 'earned_cents'>>;

let calls = 0;

/** The answer of a call. Each caller has rate limits of their own. */
const ask = <T>(name: string, body: object = {}, token = `admin_${(calls += 1)}`): Promise<T> =>
  app.ok(name, token, body);

/** The rows of a CSV file by their columns. */
async function rowsIn(file: string): Promise<ReturnType<typeof rowsOf>> {
  const { status, text } = await app.download(file, `finance_${(calls += 1)}`);
  expect({ file, status }).toEqual({ file, status: 200 });
  return rowsOf(text);
}

const cents = (dollars: string | undefined): number => Math.round(Number(dollars ?? 'none') * 100);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function moneyOf(answer: CreatorMoney): CreatorMoney {
  const { earned_cents, pending_cents, payable_cents, under_way_cents, paid_cents, debt_cents } = answer;
  return { earned_cents, pending_cents, payable_cents, under_way_cents, paid_cents, debt_cents };
}

/** The money that every call and file with all parts states, by its name. */
async function statedMoney(): Promise<Readonly<Record<string, CreatorMoney | undefined>>> {
  const own = { p_creator_id: creatorId };
  const dashboard = 'get_creator_dashboard_analytics';
  const liabilities = await ask<CreatorLiabilities>('list_creator_liabilities', {}, `finance_${(calls += 1)}`);
  const [file] = await rowsIn('creator-liabilities.csv');
  const column = (name: string): number => cents(file?.[`${name}_usd`] ?? '0');
  return {
    'the dashboard of the creator': moneyOf((await ask<CreatorAnalytics>(dashboard, own, CREATOR)).revenue),
    "the admin's view of it": moneyOf((await ask<CreatorAnalytics>(dashboard, own)).revenue),
    'the dashboard of admins': moneyOf((await ask<AdminOverview>('get_admin_overview')).revenue),
    'revenue management': moneyOf(await ask<PlatformRevenue>('get_platform_revenue_admin')),
    'the finance tile': moneyOf(liabilities),
    'creators in finance': moneyOf(liabilities.creators[0] ?? { ...liabilities }),
    'creator-liabilities.csv': {
      earned_cents: column('earned'),
      pending_cents: column('pending'),
      payable_cents: column('payable'),
      under_way_cents: column('under_way'),
      paid_cents: column('paid'),
      debt_cents: column('debt'),
    },
  };
}

/** The cents that calls and files with one or two parts state, by their name. */
async function statedParts(): Promise<Readonly<Record<string, number>>> {
  const own = { p_creator_id: creatorId };
  const { this_month, revenue } = await ask<CreatorAnalytics>('get_creator_dashboard_analytics', own, CREATOR);
  const { monthly_breakdown: months } = await ask<CreatorMonthlyHistory>('get_creator_monthly_history', own, CREATOR);
  const rows = await ask<CreatorEarning[]>('get_creator_earnings', { ...own, p_limit: 100 }, CREATOR);
  const file = await rowsIn(`creator-earnings.csv?creator_id=${creatorId}`);
  const [card] = await ask<RevenueCreatorRow[]>('list_revenue_creators_admin', { p_sort: 'newest', p_limit: 24 });
  const { total } = await ask<PayoutStatements>('list_payout_statements', own, CREATOR);
  const { payouts } = await ask<CreatorPayouts>('list_creator_payouts', own);
  const inState = (...states: readonly string[]): number =>
    sum(payouts.filter(({ state }) => states.includes(state)).map(({ amount_cents: amount }) => amount));
  return {
    'earned: all-time earnings': Math.round(revenue.all_time_earnings * 100),
    'earned: all months': sum([this_month, ...months].map((month) => Math.round(month.creator_earnings * 100))),
    'earned: latest earnings': sum(rows.map((row) => row.creator_cents)),
    'earned: creator-earnings.csv': sum(file.map((row) => cents(row['creator_usd']))),
    'earned: the card of the creator': sum(card?.months ?? []),
    'taken: payouts of the creator': total.amount_cents,
    'under way: payouts in finance': inState('fixed', 'checked'),
    'paid: payouts in finance': inState('paid'),
  };
}

/** The trial balance and its file: cents by account, credit positive. */
async function statedAccounts(): Promise<Readonly<Record<string, ReadonlyMap<number, number>>>> {
  const accounts = [1100, 2100, 2130];
  const balance = await ask<TrialBalance>('get_trial_balance', {}, `finance_${(calls += 1)}`);
  const file = await rowsIn('trial-balance.csv');
  return {
    'the trial balance': new Map(
      balance.accounts
        .filter(({ account }) => accounts.includes(account))
        .map(({ account, debit_cents: debit, credit_cents: credit }) => [account, (credit ?? 0) - (debit ?? 0)]),
    ),
    'trial-balance.csv': new Map(
      file
        .filter(({ account }) => accounts.includes(Number(account)))
        .map((row) => [Number(row['account']), cents(row['credit_usd']) - cents(row['debit_usd'])]),
    ),
  };
}

/** The parts of account 2100 below the trial balance and in its file. */
async function statedShares(): Promise<Readonly<Record<string, TrialBalance['creator_share']>>> {
  const balance = await ask<TrialBalance>('get_trial_balance', {}, `finance_${(calls += 1)}`);
  const file = await rowsIn('trial-balance.csv');
  const part = (name: string): number => {
    const row = file.find((each) => each['account'] === '' && each['name']?.includes(name));
    return cents(row?.['credit_usd']) + cents(row?.['debit_usd']);
  };
  return {
    'the trial balance': balance.creator_share,
    'trial-balance.csv': { pending_cents: part('pending'), payable_cents: part('payable'), debt_cents: part('debt') },
  };
}

async function expectFigures(state: string, figures: Figures): Promise<void> {
  await app.project();
  // The sums of the platform are kept for a minute.
  clock.advance(61_000);
  const parts = { pending_cents: 0, payable_cents: 0, under_way_cents: 0, paid_cents: 0, debt_cents: 0, ...figures };
  const { pending_cents: pending, payable_cents: payable, under_way_cents: underWay } = parts;
  const { paid_cents: paid, debt_cents: debt } = parts;
  const earned = paid + underWay + payable + pending - debt;
  for (const [place, found] of Object.entries(await statedMoney())) {
    expect({ state, place, found }).toEqual({ state, place, found: { earned_cents: earned, ...parts } });
  }
  const due: Readonly<Record<string, number>> = { earned, taken: underWay + paid, 'under way': underWay, paid };
  for (const [place, found] of Object.entries(await statedParts())) {
    expect({ state, place, found }).toEqual({ state, place, found: due[place.split(':')[0] ?? ''] });
  }
  const accounts = [
    [1100, paid],
    [2100, pending + payable - debt],
    [2130, underWay],
  ];
  for (const [place, found] of Object.entries(await statedAccounts())) {
    expect({ state, place, found: [...found] }).toEqual({ state, place, found: accounts });
  }
  const shares = { pending_cents: pending, payable_cents: payable, debt_cents: debt };
  for (const [place, found] of Object.entries(await statedShares())) {
    expect({ state, place, found }).toEqual({ state, place, found: shares });
  }
}

/** A new fan buys credits at ten cents each, and spends some on a picture of the creator, who gets half. */
async function sale(session: string, credits: number, spent: number): Promise<LedgerFan> {
  const fan = new LedgerFan(new AccountStore(app.eventStore, clock, new UuidGenerator()), clock);
  await fan.image('somebody', 30);
  await fan.buy(session, credits, credits * 10);
  await fan.image(creatorId, spent);
  return fan;
}

async function advance(runId: string, step: 'fix' | 'check'): Promise<string> {
  await app.commands.execute(new AdvancePayoutRun({ runId, step, by: ADMIN, reason: null }));
  await carryOut(app);
  return payoutIdOf(runId, creatorId);
}

const pay = (payoutId: string, dollars: string): Promise<void> =>
  recordTransfer(app, payoutId, dollars, { paidOn: clock.now().toISOString().slice(0, 10) });

it('states the same figures of a creator in every call and file, in twelve states', async () => {
  await expectFigures('nothing earned', {});

  const charged = await sale('cs_charged', 1_000, 600);
  await expectFigures('pending', { pending_cents: 3_000 });

  clock.advance(31 * DAY_MS);
  await expectFigures('payable', { payable_cents: 3_000 });

  const hold = { creatorId, reason: 'A question', by: ADMIN };
  await app.commands.execute(new HoldPayouts({ ...hold, until: new Date(clock.now().getTime() + 60 * DAY_MS) }));
  await payoutRun(app, 'draft');
  await expectFigures('held', { payable_cents: 3_000 });
  const own = { p_creator_id: creatorId };
  const payouts = async () => (await ask<CreatorAnalytics>('get_creator_dashboard_analytics', own, CREATOR)).revenue;
  const held = { held_until: expect.any(String) };
  const none = { paid_until: null, under_way_until: null };
  expect(await payouts()).toMatchObject({ payout_minimum_cents: 2_500, ...held, ...none });
  await app.commands.execute(new ReleasePayouts(hold));

  const run = await payoutRun(app, 'draft');
  await expectFigures('drafted', { payable_cents: 3_000 });

  const payoutId = await advance(run, 'fix');
  await expectFigures('fixed', { under_way_cents: 3_000 });
  const cutoff = clock.now().toISOString().slice(0, 10) + 'T00:00:00.000Z';
  expect(await payouts()).toMatchObject({ held_until: null, paid_until: null, under_way_until: cutoff });

  await advance(run, 'check');
  await pay(payoutId, '30.00');
  await expectFigures('paid', { paid_cents: 3_000 });
  expect(await payouts()).toMatchObject({ paid_until: cutoff, under_way_until: null });

  await app.commands.execute(new EndPayout({ payoutId, end: 'fail', reason: 'AC04', by: ADMIN }));
  await expectFigures('transfer returned', { payable_cents: 3_000 });
  expect(await payouts()).toMatchObject(none);

  const refunded = await sale('cs_refunded', 400, 400);
  await sale('cs_later', 500, 500);
  clock.advance(DAY_MS);
  await refunded.reverse('cs_refunded', 're_1', 4_000, 'refund');
  await expectFigures('refund before the payout', { payable_cents: 3_000, pending_cents: 2_500 });

  // After a transfer that failed, payouts wait for other details, and for a week.
  await saveDetails(app, CREATOR, { account: 'DE02120300000000202051' });
  clock.advance(8 * DAY_MS);
  const second = await payoutRun(app, 'check');
  await app.project();
  await pay(payoutIdOf(second, creatorId), '30.00');
  await charged.reverse('cs_charged', 'du_1', 10_000);
  await expectFigures('chargeback after it', { paid_cents: 3_000, pending_cents: 2_500, debt_cents: 3_000 });

  clock.advance(31 * DAY_MS);
  await expectFigures('debt repaid in part', { paid_cents: 3_000, debt_cents: 500 });
  await sale('cs_last', 400, 400);
  clock.advance(31 * DAY_MS);
  await expectFigures('debt repaid', { paid_cents: 3_000, payable_cents: 1_500 });

  await ask('withdraw_consent_by_jwt', { p_confirmation: 'Aria Vale' }, CREATOR);
  await expectFigures('withdrawn', { paid_cents: 3_000, payable_cents: 1_500 });
});
