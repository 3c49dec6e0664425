import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { RevenueAudit } from '../../src/audit/verify/revenue-audit.js';
import {
  type CreatorAnalytics,
  type CreatorEarning,
  type CreatorMonthlyHistory,
  type CreatorStatement,
} from '../../src/contract/revenue.js';
import { InsufficientCreditsError } from '../../src/credits/index.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { ManualClock } from '../../src/platform/clock.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { type EarningRow } from '../../src/revenue/index.js';
import { addingCreator } from '../support/adding-creator.js';
import { revenueOf } from '../support/book-entries.js';
import { RevenueMonths } from '../support/revenue-months.js';
import { asOwner } from '../support/database.js';
import { LedgerFan } from '../support/ledger-fan.js';
import { seededRandom } from '../support/random.js';
import { STORED_IMAGE, storeGeneration } from '../support/stored-generation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';
import { rowsOf } from '../support/csv.js';

jest.setTimeout(120_000);

const NOW = new Date('2026-03-10T09:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const clock = new ManualClock(NOW);
let app: TestApp;
let accounts: AccountStore;
let added = 0;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  accounts = new AccountStore(app.eventStore, clock, new UuidGenerator());
});
afterAll(() => app.close());

interface TestCreator {
  readonly id: string;
  readonly clerkId: string;
  readonly username: string;
}

async function addCreator(): Promise<TestCreator> {
  added += 1;
  const clerkId = `creator_${added}`;
  const { creatorId: id, username } = await app.commands.execute(
    addingCreator(`ada${added}`, { clerkId, name: `Ada ${added}` }),
  );
  return { id, clerkId, username };
}

const newFan = (): LedgerFan => new LedgerFan(accounts, clock);

/** A fan without free credits. */
async function payingFan(): Promise<LedgerFan> {
  const fan = newFan();
  await fan.image('somebody', 30);
  return fan;
}

/** Node 20 has no WebSocket; the client asks for one at once and uses it only for channels. */
class NoSocket extends EventTarget {}

/** The query client of the browser, with a token. */
function client(token: string | null): SupabaseClient {
  return createClient(app.url, 'anonymous', {
    ...(token === null ? {} : { accessToken: () => Promise.resolve(token) }),
    realtime: { transport: NoSocket as never },
  }) as SupabaseClient;
}

/** A result of the client. */
interface Rpc {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code: string; readonly details: string | null } | null;
}

async function call<T>(token: string | null, name: string, parameters: object): Promise<T> {
  await asOwner(app).query('truncate rate_limit');
  const { data, error } = (await client(token).rpc(name, parameters)) as Rpc;
  if (error) throw new Error(`${error.code}: ${error.message} ${error.details ?? ''}`);
  return data as T;
}

const analytics = (token: string, p_creator_id: string): Promise<CreatorAnalytics> =>
  call(token, 'get_creator_dashboard_analytics', { p_creator_id });
const history = (token: string, p_creator_id: string, p_months_back?: unknown): Promise<CreatorMonthlyHistory> =>
  call(token, 'get_creator_monthly_history', {
    p_creator_id,
    ...(p_months_back === undefined ? {} : { p_months_back }),
  });
const statement = (token: string, p_creator_id: string, p_month: string): Promise<CreatorStatement> =>
  call(token, 'get_creator_statement', { p_creator_id, p_month });

/** All pages of a creator's earnings. */
async function earnings(token: string, p_creator_id: string, p_month: string | null = null): Promise<CreatorEarning[]> {
  const rows: CreatorEarning[] = [];
  for (let page = 0; page < 100; page += 1) {
    const found = await call<CreatorEarning[]>(token, 'get_creator_earnings', {
      p_creator_id,
      p_month,
      p_limit: 25,
      p_offset: rows.length,
    });
    rows.push(...found);
    if (found.length < 25) return rows;
  }
  throw new Error('There are more than 100 pages.');
}

