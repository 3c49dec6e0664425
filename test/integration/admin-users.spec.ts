import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type AdminTransaction,
  type AdminUserImage,
  type AdminUserReport,
  type AdminUser,
  type AdminUserRow,
  type CreditProposal,
  type LedgerEventDetail,
  type ListedProposal,
  type RefundPreview,
  type StatementMonth,
  type StuckCheckout,
} from '../../src/contract/admin-users.js';
import { v7 } from 'uuid';
import { GrantDailyCredits, OpenAccount } from '../../src/credits/index.js';
import { type CreditTables } from '../../src/credits/tables.js';
import { CreditProposals } from '../../src/credits/workers/credit-proposals.js';
import { SealSchedule } from '../../src/audit/workers/seal-schedule.js';
import { StreamDeletedError } from '../../src/platform/event-store/event-store.js';
import { asOwner } from '../support/database.js';
import { PaymentsApp } from '../support/payments-app.js';
import { storeGeneration } from '../support/stored-generation.js';

let app: PaymentsApp;
let user: string;
let admin: string;
let second: string;

beforeAll(async () => {
  app = await PaymentsApp.start();
});
afterAll(() => app?.close());
beforeEach(async () => {
  user = app.newUser();
  await app.commands.execute(new OpenAccount({ userId: user }));
  // New admins for each test, because the calls are rate-limited per admin.
  [admin, second] = [`admin_${randomUUID()}`, `admin_${randomUUID()}`];
});

const sql = (text: string, values: unknown[] = []) => asOwner(app).query(text, values);
const known = (id: string, name: string, email: string): Promise<unknown> =>
  sql(
    `insert into app_user (id, name, email, email_verified, created_at, updated_at) values ($1, $2, $3, true, now(), now())
     on conflict (id) do update set name = excluded.name, email = excluded.email`,
    [id, name, email],
  );
const search = async (p_search: string, more: object = {}): Promise<AdminUserRow[]> =>
  (await app.rpc<AdminUserRow[]>('search_users_admin', admin, { p_search, ...more })).body;

describe('search_users_admin', () => {
  it('finds a user by a part of the address or name in any case, and by the whole id', async () => {
    await known(user, 'Ines Falk', 'ines.falk@example.test');
    await app.project();
    for (const text of ['INES', 'falk@exa', ' ines.falk@example.test ', 'ne', user]) {
      expect(await search(text)).toMatchObject([
        { user_id: user, name: 'Ines Falk', bonus_credits: 30, total_count: 1 },
      ]);
    }
    for (const text of ['ines%', 'ines_falk', `${user}x`, '\\']) expect(await search(text)).toEqual([]);
  });

  it('lists the newest users in pages, without deleted ones', async () => {
    const ids = ['a', 'b', 'c'].map((letter) => `user_page_${letter}_${randomUUID()}`);
    for (const id of ids) await known(id, 'Paged Person', `${id}@example.test`);
    await sql('update app_user set deleted_at = now() where id = $1', [ids[1]]);
    const first = await search('paged person', { p_limit: 1 });
    const next = await search('paged person', { p_limit: 1, p_offset: 1 });
    expect([...first, ...next].map(({ user_id, total_count }) => [user_id, total_count])).toEqual([
      [ids[2], 2],
      [ids[0], 2],
    ]);
  });

  it('filters users who owe credits, and users who are suspended now', async () => {
    const [owing, suspended, free] = await Promise.all(
      ['owes', 'waits', 'was'].map(async (name) => {
        const id = app.newUser();
        await known(id, `Filter ${name}`, `${id}@example.test`);
        await app.commands.execute(new OpenAccount({ userId: id }));
        return id;
      }),
    );
    await app.project();
    await sql('update credit_balance set debt = 50 where user_id = $1', [owing]);
    const since = app.clock.now();
    for (const [id, hours] of [
      [suspended, 1],
      [free, -1],
    ] as const) {
      await sql(`insert into generation_suspension (user_id, since, until, reason) values ($1, $2, $3, 'A test')`, [
        id,
        since,
        new Date(since.getTime() + hours * 3_600_000),
      ]);
    }
    expect((await search('filter', { p_filter: 'owes' })).map(({ user_id, debt }) => [user_id, debt])).toEqual([
      [owing, 50],
    ]);
    expect((await search('filter', { p_filter: 'suspended' })).map((row) => [row.user_id, row.suspended])).toEqual([
      [suspended, true],
    ]);
  });
});

