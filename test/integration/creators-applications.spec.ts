import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ACCEPTANCE_STATEMENT, creatorTermsText } from '../../src/contract/creator-terms.js';
import {
  type AdminCreator,
  type CreateCreatorResponse,
  type CreatorTableRow,
  type OwnCreator,
} from '../../src/contract/creators.js';
import { EraseCreator, CloseCreator } from '../../src/creators/index.js';
import { verifiedPerson } from '../support/applicants.js';
import { testClock } from '../support/test-clock.js';
import { asOwner } from '../support/database.js';
import { FakeImageProvider } from '../support/fake-image-provider.js';
import { storeTrial } from '../support/model-trial.js';
import { type Answer, type AnswerWithHeaders, startTestApp, type TestApp } from '../support/test-app.js';

// Postgres starts slowly on a loaded machine.
jest.setTimeout(60_000);

const DAY_MS = 86_400_000;
const clock = testClock();
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock, imageProvider: new FakeImageProvider() } });
});
afterAll(() => app.close());

interface Person {
  readonly userId: string;
  readonly email: string;
  readonly handle: string;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

let people = 0;

/** A signed-in person with a verified address. */
async function newPerson(handle = `p${(people += 1)}.${randomUUID().slice(0, 8)}`): Promise<Person> {
  return { ...(await verifiedPerson(app)), handle };
}

const rpc = <T>(name: string, token: string | null, body: object = {}): Promise<Answer<T>> =>
  app.rpc(name, token, body);

const apply = (
  person: Person,
  changes: object = {},
  token: string | null = person.userId,
): Promise<AnswerWithHeaders<CreateCreatorResponse & Refusal>> =>
  app.postJson('rest/v1/rpc/create_creator_by_jwt', token, {
    p_email: person.email,
    p_name: 'Juno Abara',
    p_instagram: `@${person.handle}`,
    p_terms_agreed: true,
    ...changes,
  });

async function applied(person: Person): Promise<string> {
  const { status, body } = await apply(person);
  if (status !== 200) throw new Error(`Not applied: ${JSON.stringify(body)}`);
  return body.creator_id;
}

const own = async ({ userId }: Person): Promise<OwnCreator | undefined> =>
  (await rpc<OwnCreator[]>('get_creator_by_jwt', userId)).body[0];

let admins = 0;
/** Calls as a new admin, because the calls are limited per admin. */
const asAdmin = <T>(name: string, body: object): Promise<Answer<T>> =>
  rpc<T>(name, `admin_${(admins += 1)}_${randomUUID()}`, body);

const verification = {
  p_identity_verified: 'Passport in a video call',
  p_age_verified: 'Born 1990, as the passport says',
  p_instagram_verified: 'Posted our code in a story',
};
const approve = (creatorId: string, changes: object = {}): Promise<Answer<AdminCreator & Refusal>> =>
  asAdmin('approve_creator_admin_by_jwt', { p_creator_id: creatorId, ...verification, ...changes });
const reject = (creatorId: string, reason = 'The account is private.'): Promise<Answer<AdminCreator & Refusal>> =>
  asAdmin('reject_creator_admin_by_jwt', { p_creator_id: creatorId, p_reason: reason });
/** Assigns a model on a trial picture that is stored first. */
const assign = async (creatorId: string, model: object): Promise<Answer<AdminCreator & Refusal>> => {
  const trial = { creatorId, model: String(Object.values(model)[0]), at: clock.now() };
  const p_trial_id = await storeTrial(asOwner(app), trial);
  return asAdmin('assign_creator_model_admin_by_jwt', { p_creator_id: creatorId, ...model, p_trial_id });
};

const logTerms = (
  person: Person,
  changes: object = {},
  headers = person.userId,
): Promise<Answer<{ success: true; id: string } & Refusal>> =>
  app.fn('log-terms-acceptance', headers, {
    user_id: person.userId,
    email: person.email,
    accepted_at: new Date(0).toISOString(),
    user_agent: 'Browser '.repeat(500),
    terms_version: 'v1.0',
    terms_url: 'http://localhost:3000/creator-terms',
    method_of_acceptance: 'creator_application_form',
    accepted_text_snapshot: ACCEPTANCE_STATEMENT,
    ...changes,
  });

async function rows<T = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<T[]> {
  return (await app.pool.query(text, values)).rows as T[];
}

const consentOf = ({ userId }: Person): Promise<Record<string, unknown>[]> =>
  rows('select * from creator_consent where clerk_id = $1 order by number', userId);
const applicationsOf = (creatorId: string): Promise<Record<string, unknown>[]> =>
  rows('select * from creator_application where creator_id = $1 order by applied_at', creatorId);
const actsOn = async (creatorId: string): Promise<Record<string, unknown>[]> =>
  (await rows<{ body: string }>('select body from admin_act where subject_id = $1 order by number', creatorId)).map(
    ({ body }) => JSON.parse(body) as Record<string, unknown>,
  );
const decisionsOf = (creatorId: string): Promise<Record<string, unknown>[]> =>
  rows('select * from creator_decision where creator_id = $1 order by number', creatorId);

describe('an application', () => {
  it('[C1.01, C3.02, C7.02] stores the creator, the application and the acceptance of the exact terms', async () => {
    const person = await newPerson();
    const { status, body } = await apply(person, { p_email: person.email.toUpperCase(), clerkId: 'user_other' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      creator_id: expect.any(String),
      username: person.handle,
      creator_status: 'pending',
    });
    const at = clock.now();
    expect(await consentOf(person)).toMatchObject([
      {
        kind: 'accepted',
        at,
        context: 'application',
        terms_version: 'v1.0',
        terms_sha256: createHash('sha256').update(creatorTermsText()).digest('hex'),
        terms_url: expect.stringMatching(/^http.*\/creator-terms$/),
        method_of_acceptance: 'creator_application_form',
        accepted_text_snapshot: ACCEPTANCE_STATEMENT,
        user_agent: 'test',
      },
    ]);
    expect(await applicationsOf(body.creator_id)).toMatchObject([
      { name: 'Juno Abara', instagram: `@${person.handle}`, applied_at: at },
    ]);
    expect(await own(person)).toMatchObject({
      id: body.creator_id,
      clerk_id: person.userId,
      creator_status: 'pending',
      applied_at: at.toISOString(),
      decided_at: null,
      rejection_reason: null,
      reapply_at: null,
    });
    const accepted = await rpc('get_terms_acceptance_status_by_jwt', person.userId, { p_terms_version: 'v1.0' });
    expect(accepted.body).toBe(true);
  });

  it('creates one creator when two tabs accept at once', async () => {
    const person = await newPerson();
    const answers = await Promise.all(Array.from({ length: 4 }, () => apply(person)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const { status, body } of answers) {
      if (status !== 409) continue;
      expect(body).toMatchObject({ code: '23505', message: 'You already have a creator application.' });
    }
    const creator = await own(person);
    expect(await consentOf(person)).toHaveLength(1);
    expect(await applicationsOf(creator?.id ?? '')).toHaveLength(1);
  });

  it('stores nothing when a part of it fails, and succeeds when it is repeated', async () => {
    const person = await newPerson();
    const owner = asOwner({ pool: app.pool });
    await owner.query(`alter table creator_consent add constraint outage check (clerk_id <> '${person.userId}')`);
    expect((await apply(person)).status).toBe(500);
    await owner.query('alter table creator_consent drop constraint outage');
    const stored = await rows(
      `select 1 from creator where clerk_id = $1 union all select 1 from creator_applicant where clerk_id = $1`,
      person.userId,
    );
    expect([stored, await consentOf(person)]).toEqual([[], []]);
    expect((await apply(person)).status).toBe(200);
  });

  it.each([
    [{ p_terms_agreed: false }, 422, 'You must accept the Creator Terms of Use to apply'],
    [{ p_name: null }, 400, 'Missing required creator data fields'],
    [{ p_name: ' ' }, 400, 'Name is required'],
    [{ p_instagram: '' }, 400, 'Instagram handle is required'],
    [{ p_instagram: 'juno' }, 400, 'Instagram handle must start with @'],
    [{ p_email: 'someone@else.test' }, 403, 'The email must be the verified email address of your account.'],
  ])('[C5.03, C5.04, C5.07] stores nothing with %j', async (changes, status, message) => {
    const person = await newPerson();
    expect(await apply(person, changes)).toMatchObject({ status, body: { message } });
    expect([await own(person), await consentOf(person)]).toEqual([undefined, []]);
  });

  it('refuses an address that is not verified', async () => {
    const person = await newPerson();
    await rows('update app_user set email_verified = false where id = $1', person.userId);
    expect((await apply(person)).status).toBe(403);
  });

  it('[C5.10, C8.05, C8.09, C9.08] refuses the sixth application in five minutes', async () => {
    const person = await newPerson();
    for (let count = 0; count < 5; count += 1) await apply(person, { p_name: '' });
    const { status, body, headers } = await apply(person);
    expect([status, body.message]).toEqual([429, 'Too many applications. Please try again in a few minutes.']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await own(person)).toBeUndefined();
  });

  it('stores nothing for an account that is being closed, also when both happen at once', async () => {
    const closed = await newPerson();
    await app.commands.execute(new CloseCreator({ userId: closed.userId }));
    expect(await apply(closed)).toMatchObject({ status: 409, body: { code: '55000' } });

    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson();
      const close = new CloseCreator({ userId: person.userId });
      const [answer] = await Promise.all([apply(person), app.commands.execute(close)]);
      // A closing hides the account again before it erases.
      await app.commands.execute(close);
      const open = await rows('select 1 from creator where clerk_id = $1 and withdrawn_at is null', person.userId);
      expect([open, [200, 409].includes(answer.status)]).toEqual([[], true]);
    }
  });

  it('gets no username of a route, and no handle of an approved creator', async () => {
    const first = await newPerson();
    await approve(await applied(first));
    const second = await newPerson();
    const refused = await apply(second, { p_instagram: `@${first.handle.toUpperCase()}` });
    expect(refused).toMatchObject({ status: 422, body: { code: '22023' } });
    expect(refused.body.message).toContain('belongs to a creator');
    const lookAlike = await apply(second, { p_instagram: `@${first.handle.replace('p', '\u0440')}` });
    expect(lookAlike.body.message).toContain('only letters a-z');
    expect((await apply(second, { p_instagram: '@Admin' })).body.username).toBe('admin-2');
  });

  it('lets two applicants claim a handle until one of them is approved', async () => {
    const impostor = await newPerson('same.handle');
    const juno = await newPerson('Same.Handle');
    const ids = [await applied(impostor), await applied(juno)] as const;
    expect((await approve(ids[1])).body.username).toBe('same.handle');
    const refused = await approve(ids[0]);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Another approved creator has this Instagram handle.',
    ]);
    expect(await decisionsOf(ids[0])).toEqual([]);
  });