async function download(token: string | null, query: string): Promise<{ status: number; text: string; type: string }> {
  await asOwner(app).query('truncate rate_limit');
  const response = await app.read(`exports/creator-earnings.csv?${query}`, token);
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? '' };
}

/** The rows of the CSV by column. */
const csv = async (token: string, query: string) => rowsOf((await download(token, query)).text);

const centsOf = (dollars: string | undefined): number => Math.round(Number(dollars) * 100);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function projectionProblems(): Promise<string[]> {
  const { problems } = await verifiedLedger(app, () => clock.now());
  return problems.filter(({ kind }) => kind === 'projection').map((problem) => problem.what);
}

/** Half a year of purchases at odd prices, images of all kinds, refunds, and disputes that are won and lost. */
async function randomMonths(
  random: () => number,
  creators: readonly TestCreator[],
  turns: number,
): Promise<LedgerFan[]> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const fans = Array.from({ length: 5 }, newFan);
  const bought: { fan: LedgerFan; session: string; cents: number; reversal: string | null }[] = [];
  const open: { fan: LedgerFan; id: string }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    clock.advance(Math.floor(random() * 3 * DAY_MS));
    const fan = pick(fans);
    const creator = pick(creators).id;
    const chance = random();
    if (chance < 0.2) {
      const [credits, cents] = pick([
        [100, 1099],
        [40, 333],
        [75, 749],
        [100, 1000],
        [7, 5],
      ] as const);
      await fan.buy(`cs_${turn}`, credits, cents);
      bought.push({ fan, session: `cs_${turn}`, cents, reversal: null });
    } else if (chance < 0.75) {
      const end = pick(['delivered', 'delivered', 'delivered', 'failed', 'own', 'open'] as const);
      try {
        const id = await fan.image(creator, pick([10, 10, 3, 17]), end);
        if (end === 'open') open.push({ fan, id });
      } catch (error) {
        if (!(error instanceof InsufficientCreditsError)) throw error;
      }
    } else if (chance < 0.85) {
      const purchase = pick(bought);
      if (!purchase || purchase.reversal) continue;
      purchase.reversal = `rev_${turn}`;
      const cents = Math.ceil(purchase.cents * pick([0.3, 1]));
      await purchase.fan.reverse(purchase.session, purchase.reversal, cents, pick(['dispute', 'dispute', 'refund']));
    } else if (chance < 0.92) {
      const purchase = pick(bought.filter(({ reversal }) => reversal !== null));
      if (purchase?.reversal) await purchase.fan.reinstate(purchase.session, purchase.reversal);
    } else {
      const ended = open.splice(0, 1)[0];
      if (ended) await ended.fan[random() < 0.5 ? 'deliver' : 'fail'](ended.id);
    }
  }
  return fans;
}

/** The sum of what is payable at an instant, from all rows. */
function payableOf(rows: readonly EarningRow[], now: Date): number {
  return sum(rows.filter((row) => row.payable_at <= now).map((row) => row.creator_cents));
}

