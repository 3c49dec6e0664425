import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AdminCalls } from '../../src/contract/calls/admin.js';
import { type AdminHealth, type AdminOverview } from '../../src/contract/admin.js';
import { SealSchedule } from '../../src/audit/workers/seal-schedule.js';
import { OpenAccount } from '../../src/credits/index.js';
import { ManualClock } from '../../src/platform/clock.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

jest.setTimeout(30_000);

const ADMIN = 'admin_ada';
const HOUR = 3_600_000;
const NOW = new Date();
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ overrides: { clock: new ManualClock(NOW) } });
});
afterAll(() => app.close());

const call = async <T>(name: string): Promise<T> => {
  const answer = await app.rpc<T>(name, ADMIN);
  expect(answer.status).toBe(200);
  return answer.body;
};
const overview = (): Promise<AdminOverview> => call('get_admin_overview');

interface NewCreator {
  readonly name: string;
  readonly status?: 'pending' | 'active';
  readonly at?: Date;
  readonly visible?: boolean;
  readonly featured?: boolean;
  readonly model?: string | null;
  readonly withdrawn?: boolean;
}

async function addCreator(creator: NewCreator): Promise<string> {
  const { name, status = 'active', at = NOW, visible = true, featured = true, withdrawn = false } = creator;
  const id = randomUUID();
  const model = creator.model === undefined ? `fanvas/${id}` : creator.model;
  await app.pool.query(
    `insert into creator (id, username, name, email, instagram, profile, creator_status, is_visible, is_featured,
       deployment_name, created_at, state_since, updated_at, withdrawn_at)
     values ($1, $2, $3, '', '', $4, $5, $6, $7, $8, $9, $9, $9, $10)`,
    [
      id,
      name.toLowerCase(),
      name,
      JSON.stringify({ url: `/media/${name}/1.webp`, width: 4, height: 5, thumbhash: '', sources: [] }),
      status,
      visible && !withdrawn,
      featured,
      model,
      at,
      withdrawn ? at : null,
    ],
  );
  return id;
}

async function addCase(
  kind: 'report' | 'take_down' | 'refusal',
  fields: { rank?: number; at: Date; due?: Date; creator?: string },
) {
  const { rank = 1, at, due = null, creator = 'creator_1' } = fields;
  await app.pool.query(
    `insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, due_at)
     values ($1, $2, $2, $3, 'user_maker', 'other', $4, $5, $6)`,
    [kind, randomUUID(), creator, rank, at, due],
  );
}