  it('gets a numbered username at its approval when another creator has taken the first one', async () => {
    const first = await newPerson('dotted');
    const second = await newPerson('dotted.');
    const ids = [await applied(first), await applied(second)] as const;
    expect((await approve(ids[0])).body.username).toBe('dotted');
    expect((await approve(ids[1])).body.username).toBe('dotted-2');
  });
});

describe('a rejected person', () => {
  it('[C4.15, C9.03] applies again after 90 days, and every application and decision is kept', async () => {
    const person = await newPerson();
    const creatorId = await applied(person);
    const { body } = await reject(creatorId, ' The account is private. ');
    const rejectedAt = clock.now();
    const reapplyAt = new Date(rejectedAt.getTime() + 90 * DAY_MS).toISOString();
    const record = { rejection_reason: 'The account is private.', reapply_at: reapplyAt };
    expect(body).toMatchObject({ creator_status: 'rejected', decided_at: rejectedAt.toISOString(), ...record });
    expect(await own(person)).toMatchObject({ creator_status: 'rejected', ...record });

    clock.advance(90 * DAY_MS - 1);
    const early = await apply(person);
    expect([early.status, early.body.code]).toEqual([409, '55000']);
    expect(early.body.message).toContain('You can apply again from');
    expect(early.body.message).toContain(String(new Date(reapplyAt).getUTCFullYear()));

    clock.advance(1);
    const answers = await Promise.all([1, 2].map(() => apply(person, { p_name: 'Juno A.' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)?.body.creator_id).toBe(creatorId);
    expect(await own(person)).toMatchObject({
      creator_status: 'pending',
      name: 'Juno A.',
      rejection_reason: null,
      reapply_at: null,
      decided_at: null,
    });
    expect(await applicationsOf(creatorId)).toMatchObject([{ name: 'Juno Abara' }, { name: 'Juno A.' }]);
    expect(await consentOf(person)).toHaveLength(2);
    await approve(creatorId);
    expect(await decisionsOf(creatorId)).toMatchObject([
      { kind: 'rejected', reason: 'The account is private.', decided_at: rejectedAt },
      {
        kind: 'approved',
        identity_verified: verification.p_identity_verified,
      },
    ]);
  });
});

describe('log-terms-acceptance', () => {
  it('gives a withdrawn consent again before it answers, also in two tabs at once', async () => {
    const person = await newPerson();
    const creatorId = await applied(person);
    await approve(creatorId);
    expect((await rpc('withdraw_consent_by_jwt', person.userId, { p_confirmation: 'juno abara' })).status).toBe(200);
    expect((await own(person))?.withdrawn_at).toEqual(expect.any(String));
    const [first, second] = await Promise.all([logTerms(person), logTerms(person)]);
    expect([first.status, second.body]).toEqual([200, first.body]);
    expect(await own(person)).toMatchObject({ creator_status: 'active', is_visible: true, withdrawn_at: null });
    expect((await consentOf(person)).map(({ kind }) => kind)).toEqual(['accepted', 'withdrawn', 'accepted']);
    expect((await rpc('get_terms_acceptance_status_by_jwt', person.userId, { p_terms_version: 'v1.0' })).body).toBe(
      true,
    );
    expect((await logTerms(person)).body).toEqual(first.body);
  });

  it('[C3.04, C7.09] returns the acceptance of the application instead of storing another one', async () => {
    const person = await newPerson();
    await applied(person);
    const [acceptance] = await consentOf(person);
    expect((await logTerms(person)).body).toEqual({ success: true, id: acceptance?.['id'] });
    expect(await consentOf(person)).toHaveLength(1);
  });

  it('[C9.06] stores one acceptance when two tabs send it, with the time of the server', async () => {
    const person = await newPerson();
    await applied(person);
    await asOwner({ pool: app.pool }).query('delete from creator_consent where clerk_id = $1', [person.userId]);
    const answers = await Promise.all([logTerms(person), logTerms(person)]);
    const stored = await consentOf(person);
    expect(stored).toMatchObject([
      { kind: 'accepted', at: clock.now(), context: 'terms_page', user_agent: 'Browser '.repeat(125) },
    ]);
    for (const { body } of answers) expect(body).toEqual({ success: true, id: stored[0]?.['id'] });
    expect((await logTerms(person)).body.id).toBe(stored[0]?.['id']);
  });

  it.each([
    [{ email: undefined }, 400, 'Missing required'],
    [{ email: 'juno' }, 400, 'Email must contain @'],
    [{ email: 'someone@else.test' }, 403, 'verified email address'],
    [{ user_id: 'user_other' }, 403, 'your own acceptance only'],
    [{ terms_version: 'v2.0' }, 422, 'Unknown terms version'],
    [{}, 404, 'You have no creator application.'],
  ])('[C5.06] stores nothing with %j', async (changes, status, message) => {
    const person = await newPerson();
    const answer = await logTerms(person, changes);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
    expect(await consentOf(person)).toEqual([]);
  });

  it('[C5.10, C9.08] refuses the eleventh call in a minute with the text that the browser knows', async () => {
    const person = await newPerson();
    for (let count = 0; count < 10; count += 1) await logTerms(person, { email: '' });
    const { status, body } = await logTerms(person);
    expect([status, body.message]).toEqual([429, expect.stringContaining('Rate limit exceeded')]);
  });
});

describe('the review by admins', () => {
  it('[C1.01] approves with a complete verification, and assigns one model', async () => {
    const person = await newPerson();
    const creatorId = await applied(person);
    for (const missing of ['p_identity_verified', 'p_age_verified', 'p_instagram_verified']) {
      expect((await approve(creatorId, { [missing]: ' ' })).status).toBe(400);
    }
    expect((await assign(creatorId, { p_deployment_name: 'fanvas/early' })).status).toBe(409);
    const approved = await approve(creatorId);
    expect(approved.body).toMatchObject({ creator_status: 'active', decided_at: clock.now().toISOString() });
    expect((await approve(creatorId)).body.message).toBe('This creator has no open application.');
    expect((await reject(creatorId)).status).toBe(409);

    const deployment = `fanvas/${creatorId}`;
    expect((await assign(creatorId, {})).status).toBe(400);
    expect((await assign(creatorId, { p_deployment_name: 'juno' })).status).toBe(400);
    expect((await assign(creatorId, { p_deployment_name: deployment })).body).toMatchObject({
      deployment_name: deployment,
      lora_id: null,
    });
    const other = await applied(await newPerson());
    await approve(other);
    expect(await assign(other, { p_deployment_name: deployment })).toMatchObject({
      status: 409,
      body: { message: 'This model belongs to another creator.' },
    });
    expect(await decisionsOf(creatorId)).toMatchObject([
      { kind: 'approved', actor_id: expect.stringContaining('admin_'), age_verified: verification.p_age_verified },
      { kind: 'model_assigned', model: deployment },
    ]);
  });

  it('[C1.03, C6.06, C6.08, C7.11, C7.12, C7.13, C7.14] archives and features, records each change once, and opens no withdrawn page', async () => {
    const person = await newPerson();
    const creatorId = await applied(person);
    await approve(creatorId);
    const show = (p_is_visible: boolean): Promise<Answer<unknown>> =>
      asAdmin('toggle_creator_visibility', { p_creator_id: creatorId, p_is_visible });
    const feature = (p_is_featured: boolean): Promise<Answer<unknown>> =>
      asAdmin('toggle_creator_featured', { p_creator_id: creatorId, p_is_featured });
    const ids = async (name: string): Promise<string[]> =>
      (await asAdmin<AdminCreator[]>(name, {})).body.map(({ id }) => id);

    expect(await ids('get_all_creators_admin_by_jwt')).toContain(creatorId);
    for (const value of [false, false]) expect((await show(value)).body).toBe(value);
    expect(await ids('get_all_creators_admin_by_jwt')).not.toContain(creatorId);
    expect(await ids('get_all_creators_including_archived_admin_by_jwt')).toContain(creatorId);
    expect((await show(true)).body).toBe(true);
    for (const value of [false, false, true]) expect((await feature(value)).body).toBe(value);
    await app.commands.execute(new CloseCreator({ userId: person.userId }));
    expect((await show(true)).status).toBe(409);
    expect((await show(false)).body).toBe(false);
    expect((await decisionsOf(creatorId)).map(({ kind }) => kind)).toEqual([
      'approved',
      'archived',
      'unarchived',
      'unfeatured',
      'featured',
      'archived',
    ]);
    expect(await actsOn(creatorId)).toMatchObject([
      { kind: 'application.approved', before: { creator_status: 'pending' }, after: { creator_status: 'active' } },
      { kind: 'creator.archived', before: { is_visible: true }, after: { is_visible: false } },
      { kind: 'creator.unarchived', before: { is_visible: false }, after: { is_visible: true } },
      { kind: 'creator.unfeatured', before: { is_featured: true }, after: { is_featured: false } },
      { kind: 'creator.featured', before: { is_featured: false }, after: { is_featured: true } },
      { kind: 'creator.archived', creatorId, actorId: expect.stringContaining('admin_'), actorRole: 'admin' },
    ]);
  });

  it.each<[string, object]>([
    ['approve_creator_admin_by_jwt', verification],
    ['reject_creator_admin_by_jwt', { p_reason: 'x' }],
    ['assign_creator_model_admin_by_jwt', { p_deployment_name: 'a/b', p_trial_id: randomUUID() }],
    ['toggle_creator_visibility', { p_is_visible: false }],
    ['toggle_creator_featured', { p_is_featured: false }],
  ])('%s finds no unknown creator', async (name, body) => {
    expect((await asAdmin(name, { ...body, p_creator_id: randomUUID() })).status).toBe(404);
  });
});

describe('private fields', () => {
  const table = async (token: string | null, query: string): Promise<CreatorTableRow[]> => {
    return (await (await app.read(`rest/v1/creators?${query}`, token)).json()) as CreatorTableRow[];
  };

  it('[C6.01, C7.08] shows the selected columns of the table, and applicants to themselves only', async () => {
    const person = await newPerson();
    const other = await newPerson();
    const creatorId = await applied(person);
    const columns = [
      'id',
      'name',
      'username',
      'instagram',
      'creator_status',
      'is_visible',
      'is_featured',
      'created_at',
    ];
    const query = `select=${columns.join(',')}&clerk_id=eq.${person.userId}&limit=1`;
    expect([await table(null, query), await table(other.userId, query)]).toEqual([[], []]);
    const [row] = await table(person.userId, query);
    expect([row?.id, Object.keys(row ?? {})]).toEqual([creatorId, columns]);
    await approve(creatorId);
    expect((await table(null, query))[0]?.id).toBe(creatorId);
    expect(await table(null, `select=id&username=eq.${person.handle}`)).toEqual([{ id: creatorId }]);
    expect(await table(null, 'select=id&username=eq.no-such-name')).toEqual([]);
    for (const column of ['email', 'clerk_id', 'deployment_name', '*,email']) {
      const refused = await fetch(`${app.url}/rest/v1/creators?select=${column}&clerk_id=eq.${person.userId}`);
      expect(refused.status).toBe(400);
    }
    expect((await rpc<OwnCreator[]>('get_creator_by_jwt', other.userId)).body).toEqual([]);
    expect((await rpc('get_creator_by_jwt', null)).status).toBe(401);
  });

  it('erases them with the account, while times, versions and hashes stay', async () => {
    const person = await newPerson();
    const creatorId = await applied(person);
    await reject(creatorId);
    await app.commands.execute(new CloseCreator({ userId: person.userId }));
    await app.commands.execute(new EraseCreator({ creatorId, hasEarnings: false }));
    expect(await consentOf(person)).toMatchObject([
      { email: null, user_agent: null, terms_version: 'v1.0', terms_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { kind: 'withdrawn', user_agent: null, terms_version: null },
    ]);
    expect(await applicationsOf(creatorId)).toMatchObject([{ name: '', email: '', instagram: '' }]);
    expect(await decisionsOf(creatorId)).toMatchObject([{ kind: 'rejected', reason: null }]);
  });

  it.each([
    `update creator_consent set at = now()`,
    `delete from creator_consent`,
    `update creator_application set applied_at = now()`,
    `delete from creator_application`,
    `update creator_decision set actor_id = 'x'`,
    `delete from creator_decision`,
  ])('refuses every other change by the app: %s', async (statement) => {
    await expect(app.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