describe('earnings of creators', () => {
  it.each([1, 2, 3])(
    'shows the same cents on the dashboard, in the months, in the CSV, in statements and in the audit (seed %s)',
    async (seed) => {
      const creators = [await addCreator(), await addCreator()];
      const fans = await randomMonths(seededRandom(seed), creators, 150);
      await app.project();
      expect(await projectionProblems()).toEqual([]);
      const audited = new RevenueMonths();
      const rows: EarningRow[] = [];
      for (const fan of fans) {
        const events = await app.eventStore.readStream(`creditAccount-${fan.id}`);
        const audit = new RevenueAudit(fan.id, new Date(0));
        for (const event of events) for (const row of audit.add(event)) audited.add(row);
        rows.push(...revenueOf(fan.id, events, { cumulativeFrom: new Date(0) }));
      }
      for (const { id, clerkId } of creators) {
        const due = [...audited.months()].filter(({ creator_id }) => creator_id === id);
        const dashboard = await analytics(clerkId, id);
        const { monthly_breakdown: before } = await history(clerkId, id, 120);
        const months = [dashboard.this_month, ...before];
        const file = await csv(clerkId, `creator_id=${id}`);
        const list = await earnings(clerkId, id);
        const total = sum(due.map((month) => month.creator_cents));
        expect(total).toBeGreaterThan(100);
        expect(Math.round(dashboard.revenue.all_time_earnings * 100)).toBe(total);
        const { pending_cents, payable_cents, under_way_cents, paid_cents, debt_cents } = dashboard.revenue;
        expect({ under_way_cents, paid_cents }).toEqual({ under_way_cents: 0, paid_cents: 0 });
        expect(pending_cents + payable_cents - debt_cents).toBe(total);
        expect(sum(file.map((row) => centsOf(row['creator_usd'])))).toBe(total);
        expect(sum(list.map((row) => row.creator_cents))).toBe(total);
        expect(list.map((row) => row.id)).toEqual(file.map((row) => row['id']).reverse());
        expect(new Set(list.map((row) => row.total_count))).toEqual(new Set([list.length]));
        for (const month of months) {
          const inMonth = due.find((each) => each.month === month.month);
          const cents = inMonth?.creator_cents ?? 0;
          expect(Math.round(month.creator_earnings * 100)).toBe(cents);
          expect(month.paid_generations).toBe(inMonth?.paid_generations ?? 0);
          const part = await csv(clerkId, `creator_id=${id}&month=${month.month}`);
          expect(sum(part.map((row) => centsOf(row['creator_usd'])))).toBe(cents);
          const rowsOf = (kind: string): Record<string, string>[] => part.filter((row) => row['kind'] === kind);
          expect(rowsOf('earning')).toHaveLength(month.paid_generations);
          expect(rowsOf('free')).toHaveLength(month.free_generations);
          expect(sum(rowsOf('correction').map((row) => centsOf(row['creator_usd'])))).toBe(
            Math.round(month.corrections * 100),
          );
          const stated = await statement(clerkId, id, month.month);
          expect(stated).toMatchObject({ total_cents: cents, free_generations: month.free_generations });
          expect(stated.restorations_cents).toBe(Math.round(month.restorations * 100));
          for (const figure of ['earnings_cents', 'corrections_cents', 'restorations_cents'] as const) {
            expect(sum(stated.days.map((day) => day[figure]))).toBe(stated[figure]);
          }
          expect(sum(stated.days.map((day) => day.paid_generations))).toBe(stated.paid_generations);
        }
        expect(dashboard.stats.paid_generations).toBe(sum(months.map((month) => month.paid_generations)));
        const own = rows.filter((row) => row.creator_id === id);
        const { rows: revenue } = await app.pool.query<{ paid: number }>(
          'select coalesce(sum(paid_generations), 0)::int as paid from creator_revenue_month where creator_id = $1',
          [id],
        );
        // Nothing was paid out, so nothing is owed back.
        expect({ payable_cents, debt_cents }).toEqual({ payable_cents: payableOf(own, clock.now()), debt_cents: 0 });
        expect(revenue).toEqual([{ paid: dashboard.stats.paid_generations }]);
      }
    },
  );

  it('makes an earning payable after 30 days, and takes it back with the reason before and after that day', async () => {
    const { id, clerkId } = await addCreator();
    const early = await payingFan();
    const late = await payingFan();
    await early.buy('cs_early', 10, 100);
    await late.buy('cs_late', 10, 100);
    await early.image(id);
    await late.image(id);
    await app.project();
    expect((await analytics(clerkId, id)).revenue).toMatchObject({ pending_cents: 100, payable_cents: 0 });
    const [first] = await earnings(clerkId, id);
    const payableAt = new Date(clock.now().getTime() + 30 * DAY_MS);
    expect(first).toMatchObject({
      kind: 'earning',
      creator_cents: 50,
      payable_at: payableAt.toISOString(),
      cause: null,
    });
    // Not the exact instant, which would link the images of one fan.
    const bought_at = `${clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(first?.paid).toEqual([{ credits: 10, unit_price_cents: 10, cents: 100, creator_cents: 50, bought_at }]);

    clock.advance(5 * DAY_MS);
    await early.reverse('cs_early', 'du_early', 100);
    await app.project();
    expect((await analytics(clerkId, id)).revenue).toMatchObject({
      all_time_earnings: 0.5,
      pending_cents: 50,
      payable_cents: 0,
      debt_cents: 0,
    });
    const [before] = await earnings(clerkId, id);
    expect(before).toMatchObject({ kind: 'correction', creator_cents: -50, cause: 'dispute' });

    clock.set(new Date(payableAt.getTime() - 1));
    expect((await analytics(clerkId, id)).revenue).toMatchObject({ pending_cents: 50, payable_cents: 0 });
    clock.advance(1);
    expect((await analytics(clerkId, id)).revenue).toMatchObject({ pending_cents: 0, payable_cents: 50 });

    clock.advance(40 * DAY_MS);
    await late.reverse('cs_late', 're_late', 100, 'refund');
    await app.project();
    expect((await analytics(clerkId, id)).revenue).toMatchObject({ payable_cents: 0, debt_cents: 0 });
    const [after] = await earnings(clerkId, id);
    expect(after).toMatchObject({ kind: 'correction', creator_cents: -50, cause: 'refund' });

    clock.advance(DAY_MS);
    await early.reinstate('cs_early', 'du_early');
    clock.advance(DAY_MS);
    await late.buy('cs_debt', 10, 100);
    await app.project();
    const [paid, won] = await earnings(clerkId, id);
    expect(won).toMatchObject({ kind: 'restoration', creator_cents: 50, cause: 'dispute_won' });
    expect(paid).toMatchObject({ kind: 'restoration', creator_cents: 50, cause: 'debt_paid' });
    expect((await analytics(clerkId, id)).revenue).toMatchObject({ payable_cents: 100, debt_cents: 0 });
  });

  it('[C1.02] [C3.05] [C3.06] counts images, fans and free images, without own generations', async () => {
    clock.set(new Date('2027-06-29T12:00:00Z'));
    const { id, clerkId } = await addCreator();
    const mixed = newFan();
    const free = newFan();
    await mixed.image('somebody', 25);
    await mixed.buy('cs_1', 100, 1000);
    await mixed.image(id);
    await free.image(id, 10);
    await free.image(id, 10);
    await free.image(id, 10, 'own');
    await app.project();
    const { stats, this_month, revenue } = await analytics(clerkId, id);
    expect(stats).toEqual({ paid_generations: 1, total_generations: 3, unique_users: 2, free_generations: 2 });
    expect(this_month).toMatchObject({ month: '2027-06', month_name: 'June 2027', paid_generations: 1 });
    const [mixedRow] = (await earnings(clerkId, id)).filter(({ kind }) => kind === 'earning');
    const paidCredits = sum(mixedRow?.paid.map(({ credits }) => credits) ?? []);
    expect(paidCredits + (mixedRow?.free_credits ?? 0)).toBe(10);
    expect(mixedRow?.free_credits).toBeGreaterThan(0);
    expect(revenue).toMatchObject({ pending_cents: paidCredits * 5, payable_by_next_month_cents: 0 });
    clock.set(new Date('2027-07-02T00:00:00Z'));
    expect((await analytics(clerkId, id)).revenue.payable_by_next_month_cents).toBe(paidCredits * 5);
    clock.set(new Date('2027-09-02T00:00:00Z'));
    const { monthly_breakdown: months } = await history(clerkId, id);
    expect(months.map(({ month, free_generations: images }) => [month, images])).toEqual([
      ['2027-08', 0],
      ['2027-07', 0],
      ['2027-06', 2],
    ]);
    expect((await history(clerkId, id, 1)).monthly_breakdown).toHaveLength(1);
  });
});

describe('access to earnings', () => {
  const CALLS = [
    ['get_creator_dashboard_analytics', {}],
    ['get_creator_monthly_history', {}],
    ['get_creator_earnings', {}],
    ['get_creator_statement', { p_month: '2026-03' }],
  ] as const;

  it('[C6.03] [C6.09] [C7.06] [C7.07] allows the creator in any status, admins and finance only', async () => {
    const creator = await addCreator();
    const other = await addCreator();
    const refused = '42501: Creator not found or access denied';
    for (const status of ['active', 'rejected', 'archived', 'withdrawn']) {
      if (status === 'rejected') {
        await app.pool.query(`update creator set creator_status = 'rejected' where id = $1`, [creator.id]);
      } else if (status === 'archived') {
        await app.pool.query(`update creator set creator_status = 'active', is_visible = false where id = $1`, [
          creator.id,
        ]);
      } else if (status === 'withdrawn') {
        await app.pool.query('update creator set withdrawn_at = now() where id = $1', [creator.id]);
      }
      for (const [name, more] of CALLS) {
        const parameters = { p_creator_id: creator.id, ...more };
        for (const token of [creator.clerkId, 'admin_1', 'finance_1']) await call(token, name, parameters);
        for (const token of ['fan_1', 'auditor_1', other.clerkId]) {
          await expect(call(token, name, parameters)).rejects.toThrow(refused);
        }
        await expect(call(null, name, parameters)).rejects.toThrow('PGRST301');
        for (const unknown of ['00000000-0000-7000-8000-000000000000', 'nobody']) {
          await expect(call('fan_1', name, { ...parameters, p_creator_id: unknown })).rejects.toThrow(refused);
          await expect(call('admin_1', name, { ...parameters, p_creator_id: unknown })).rejects.toThrow(refused);
        }
      }
    }
    const query = `creator_id=${creator.id}`;
    expect(await download(creator.clerkId, query)).toMatchObject({ status: 200, type: 'text/csv; charset=utf-8' });
    expect((await download(creator.clerkId, query)).text).toBe(
      'id,kind,image_id,occurred_at,paid_credits,free_credits,fan_paid_usd,creator_usd,payable_at,reason\r\n',
    );
    expect((await download('finance_1', query)).status).toBe(200);
    expect((await download(other.clerkId, query)).status).toBe(403);
    expect((await download(null, query)).status).toBe(401);
    expect((await download(creator.clerkId, `${query}&month=2026-13`)).status).toBe(400);
    expect((await download(creator.clerkId, '')).status).toBe(403);
  });

  it.each([-1, 0, 1000, 1.5, '24'])('refuses months_back of %p', async (months) => {
    const { id, clerkId } = await addCreator();
    await expect(history(clerkId, id, months)).rejects.toThrow('p_months_back must be a whole number from 1 to 120');
  });

  it('shows prompts and images only while they are public, and never the fan', async () => {
    const { id, clerkId } = await addCreator();
    const fan = await payingFan();
    await fan.buy('cs_shown', 10, 100);
    const image = await fan.image(id);
    await storeGeneration(app.pool, { id: image, user_id: fan.id, creator_id: id, at: clock.now() });
    await app.project();
    const [shown] = await earnings(clerkId, id);
    expect(shown).toMatchObject({ prompt: 'A fox', image: { url: STORED_IMAGE.url } });
    expect(shown?.ordered_at).toBe(clock.now().toISOString());
    expect(JSON.stringify(shown)).not.toContain(fan.id);
    expect((await download(clerkId, `creator_id=${id}`)).text).not.toContain(fan.id);
    await app.pool.query('update generation set hidden_at = now() where id = $1', [image]);
    const [hidden] = await earnings('admin_1', id);
    expect(hidden).toMatchObject({ prompt: null, image: null, generation_id: image, creator_cents: 50 });
  });
});