describe('get_admin_overview', () => {
  it('shows no queues, zeros and the opening of the log in an empty installation', async () => {
    await app.get(SealSchedule).tick();
    expect(await overview()).toMatchObject({
      queues: [],
      creators: { active: 0, featured: 0, archived: 0 },
      portraits: [],
      revenue: {
        earned_cents: 0,
        pending_cents: 0,
        payable_cents: 0,
        under_way_cents: 0,
        paid_cents: 0,
        debt_cents: 0,
      },
      now: { drawing: 0, credits_held: 0, delivered_today: 0, refunded_today: 0, last_seal: { number: 1 } },
      acts: [{ kind: 'log.opened', number: 1, actor_role: 'system', state: 'done' }],
    });
  });

  it('lists what waits for a person, urgent and overdue work first', async () => {
    await addCreator({ name: 'Nadia', status: 'pending', at: ago(3 * HOUR), model: null });
    await addCreator({ name: 'Emeka', status: 'pending', at: ago(5 * HOUR), model: null });
    await addCreator({ name: 'Juno', status: 'pending', at: ago(HOUR), model: null });
    await addCreator({ name: 'Left', status: 'pending', model: null, withdrawn: true });
    await addCreator({ name: 'Mira', model: null, at: ago(9 * HOUR) });
    const active = await addCreator({ name: 'Ren', featured: false });
    await addCreator({ name: 'Sol', visible: false });
    await addCase('report', { at: ago(4 * HOUR), rank: 0 });
    await addCase('report', { at: ago(2 * HOUR) });
    await addCase('report', { at: ago(7 * HOUR) });
    await addCase('take_down', { at: ago(50 * HOUR), due: ago(2 * HOUR), creator: active });
    await addCase('take_down', { at: ago(HOUR), due: ago(-47 * HOUR) });
    await addCase('refusal', { at: ago(3 * HOUR), rank: 2 });
    await app.pool.query(
      `insert into payment_problem (subject, kind, what, first_seen_at, last_seen_at) values ('cs_1', 'wrong_amount', 'x', $1, $1)`,
      [ago(HOUR)],
    );
    await app.pool.query(
      `insert into checkout (id, user_id, bundle_id, bundle_name, credits, amount_cents, currency, status, return_origin,
         session_id, expires_at, created_at, updated_at)
       select gen_random_uuid(), 'user_' || status || n, 'basic', 'Basic', 100, 1000, 'usd', status,
         'http://localhost:3000', 'cs_' || status || n, $1, $2, $2 from unnest(array['open', 'processing']) as status, generate_series(1, 2) as n`,
      [ago(2 * HOUR), ago(26 * HOUR)],
    );

    const { queues, creators, portraits } = await overview();
    expect(queues).toEqual([
      { kind: 'urgent_reports', count: 1, oldest_at: ago(4 * HOUR).toISOString(), overdue: 0, names: [] },
      { kind: 'take_downs', count: 2, oldest_at: ago(50 * HOUR).toISOString(), overdue: 1, names: ['Ren'] },
      { kind: 'reports', count: 2, oldest_at: ago(7 * HOUR).toISOString(), overdue: 0, names: [] },
      { kind: 'payment_problems', count: 1, oldest_at: ago(HOUR).toISOString(), overdue: 0, names: [] },
      { kind: 'stuck_checkouts', count: 2, oldest_at: ago(26 * HOUR).toISOString(), overdue: 0, names: [] },
      { kind: 'refused_prompts', count: 1, oldest_at: ago(3 * HOUR).toISOString(), overdue: 0, names: [] },
      { kind: 'applications', count: 3, oldest_at: ago(5 * HOUR).toISOString(), overdue: 0, names: ['Emeka', 'Nadia'] },
      { kind: 'without_model', count: 1, oldest_at: ago(9 * HOUR).toISOString(), overdue: 0, names: ['Mira'] },
    ]);
    expect(creators).toEqual({ active: 2, featured: 1, archived: 1 });
    expect(portraits.map(({ url }) => url)).toEqual(['/media/Mira/1.webp', '/media/Ren/1.webp']);
  });

  it('counts users and credits, and shows the last acts with how they ended', async () => {
    await app.commands.execute(new OpenAccount({ userId: 'user_fan' }));
    const grants = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async () =>
        app.rpc('grant_bonus_credits', ADMIN, {
          p_user_id: 'user_fan',
          p_grant_id: randomUUID(),
          p_amount: 1,
          p_reason: 'A test',
        }),
      ),
    );
    expect(grants.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const { acts, now } = await overview();
    expect(acts).toHaveLength(5);
    for (const act of acts) {
      expect(act).toMatchObject({
        kind: 'credits.granted',
        state: 'done',
        actor_id: ADMIN,
        user_id: 'user_fan',
        reason: 'A test',
      });
      expect(act.events).toHaveLength(1);
    }
    expect(acts.map(({ number }) => number)).toEqual(acts.map(({ number }) => number).sort((a, b) => b - a));
    expect(now.users).toBeGreaterThan(0);
    expect(now.users_this_week).toBe(now.users);
  });

  it('counts what is drawn, delivered and refunded today', async () => {
    await app.pool.query(
      `insert into generation (id, user_id, creator_id, prompt, status, model, cost, image, error_message, refund_reason,
         refunded, refunded_at, credits_closed_at, not_before, completed_at, created_at, updated_at)
       select gen_random_uuid(), 'user_' || n, 'creator', 'x', status, 'm', 10, case when completed then '{}'::jsonb end,
         case when failed then 'x' end, case when failed then 'timeout' end, failed, case when failed then now end,
         case when completed or failed then now end, now, case when completed then now end, now - interval '1 minute', now
       from (values (1, 'completed'), (2, 'completed'), (3, 'failed'), (4, 'pending')) as g (n, status),
         lateral (select status = 'completed' as completed, status = 'failed' as failed, $1::timestamptz as now) as more`,
      [NOW],
    );
    const { now } = await overview();
    expect(now).toMatchObject({ drawing: 1, delivered_today: 2, refunded_today: 1 });
  });
});

describe('get_admin_counts', () => {
  it('counts what waits at each place as the place itself does, and what is urgent or overdue', async () => {
    expect(await call<AdminCalls['get_admin_counts']['response']>('get_admin_counts')).toEqual({
      applications: 4,
      reports: 6,
      urgent: 2,
    });
    expect(await call('list_moderation_cases')).toMatchObject([{ total_count: 6 }, {}, {}, {}, {}, {}]);
  });
});

describe('get_admin_health', () => {
  const stateOf = async (name: string): Promise<string | undefined> => {
    const { at, lines } = await call<AdminHealth>('get_admin_health');
    expect(at).toBe(NOW.toISOString());
    return lines.find((line) => line.name === name)?.state;
  };

  it('notices unapplied events, problems of the ledger, and images and payments that wait too long', async () => {
    await app.project();
    expect(await stateOf('Projections')).toBe('well');
    expect(await stateOf('Images')).toBe('well');
    expect(await stateOf('Payments')).toBe('watch');

    await app.pool.query(`update generation set not_before = $1 where status = 'pending'`, [ago(HOUR)]);
    await app.pool.query(
      `insert into payment_event (id, type, occurred_at, object_id, received_at, not_before)
       values ('evt_1', 'charge.refunded', $1, 'ch_1', $1, $1)`,
      [ago(2 * HOUR)],
    );
    await app.pool.query(
      `insert into ledger_problem (subject, place, stream, version, kind, what, found_at)
       values ('user_fan', 0, 'creditAccount-user_fan', 1, 'hash', 'x', $1)`,
      [NOW],
    );
    expect(await stateOf('Images')).toBe('bad');
    expect(await stateOf('Payments')).toBe('bad');
    expect(await stateOf('Ledger')).toBe('bad');
  });
});