describe('orders of users', () => {
  it('orders by paid and spent credits, and lists the holders of paid credits', async () => {
    const word = `Order${randomUUID().slice(0, 8)}`;
    const ids = ['rich', 'busy', 'free'].map(() => app.newUser());
    for (const [index, id] of ids.entries()) {
      await known(id, `${word} ${index}`, `${id}@example.test`);
      await app.commands.execute(new OpenAccount({ userId: id }));
    }
    await app.project();
    const [rich, busy, free] = ids;
    await sql('update credit_balance set paid = 500, lifetime_spent = 10 where user_id = $1', [rich]);
    await sql('update credit_balance set paid = 20, lifetime_spent = 900 where user_id = $1', [busy]);
    const order = async (more: object) => (await search(word, more)).map(({ user_id: id }) => id);
    expect(await order({})).toEqual([free, busy, rich]);
    expect(await order({ p_sort: 'paid' })).toEqual([rich, busy, free]);
    expect(await order({ p_sort: 'spent' })).toEqual([busy, rich, free]);
    expect(await order({ p_filter: 'paid' })).toEqual([rich, busy]);
    expect(await order({ p_filter: 'paid', p_sort: 'spent' })).toEqual([busy, rich]);
    expect((await search('', { p_filter: 'paid', p_limit: 1 }))[0]?.paid_credits).toBeGreaterThanOrEqual(500);
    expect(await order({ p_sort: 'spent', p_limit: 1, p_offset: 1 })).toEqual([rich]);
    const unknown = await app.rpc('search_users_admin', admin, { p_sort: 'email' });
    expect(unknown.status).toBe(400);
  });
});

describe('one user', () => {
  const read = async (id = user, by = admin) => app.rpc<AdminUser>('get_user_admin', by, { p_user_id: id });

  it('shows the balances by kind, the lots in spending order, and what the admin may still grant', async () => {
    await known(user, 'Ines Falk', 'ines@example.test');
    const session = await app.paid(user);
    await app.lookUp(user, session);
    await app.commands.execute(new GrantDailyCredits({ userId: user }));
    await app.project();
    await app.rpc('grant_bonus_credits', admin, {
      p_user_id: user,
      p_grant_id: randomUUID(),
      p_amount: 20,
      p_reason: 'A test',
    });
    const { body } = await read();
    expect(body).toMatchObject({
      user_id: user,
      daily_credits: 10,
      bonus_credits: 50,
      paid_credits: 250,
      total_balance: 310,
      own: false,
      closed: false,
      suspension: null,
      strikes: 0,
      proposals: [],
      grant_left_today: 980,
    });
    expect(body.lots.map(({ kind, remaining, unit_price_cents: price }) => [kind, remaining, price])).toEqual([
      ['daily', 10, null],
      ['bonus', 30, null],
      ['bonus', 20, null],
      ['paid', 250, 10],
    ]);
    expect((await read(`user_${randomUUID()}`)).status).toBe(404);
  });

  it('shows the history with the kind of credit, and each event with its neighbour', async () => {
    const session = await app.paid(user);
    await app.lookUp(user, session);
    await app.spend(user, 5);
    await app.project();
    const { body: rows } = await app.rpc<AdminTransaction[]>('get_user_ledger_admin', admin, { p_user_id: user });
    const history = rows;
    expect(history.map(({ transaction_type: type, kind }) => [type, kind])).toEqual([
      ['deduction', 'mixed'],
      ['purchase', 'paid'],
      ['signup_bonus', 'bonus'],
    ]);
    const [last] = history;
    const { body } = await app.rpc<LedgerEventDetail>('get_ledger_event_admin', admin, {
      p_user_id: user,
      p_version: last!.version,
    });
    const events = await app.accountEvents(user);
    const [before, event] = events.filter(({ version }) => [last!.version - 1, last!.version].includes(version));
    expect(body).toMatchObject({
      event_id: event!.id,
      type: 'CreditsDeducted',
      version: last!.version,
      data: event!.data,
      seal: null,
      hash: event!.metadata.hash,
      previous_hash: before!.metadata.hash,
    });
    const unknown = await app.rpc('get_ledger_event_admin', admin, { p_user_id: user, p_version: 99 });
    expect(unknown.status).toBe(404);

    app.clock.advance(86_400_000);
    await app.get(SealSchedule).tick();
    const { rows: seals } = await sql('select max(number) as number from ledger_seal');
    const sealed = await app.rpc<LedgerEventDetail>('get_ledger_event_admin', admin, {
      p_user_id: user,
      p_version: last!.version,
    });
    expect(sealed.body.seal).toBe((seals[0] as { number: number }).number);
  });

  it('answers that the records are gone when the stream of the account was deleted', async () => {
    await app.project();
    const deleted = new StreamDeletedError(`creditAccount-${user}`);
    const read = jest.spyOn(app.eventStore, 'readStream').mockRejectedValue(deleted);
    const gone = { status: 410, body: { message: expect.stringContaining('records of this account') as unknown } };
    expect(await app.rpc('get_user_ledger_admin', admin, { p_user_id: user })).toMatchObject(gone);
    expect(await app.rpc('get_ledger_event_admin', admin, { p_user_id: user, p_version: 0 })).toMatchObject(gone);
    read.mockRestore();
  });
});

