import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../src/platform/clock.js';
import { type Actor } from '../../src/platform/acts/actor.js';
import { actHash, Acts, type NewAct, textHash } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';

jest.setTimeout(60_000);

let database: TestDatabase<ActTables>;
let acts: Acts;
const clock = new ManualClock(new Date('2026-11-23T09:00:00Z'));
const admin: Actor = { userId: 'user_admin', role: 'admin', requestId: 'req-1', address: '192.0.2.7' };
const act = (id: string): NewAct => ({
  kind: 'creator.featured',
  actor: admin,
  subject: { kind: 'creator', id, name: 'Juno Abara' },
  creatorId: id,
  before: { is_featured: false },
  after: { is_featured: true },
  reason: 'Asked for by the creator',
});

beforeAll(async () => {
  database = await withTestDatabase();
  acts = new Acts(database.db, clock, new UuidGenerator());
});
afterAll(() => database.close());

const record = (entry: NewAct): Promise<string> =>
  database.db.transaction().execute((transaction) => acts.record(transaction, entry));
const entries = () => database.db.selectFrom('admin_act').selectAll().orderBy('number').execute();

it('chains the entries of transactions that run at the same time', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, index) => record(act(`creator-${index}`))));
  const stored = await entries();
  expect(stored.map(({ number }) => number)).toEqual(stored.map((_, index) => index + 1));
  let previous = '';
  for (const { body, hash } of stored) {
    expect(hash).toBe(actHash(previous, body));
    previous = hash;
  }
  expect(stored[0]).toMatchObject({ kind: 'creator.featured', state: 'done', actor_id: 'user_admin' });
});

it('stores nothing when the transaction of the act is rolled back', async () => {
  const before = (await entries()).length;
  const change = database.db.transaction().execute(async (transaction) => {
    await acts.record(transaction, act('creator-lost'));
    throw new Error('The change failed.');
  });
  await expect(change).rejects.toThrow('The change failed.');
  expect(await entries()).toHaveLength(before);
});

it('announces a repeated act once, and ends it once', async () => {
  const id = new UuidGenerator().next();
  const grant: NewAct = { ...act('user_1'), kind: 'credits.granted', subject: { kind: 'user', id: 'user_1' } };
  expect(await acts.announce(grant, id)).toBe(id);
  expect(await acts.announce(grant, id)).toBe(id);
  await Promise.all([1, 2, 3].map(() => acts.end(id, { state: 'done', after: { bonus: 10 } })));
  const ends = (await entries()).filter(({ closes }) => closes === id);
  expect(ends.map(({ state }) => state)).toEqual(['done']);
  expect(await database.db.selectFrom('admin_act').selectAll().where('id', '=', id).execute()).toHaveLength(1);
});

it('ends a refused act as done when its repeated request succeeds, and nothing after that', async () => {
  const id = new UuidGenerator().next();
  await acts.announce(act('user_2'), id);
  for (const state of ['refused', 'refused', 'done', 'refused', 'done'] as const) await acts.end(id, { state });
  const ends = (await entries()).filter(({ closes }) => closes === id);
  expect(ends.map(({ state }) => state)).toEqual(['refused', 'done']);
});

it('keeps texts that may name a person apart, and the salted hash of each in the entry', async () => {
  const id = await record(act('creator-personal'));
  const { body } = await database.db
    .selectFrom('admin_act')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(body).not.toMatch(/Juno|192\.0\.2|Asked/);
  const stored = await database.db
    .selectFrom('admin_act_personal')
    .selectAll()
    .where('act_id', '=', id)
    .executeTakeFirstOrThrow();
  const texts = { reason: 'Asked for by the creator', address: '192.0.2.7', subject_name: 'Juno Abara' };
  expect(stored).toMatchObject(texts);
  const hashOf = (field: keyof typeof texts): string =>
    textHash({ text: texts[field], salt: stored[`${field}_salt`] ?? '' });
  expect(JSON.parse(body)).toMatchObject({
    personal: { reason: hashOf('reason'), address: hashOf('address'), subject_name: hashOf('subject_name') },
  });
});

it.each([
  ["update admin_act set body = '{}'"],
  ['delete from admin_act'],
  ['truncate admin_act cascade'],
  ['delete from admin_act_head'],
  ['delete from admin_act_personal'],
])('refuses to the app: %s', async (statement) => {
  await expect(database.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/);
});
