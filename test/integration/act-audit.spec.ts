import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Kysely, sql } from 'kysely';
import { ActReconciler } from '../../src/admin/acts/workers/act-reconciler.js';
import { makeSeal, proveSeal, SealedHeads, signingKeyOf } from '../../src/audit/index.js';
import { readVerificationState } from '../../src/audit/continuous/verification-state.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { CreditActs } from '../../src/credits/ledger/credit-acts.js';
import { adjustCredits, grantBonusCredits, repairClock } from '../../src/credits/account/decide.js';
import { type Actor, SYSTEM_ACTOR } from '../../src/platform/acts/actor.js';
import { actHash, actIdOf, Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { Locks } from '../../src/platform/locks.js';
import { asOwner } from '../support/database.js';
import { keyInFolder } from '../support/folder-key.js';
import { type LedgerApp, startLedger } from '../support/ledger-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

const MINUTE = 60_000;
const admin: Actor = { userId: 'admin_1', role: 'admin', requestId: 'req-1', address: '192.0.2.7' };

let ledger: LedgerApp;
let db: Kysely<ActTables>;
let user: string;
let accounts: AccountStore;
let acts: Acts;
let creditActs: CreditActs;
let reconciler: ActReconciler;

beforeAll(async () => {
  ledger = await startLedger();
  db = ledger.database.db as unknown as Kysely<ActTables>;
  const ids = new UuidGenerator();
  accounts = new AccountStore(ledger.eventStore, ledger.clock, ids);
  acts = new Acts(db, ledger.clock, ids);
  creditActs = new CreditActs(accounts, acts);
  reconciler = new ActReconciler(db as never, ledger.eventStore, acts, ledger.clock, new Locks(ledger.database.pool));
});
afterAll(() => ledger?.close());

const owner = (text: string, values: unknown[] = []) => asOwner(ledger.database).query(text, values);

/** A log that an hour of other work follows, and an account with a grant of an admin. */
beforeEach(async () => {
  user = `user_${randomUUID()}`;
  await ledger.clear();
  await owner('truncate ledger_seal, admin_refund');
  await reconciler.onApplicationBootstrap();
  await reconciler.tick();
  ledger.clock.advance(60 * MINUTE);
  await ledger.daily(user);
  await grant();
  await ledger.project();
});

const granting = (grantId: string, amount = 10) => ({ grantId, amount, reason: 'A picture was lost' });
const grant = (grantId: string = randomUUID(), amount = 10) =>
  creditActs.perform(
    { kind: 'credits.granted', userId: user, admin, requestId: grantId, amount, reason: 'A picture was lost' },
    (account, now) => grantBonusCredits(granting(grantId, amount), account, now),
  );

/** Announces a grant as a process that dies afterwards does. */
const announceGrant = (grantId: string): Promise<string> =>
  acts.announce(
    {
      kind: 'credits.granted',
      actor: admin,
      subject: { kind: 'user', id: user },
      userId: user,
      after: { amount: 10 },
      reason: 'A picture was lost',
    },
    actIdOf('credits.granted', user, grantId, admin.userId, 10, 'A picture was lost'),
  );
const appendGrant = (grantId: string, causationId: string) =>
  accounts.execute(user, { actorId: admin.userId, causationId }, (account, now) =>
    grantBonusCredits(granting(grantId), account, now),
  );
const orderRefund = (status: string, actId: string | null) =>
  sql`
    insert into admin_refund (id, session_id, user_id, credits, amount_cents, actor_id, reason, status, not_before,
      created_at, updated_at, act_id)
    values (gen_random_uuid(), 'cs_1', ${user}, 1, 10, 'admin_1', 'x', ${status}, ${ledger.clock.now()},
      ${ledger.clock.now()}, ${ledger.clock.now()}, ${actId})`.execute(ledger.database.db);
const endsOf = async (id: string): Promise<string[]> => {
  const ends = await db.selectFrom('admin_act').select('state').where('closes', '=', id).orderBy('number').execute();
  return ends.map(({ state }) => state);
};
const entries = () => db.selectFrom('admin_act').selectAll().orderBy('number').execute();
/** Problems without those of the projections, which a forged event always makes. */
const problems = async (): Promise<object[]> => {
  await ledger.project();
  return ledger.verify();
};

describe('ActReconciler', () => {
  it('opens the log once, for all instances', async () => {
    await Promise.all([reconciler.onApplicationBootstrap(), reconciler.onApplicationBootstrap()]);
    expect((await entries()).filter(({ kind }) => kind === 'log.opened')).toHaveLength(1);
  });

  it('ends an act whose process died after the ledger had its event', async () => {
    const grantId = randomUUID();
    const id = await announceGrant(grantId);
    await appendGrant(grantId, id);
    ledger.clock.advance(MINUTE);
    await reconciler.tick();
    expect(await endsOf(id)).toEqual(['done']);
    const [event] = (await ledger.eventStore.readStream(`creditAccount-${user}`)).slice(-1);
    const end = (await entries()).at(-1);
    expect(JSON.parse(end!.body)).toMatchObject({
      before: { daily: 10, bonus: 40, paid: 0, total: 50 },
      after: { amount: 10, daily: 10, bonus: 50, paid: 0, total: 60 },
      events: [{ stream: `creditAccount-${user}`, version: event!.version, id: event!.id }],
    });
    expect(await problems()).toEqual([]);
  });

  it('refuses an act without an event after a quarter of an hour, and its repeated request can still succeed', async () => {
    const grantId = randomUUID();
    const id = await announceGrant(grantId);
    ledger.clock.advance(14 * MINUTE);
    await reconciler.tick();
    expect(await endsOf(id)).toEqual([]);
    ledger.clock.advance(2 * MINUTE);
    await reconciler.tick();
    await reconciler.tick();
    expect(await endsOf(id)).toEqual(['refused']);
    await grant(grantId);
    expect(await endsOf(id)).toEqual(['refused', 'done']);
    expect(await problems()).toEqual([]);
  });

  it('finds the event that a repeated request left behind when it died too', async () => {
    const grantId = randomUUID();
    const id = await announceGrant(grantId);
    ledger.clock.advance(20 * MINUTE);
    await reconciler.tick();
    await appendGrant(grantId, id);
    await reconciler.tick();
    expect(await endsOf(id)).toEqual(['refused', 'done']);
  });

  it('says of the repair of a clock what it repaired', async () => {
    const now = ledger.clock.now();
    ledger.clock.advance(48 * 60 * MINUTE);
    const ahead = ledger.clock.now();
    await ledger.daily(user);
    ledger.clock.set(now);
    const act = { kind: 'clock.repaired', actor: admin, subject: { kind: 'user', id: user }, userId: user } as const;
    const id = await acts.announce(act, randomUUID());
    const repair = {
      reason: 'A server was ahead',
      grantedDays: [now, ahead].map((at) => at.toISOString().slice(0, 10)),
    };
    await accounts.execute(user, { actorId: admin.userId, causationId: id }, (account, at) =>
      repairClock(repair, account, at),
    );
    ledger.clock.advance(MINUTE);
    await reconciler.tick();
    expect(await endsOf(id)).toEqual(['done']);
    expect(JSON.parse((await entries()).at(-1)!.body)).toMatchObject({
      before: { ahead_until: ahead.toISOString() },
      after: { ahead_until: null },
    });
    expect(await problems()).toEqual([]);
  });

  it.each(['released', 'refused'])('refuses the act of a refund that was %s', async (status) => {
    const act = { kind: 'purchase.refunded', actor: admin, subject: { kind: 'user', id: user }, userId: user } as const;
    const id = await acts.announce(act, randomUUID());
    await orderRefund(status, id);
    ledger.clock.advance(MINUTE);
    await reconciler.tick();
    expect(await endsOf(id)).toEqual(['refused']);
    expect(JSON.parse((await entries()).at(-1)!.body)).toMatchObject({ after: { credits: 1, amount_cents: 10 } });
    expect(await problems()).toEqual([]);
  });

  it('leaves an act alone that is under way', async () => {
    const id = await announceGrant(randomUUID());
    await reconciler.tick();
    expect(await endsOf(id)).toEqual([]);
  });

  it('erases addresses after 13 months, and no other text', async () => {
    await announceGrant(randomUUID());
    const texts = () =>
      db.selectFrom('admin_act_personal').select(['address', 'reason']).where('reason', 'is not', null).execute();
    ledger.clock.advance(390 * 24 * 60 * MINUTE);
    await reconciler.tick();
    expect((await texts()).at(-1)).toEqual({ address: '192.0.2.7', reason: 'A picture was lost' });
    ledger.clock.advance(10 * 24 * 60 * MINUTE);
    await reconciler.tick();
    expect((await texts()).at(-1)).toEqual({ address: null, reason: 'A picture was lost' });
  });
});

it('erases the start of a prompt that a process of the version before stores as a name', async () => {
  const subject = { kind: 'refusal', id: randomUUID(), name: 'a private person' } as const;
  const other = { kind: 'creator', id: randomUUID(), name: 'Juno Abara' } as const;
  await db.transaction().execute(async (trx) => {
    await acts.record(trx, { kind: 'refusal.reviewed', actor: admin, subject });
    await acts.record(trx, { kind: 'creator.archived', actor: admin, subject: other });
  });
  await reconciler.tick();
  const names = db.selectFrom('admin_act_personal').select('subject_name').where('subject_name', 'is not', null);
  expect(await names.execute()).toEqual([{ subject_name: 'Juno Abara' }]);
  expect(await problems()).toEqual([]);
});

describe('verify of the log of acts', () => {
  it('finds nothing in an honest log, also after texts were erased', async () => {
    await grant(randomUUID(), 5);
    await db
      .updateTable('admin_act_personal')
      .set({ reason: null, reason_salt: null, address: null, address_salt: null })
      .execute();
    expect(await problems()).toEqual([]);
  });

  /** Changes the content of an entry, and with `remade` all hashes after it. */
  async function forge(number: number, from: string, to: string, remade: boolean): Promise<void> {
    let previous = '';
    for (const entry of await entries()) {
      const body = entry.number === number ? entry.body.replace(from, to) : entry.body;
      const hash = remade ? actHash(previous, body) : entry.hash;
      await owner('update admin_act set body = $2, hash = $3 where id = $1', [entry.id, body, hash]);
      previous = hash;
    }
    await owner('update admin_act_head set hash = $1', [previous]);
  }

  it('names an entry that was changed', async () => {
    await forge(2, '"amount":10', '"amount":1', false);
    expect(await problems()).toEqual([
      {
        kind: 'act',
        stream: 'acts',
        version: 2,
        what: 'The hash does not match the content of the entry and the hash before it.',
      },
    ]);
  });

  it('names an entry that was removed', async () => {
    await acts.announce(
      { kind: 'clock.repaired', actor: admin, subject: { kind: 'user', id: user }, userId: user },
      randomUUID(),
    );
    await grant();
    await owner('delete from admin_act_personal where act_id in (select id from admin_act where number = 4)');
    await owner('delete from admin_act where number = 4');
    expect(await problems()).toMatchObject([{ kind: 'act', version: 4, what: 'Entry 4 is missing.' }, { version: 5 }]);
  });

  it('names the end of the log that is missing', async () => {
    await owner('delete from admin_act where number = 3');
    expect(await problems()).toMatchObject([
      { kind: 'act', version: 3, what: expect.stringContaining('its end is missing') },
    ]);
  });

  it.each(['reason', 'subject_name'] as const)('names a text that was changed: %s', async (column) => {
    await owner(
      `update admin_act_personal set ${column} = 'Other', ${column}_salt = coalesce(${column}_salt, '00')
       where act_id = (select id from admin_act where number = 2)`,
    );
    expect(await problems()).toMatchObject([
      { kind: 'act', version: 2, what: `The text ${column} differs from the one that was recorded.` },
    ]);
  });

  it('names a column that differs from the content', async () => {
    await owner('alter table admin_act alter column actor_id drop expression');
    await owner(`update admin_act set actor_id = 'admin_2' where number = 2`);
    expect(await problems()).toMatchObject([
      { kind: 'act', version: 2, what: 'The column actor_id differs from the content.' },
    ]);
    await owner(`alter table admin_act drop column actor_id`);
    await owner(
      `alter table admin_act add column actor_id text not null generated always as (body::jsonb ->> 'actorId') stored`,
    );
  });

  describe('verify of a sealed log', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fanvas-acts-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function seal() {
      const { pool } = ledger.database;
      const dataDir = await mkdtemp(join(folder, 'data-'));
      const key = await signingKeyOf(pool, keyInFolder(dataDir));
      const context = { pool, eventStore: ledger.eventStore, key, now: () => ledger.clock.now(), folder: dataDir };
      const { file, manifest } = await makeSeal(context);
      return { file, manifest, key };
    }

    it('names a log whose chain was remade after the seal, with and without the file of the seal', async () => {
      const { file, manifest, key } = await seal();
      expect(manifest.acts).toMatchObject({ number: 3 });
      await forge(2, '"amount":10', '"amount":1', true);
      const expected = [
        { kind: 'seal', stream: 'acts', version: 3, what: expect.stringContaining('that seal 1 covers') },
      ];
      expect(await problems()).toMatchObject(expected);
      await owner('truncate ledger_seal');
      expect(await problems()).toEqual([]);
      const proven = await proveSeal(file, [key], () => undefined);
      const { pool } = ledger.database;
      const sealed = await SealedHeads.open([proven!]);
      const found = await verifiedLedger({ ...ledger, pool }, () => ledger.clock.now(), { sealed });
      expect(found.problems).toMatchObject(expected);
    });

    it('names a log that ends before the sealed entry', async () => {
      await seal();
      await owner('delete from admin_act_personal');
      await owner('delete from admin_act');
      await owner(`update admin_act_head set number = 0, hash = ''`);
      expect(await problems()).toMatchObject([
        { kind: 'seal', stream: 'acts', version: 1, what: expect.stringContaining('seal 1 covers it up to entry 3') },
      ]);
    });
  });
});