describe('images and reports of a user', () => {
  /** A picture of a user. @returns its id */
  const drawn = async (userId: string, fields: Parameters<typeof storeGeneration>[1] = {}): Promise<string> =>
    storeGeneration(asOwner(app), { user_id: userId, creator_id: 'gone', ...fields });
  const images = async (body: object = {}) =>
    (await app.rpc<AdminUserImage[]>('get_user_images_admin', admin, { p_user_id: user, ...body })).body;
  const reports = async (p_user_id: string, p_about: boolean) =>
    (await app.rpc<AdminUserReport[]>('get_user_reports_admin', admin, { p_user_id, p_about })).body;

  it('lists the images with their status, the latest first, without tests', async () => {
    const failed = { status: 'failed', error_message: 'Timed out', refunded: true } as const;
    const ids = [
      await drawn(user, {
        moderation: 'taken_down',
        moderated_at: 'now',
        moderation_note: 'x',
        created_at: '2026-01-01',
      }),
      await drawn(user, { hidden_at: 'now', created_at: '2026-01-02' }),
      await drawn(user, { ...failed, refund_reason: 'timeout', created_at: '2026-01-03' }),
      await drawn(user, { deleted_at: 'now', prompt: '', created_at: '2026-01-04' }),
      await drawn(user, { created_at: '2026-01-05' }),
    ];
    await drawn(user, { is_test: true, created_at: '2026-01-06' });
    await drawn(second);
    const rows = await images();
    expect(rows.map(({ generation_id: id }) => id)).toEqual([...ids].reverse());
    expect(rows.map(({ status, shown, image, total_count: total }) => [status, shown, image !== null, total])).toEqual([
      ['completed', 'visible', true, 5],
      ['completed', 'deleted', false, 5],
      ['failed', 'visible', false, 5],
      ['completed', 'owner', true, 5],
      ['completed', 'admins', true, 5],
    ]);
    expect(rows[2]).toMatchObject({ error_message: 'Timed out', refunded: true, creator_name: 'Unknown Creator' });
    expect((await images({ p_limit: 2, p_offset: 4 })).map(({ generation_id: id }) => id)).toEqual([ids[0]]);
  });

  it('lists the reports by a user, and the cases and strikes about their images', async () => {
    const image = await drawn(user);
    const mine = v7();
    const theirs = v7();
    for (const [id, reporter] of [
      [mine, second],
      [theirs, admin],
    ]) {
      await sql(
        `insert into generation_report (id, generation_id, creator_id, user_id, reason, note, prompt, created_at,
           resolved_at, resolved_by, resolution)
         values ($1, $2, 'gone', $3, 'hate', 'Look', 'A fox', now(), now(), 'admin_x', 'removed')`,
        [id, image, reporter],
      );
    }
    await sql(
      `insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, decision,
         decided_at, decided_by) values ('report', $1, $1, 'gone', $2, 'hate', 1, now(), 'take_down', now(), 'admin_x')`,
      [image, user],
    );
    await sql(`insert into generation_strike (act_id, user_id, generation_id, created_at) values ($1, $2, $3, now())`, [
      randomUUID(),
      user,
      image,
    ]);
    expect(await reports(second, false)).toMatchObject([
      { id: mine, kind: 'report', reason: 'hate', note: 'Look', decision: 'take_down', strike: false, total_count: 1 },
    ]);
    expect(await reports(second, true)).toEqual([]);
    expect(await reports(user, true)).toMatchObject([
      { id: image, generation_id: image, reports: 2, decision: 'take_down', strike: true, note: '', total_count: 1 },
    ]);
    expect(await reports(user, false)).toEqual([]);
  });

  it('sums the account by month, so that opening and changes make the closing', async () => {
    const session = await app.paid(user);
    await app.lookUp(user, session);
    await app.spend(user, 5);
    await app.rpc('refund_purchase', admin, { p_session_id: session, p_credits: 100, p_reason: 'Asked for' });
    await app.project();
    await sql(
      `update credit_transaction set created_at = created_at - interval '62 days'
      where user_id = $1 and transaction_type = 'signup_bonus'`,
      [user],
    );
    const { body } = await app.rpc<StatementMonth[]>('get_user_statement_admin', admin, { p_user_id: user });
    expect(body).toHaveLength(2);
    const [latest, first] = body;
    expect(first).toMatchObject({ opening: 0, granted: 30, closing: 30, total_count: 2 });
    expect(latest).toMatchObject({ opening: 30, granted: 0, bought: 250, taken: -100, refunded: 0, lapsed: 0 });
    expect(latest!.spent).toBeLessThan(0);
    for (const { opening, granted, bought, spent, refunded, lapsed, taken, closing } of body) {
      expect(opening + granted + bought + spent + refunded + lapsed + taken).toBe(closing);
    }
    expect(latest!.closing).toBe((await app.balances(user)).total);
  });
});