describe('pairs of acts and events', () => {
  it('names a grant without an act', async () => {
    await appendGrant(randomUUID(), randomUUID());
    expect(await problems()).toEqual([
      {
        kind: 'act',
        stream: `creditAccount-${user}`,
        version: 3,
        what: 'The event is the work of an admin, but no act in the log caused it.',
      },
    ]);
  });

  it('names an adjustment without an act, and ignores those before the log', async () => {
    const adjust = () =>
      accounts.execute(user, { actorId: 'admin_1' }, (account, now) =>
        adjustCredits({ adjustmentId: randomUUID(), amount: 1, reason: 'Given twice' }, account, now),
      );
    await adjust();
    expect(await problems()).toMatchObject([{ kind: 'act', version: 3 }]);
    await owner('truncate admin_act, admin_act_personal cascade');
    await owner(`update admin_act_head set number = 0, hash = ''`);
    await reconciler.onApplicationBootstrap();
    expect(await problems()).toEqual([]);
  });

  it('names a grant without an act in the next run of the continuous verification', async () => {
    const { pool } = ledger.database;
    const run = async () => {
      await ledger.project();
      const options = { now: () => ledger.clock.now(), maxEvents: 50_000 };
      return verifyNewEvents({ pool, eventStore: ledger.eventStore }, options);
    };
    expect(await run()).toMatchObject({ verifiedCompletely: 0, problems: 0 });
    await grant();
    expect(await run()).toMatchObject({ events: 1, verifiedCompletely: 0, problems: 0 });
    await appendGrant(randomUUID(), randomUUID());
    expect(await run()).toMatchObject({ events: 1, verifiedCompletely: 1, problems: 1 });
    expect((await readVerificationState(pool, 1)).first).toMatchObject([
      { stream: `creditAccount-${user}`, version: 4, kind: 'act' },
    ]);
  });

  it('names a forged grant that borrows the act of another one', async () => {
    const [act] = (await entries()).filter(({ state }) => state === 'open');
    await appendGrant(randomUUID(), act!.id);
    expect(await problems()).toMatchObject([
      { kind: 'act', stream: 'acts', version: 2, what: expect.stringContaining('which does not name the event') },
    ]);
  });

  it('names an act that names an event which it cannot cause', async () => {
    const id = await announceGrant(randomUUID());
    const command = { adjustmentId: randomUUID(), amount: 1, reason: 'Given twice' };
    const { addresses } = await accounts.execute(user, { actorId: 'admin_1', causationId: id }, (account, now) =>
      adjustCredits(command, account, now),
    );
    await acts.end(id, { state: 'done', events: addresses });
    const sentence = `The act ${id} (credits.granted) cannot cause event 3 of creditAccount-${user} (CreditsAdjusted).`;
    expect(await problems()).toEqual([{ kind: 'act', stream: 'acts', version: 4, what: sentence }]);
  });

  it('names an act that is done without its event', async () => {
    const id = await announceGrant(randomUUID());
    const missing = { stream: `creditAccount-${user}`, version: 9, id: randomUUID() };
    await acts.end(id, { state: 'done', events: [missing] });
    const empty = await announceGrant(randomUUID());
    await acts.end(empty, { state: 'done' });
    expect(await problems()).toMatchObject([
      { kind: 'act', version: 4, what: expect.stringContaining(`names the event ${missing.id}`) },
      { kind: 'act', version: 6, what: expect.stringContaining('is done without an event') },
    ]);
  });

  it('names an act that has not ended within an hour', async () => {
    await announceGrant(randomUUID());
    expect(await problems()).toEqual([]);
    ledger.clock.advance(61 * MINUTE);
    expect(await problems()).toMatchObject([
      { kind: 'act', version: 4, what: expect.stringContaining('has not ended') },
    ]);
  });

  it('names a refund that an admin ordered without an act', async () => {
    await orderRefund('refused', null);
    expect(await problems()).toMatchObject([
      { kind: 'act', stream: `creditAccount-${user}`, what: expect.stringContaining('no act in the log did it') },
    ]);
  });

  it('accepts a grant of the system that is in the log', async () => {
    const act = { kind: 'credits.granted', userId: 'user_2', requestId: 'demo', amount: 7, reason: 'Demo' } as const;
    await creditActs.perform({ ...act, admin: SYSTEM_ACTOR }, (account, now) =>
      grantBonusCredits(granting('demo', 7), account, now),
    );
    expect(await problems()).toEqual([]);
  });
});