describe('proposals for a second admin', () => {
  const proposal = (change: object = {}) => ({
    p_proposal_id: randomUUID(),
    p_user_id: user,
    p_kind: 'grant',
    p_amount: 5_000,
    p_reason: 'A contest',
    ...change,
  });
  const propose = (body: object, by = admin) => app.rpc<CreditProposal>('propose_credits_admin', by, body);
  const decide = (p_proposal_id: string, p_approve: boolean, by = second) =>
    app.rpc<CreditProposal>('decide_credit_proposal_admin', by, { p_proposal_id, p_approve });
  const bonus = async (): Promise<number> => (await app.balances(user)).bonus;

  it('grants above the daily limit only when another admin approves, and once', async () => {
    await known(user, 'Ines Falk', `${user}@example.test`);
    const asked = proposal();
    expect((await propose(asked)).body).toMatchObject({ state: 'open', own: true, proposed_by: admin });
    expect((await propose(asked)).status).toBe(200);
    expect((await propose({ ...asked, p_amount: 1 })).status).toBe(409);
    const { body: shown } = await app.rpc<AdminUser>('get_user_admin', second, { p_user_id: user });
    expect(shown).toMatchObject({ proposals: [{ id: asked.p_proposal_id, user_name: 'Ines Falk', own: false }] });
    expect(await bonus()).toBe(30);
    expect(await decide(asked.p_proposal_id, true, admin)).toMatchObject({ status: 403, body: { code: '42501' } });
    expect((await decide(asked.p_proposal_id, true)).body).toMatchObject({ state: 'approved', decided_by: second });
    expect((await decide(asked.p_proposal_id, true)).status).toBe(200);
    expect(await decide(asked.p_proposal_id, false, `admin_${randomUUID()}`)).toMatchObject({ status: 409 });
    expect(await bonus()).toBe(5_030);
    expect((await decide(randomUUID(), true)).status).toBe(404);
  });

  it('changes nothing when it is declined', async () => {
    const asked = proposal({ p_kind: 'adjust', p_amount: 20 });
    await propose(asked);
    expect((await decide(asked.p_proposal_id, false)).body).toMatchObject({ state: 'declined' });
    expect(await decide(asked.p_proposal_id, true)).toMatchObject({ status: 409 });
    expect(await bonus()).toBe(30);
  });

  it('stays open when the ledger refuses the change', async () => {
    const asked = proposal({ p_kind: 'adjust', p_amount: 5_000 });
    await propose(asked);
    expect((await decide(asked.p_proposal_id, true)).status).toBe(409);
    const { body } = await app.rpc<CreditProposal[]>('list_credit_proposals_admin', admin, { p_limit: 100 });
    expect(body.find(({ id }) => id === asked.p_proposal_id)).toMatchObject({ state: 'open' });
  });

  it('counts open and decided proposals truly, and pages them', async () => {
    const list = async (p_decided: boolean, p_offset: number): Promise<ListedProposal[]> =>
      (await app.rpc<ListedProposal[]>('list_credit_proposals_admin', admin, { p_decided, p_limit: 2, p_offset })).body;
    const before = (await list(false, 0))[0]?.total_count ?? 0;
    const ids = Array.from({ length: 3 }, () => randomUUID());
    // The lists go by time; at one time they go by id, which is random.
    app.clock.advance(1_000);
    for (const id of ids) await propose(proposal({ p_proposal_id: id }));
    const first = await list(false, 0);
    const last = await list(false, before + 2);
    expect([first[0]?.total_count, last.length, last[0]?.total_count]).toEqual([before + 3, 1, before + 3]);
    expect(ids).toContain(last[0]?.id);
    app.clock.advance(1_000);
    await decide(ids[0]!, false);
    expect((await list(false, 0))[0]?.total_count).toBe(before + 2);
    expect((await list(true, 0))[0]).toMatchObject({ id: ids[0], state: 'declined' });
  });

  /** A proposal whose process died after the approval. */
  async function approvedOnly() {
    const asked = proposal();
    await propose(asked);
    await app
      .tables<CreditTables>()
      .updateTable('credit_proposal')
      .set({ state: 'approved', decided_by: second, decided_at: app.clock.now() })
      .where('id', '=', asked.p_proposal_id)
      .execute();
    return asked;
  }

  it('takes effect by the worker when the process died after the approval', async () => {
    await approvedOnly();
    await app.get(CreditProposals).tick();
    await app.get(CreditProposals).tick();
    expect(await bonus()).toBe(5_030);
  });

  it('opens an approved proposal of a deleted account again, and lets it be declined', async () => {
    const asked = await approvedOnly();
    const deleted = new StreamDeletedError(`creditAccount-${user}`);
    jest.spyOn(app.eventStore, 'append').mockRejectedValue(deleted);
    await app.get(CreditProposals).tick();
    expect(await decide(asked.p_proposal_id, true)).toMatchObject({ status: 410 });
    jest.restoreAllMocks();
    expect((await decide(asked.p_proposal_id, false)).body).toMatchObject({ state: 'declined' });
  });

  it('completes an approval although a page of others cannot be completed', async () => {
    const approved = (id: string, userId: string) => ({
      id,
      user_id: userId,
      kind: 'grant' as const,
      amount: 5_000,
      reason: 'A contest',
      proposed_by: admin,
      proposed_at: app.clock.now(),
      state: 'approved' as const,
      decided_by: second,
      decided_at: app.clock.now(),
    });
    const proposals = app.tables<CreditTables>();
    const hopeless = Array.from({ length: 21 }, () => approved(randomUUID(), `user_${randomUUID()}`));
    await proposals.insertInto('credit_proposal').values(hopeless).execute();
    app.clock.advance(1_000);
    await proposals.insertInto('credit_proposal').values(approved(randomUUID(), user)).execute();
    await app.get(CreditProposals).tick();
    expect(await bonus()).toBe(5_030);
  });

  it('refuses admins who change their own balance, by any way', async () => {
    await app.commands.execute(new OpenAccount({ userId: admin }));
    const change = { p_user_id: admin, p_amount: 10, p_reason: 'A gift' };
    const refusal = { status: 403, body: { code: '42501' } };
    expect(await app.rpc('grant_bonus_credits', admin, { ...change, p_grant_id: randomUUID() })).toMatchObject(refusal);
    expect(await app.rpc('adjust_credits', admin, { ...change, p_adjustment_id: randomUUID() })).toMatchObject(refusal);
    expect(await propose(proposal({ p_user_id: admin }))).toMatchObject(refusal);
    const asked = proposal({ p_user_id: admin });
    await propose(asked, second);
    expect(await decide(asked.p_proposal_id, true, admin)).toMatchObject(refusal);
    expect((await app.balances(admin)).total).toBe(30);
  });

  it('counts adjustments towards the daily limit as well, once for an id', async () => {
    const big = await app.rpc('adjust_credits', admin, {
      p_user_id: user,
      p_amount: 1_001,
      p_reason: 'Given twice',
      p_adjustment_id: randomUUID(),
    });
    expect(big).toMatchObject({ status: 409, body: { hint: 'propose_credits_admin' } });
    const small = { p_user_id: user, p_amount: 10, p_reason: 'Given twice', p_adjustment_id: randomUUID() };
    for (const call of [small, small]) expect((await app.rpc('adjust_credits', admin, call)).status).toBe(200);
    expect(await bonus()).toBe(20);
  });
});

describe('payments', () => {
  const preview = async (body: object) => app.rpc<RefundPreview>('preview_refund_admin', admin, body);

  it('previews a refund exactly, and changes nothing', async () => {
    const session = await app.paid(user);
    await app.lookUp(user, session);
    await app.spend(user, 50);
    const spent = 250 - ((await app.purchase(user, session))?.remaining ?? 0);
    const total = (await app.balances(user)).total;
    const { body } = await preview({ p_session_id: session, p_credits: 100 });
    expect(body).toMatchObject({
      credits: 100,
      amount_cents: 1_000,
      unspent: 250 - spent,
      spent,
      creators: [],
      refused: null,
      balance_before: total,
      balance_after: total - 100,
    });
    expect((await app.balances(user)).total).toBe(total);
    expect((await preview({ p_session_id: session, p_credits: 250 })).body).toMatchObject({
      refused: `Only ${250 - spent} credits of this purchase are unspent.`,
      balance_after: total,
    });
    expect((await preview({ p_session_id: 'cs_unknown' })).status).toBe(404);
    const done = await app.rpc<{ amount_cents: number }>('refund_purchase', admin, {
      p_session_id: session,
      p_credits: 100,
      p_reason: 'Asked for',
    });
    expect(done).toMatchObject({ status: 200, body: { amount_cents: 1_000 } });
    expect((await app.balances(user)).total).toBe(total - 100);
  });

  it('refuses an admin the refund of an own purchase', async () => {
    const session = await app.paid(admin);
    await app.lookUp(admin, session);
    const refused = await app.rpc('refund_purchase', admin, { p_session_id: session, p_reason: 'A test' });
    expect(refused).toMatchObject({ status: 403, body: { code: '42501' } });
    expect((await app.balances(admin)).paid).toBe(250);
  });

  it('lists checkouts that should have ended, and credits one that was paid', async () => {
    const session = await app.paid(user);
    await sql(`update checkout set expires_at = $2 where session_id = $1`, [
      session,
      new Date(app.clock.now().getTime() - 2 * 3_600_000),
    ]);
    const stuck = async () => (await app.rpc<StuckCheckout[]>('list_stuck_checkouts_admin', admin)).body;
    expect((await stuck()).filter(({ session_id: id }) => id === session)).toMatchObject([
      { user_id: user, status: 'open', credits: 250, amount_cents: 2_500 },
    ]);
    const retried = await app.rpc('retry_checkout_admin', admin, { p_session_id: session });
    expect(retried).toMatchObject({ status: 200, body: { success: true, status: 'credited' } });
    expect((await stuck()).filter(({ session_id: id }) => id === session)).toEqual([]);
    expect((await app.balances(user)).paid).toBe(250);
    expect((await app.rpc('retry_checkout_admin', admin, { p_session_id: 'cs_unknown' })).status).toBe(404);
  });
});
