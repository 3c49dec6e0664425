import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ActKind } from '../../src/contract/acts.js';
import {
  type Application,
  type ApplicantQuestion,
  type ApplicationRow,
  type ModelCheck,
  type ModelTrial,
} from '../../src/contract/applications.js';
import { MODEL_TRIAL_DAYS, TESTS_PER_DAY } from '../../src/contract/limits.js';
import { CloseCreator, EraseCreator } from '../../src/creators/index.js';
import { WithholdImages } from '../../src/generation/index.js';
import { trialOwner } from '../../src/generation/trials/model-trials.js';
import { type Applicant, newApplicant } from '../support/applicants.js';
import { asOwner } from '../support/database.js';
import { GenerationApp } from '../support/generation-app.js';

jest.setTimeout(90_000);

const DAY_MS = 86_400_000;
const ANY = expect.any(String) as unknown as string;

let app: GenerationApp;
let admins = 0;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Calls as a new admin, because the calls are limited per admin. */
async function asAdmin<T>(name: string, body: object, adminId = `admin_${(admins += 1)}_${randomUUID()}`): Promise<T> {
  const answer = await app.rpc(name, adminId, body);
  if (answer.status !== 200) throw new Refused(answer.status, answer.body as Refusal);
  return answer.body as T;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
  ) {
    super(`${status} ${refusal.message}`);
  }
}

const VERIFIED = {
  p_identity_verified: 'Passport, video call',
  p_age_verified: 'Passport',
  p_instagram_verified: 'A story with our code',
};
const approve = ({ creatorId }: Applicant, adminId?: string) =>
  asAdmin('approve_creator_admin_by_jwt', { p_creator_id: creatorId, ...VERIFIED }, adminId);
const details = ({ creatorId }: Applicant) =>
  asAdmin<Application>('get_application_admin', { p_creator_id: creatorId });
const ask = ({ creatorId }: Applicant, p_question = 'Since when is the account yours?', adminId?: string) =>
  asAdmin<ApplicantQuestion>('ask_applicant_admin', { p_creator_id: creatorId, p_question }, adminId);
const draw = ({ creatorId }: Applicant, p_deployment_name: string, p_prompt = 'a lighthouse', adminId?: string) =>
  asAdmin<ModelTrial>('draw_model_trial_admin', { p_creator_id: creatorId, p_deployment_name, p_prompt }, adminId);
const assign = ({ creatorId }: Applicant, model: object, p_trial_id: string, adminId?: string) =>
  asAdmin('assign_creator_model_admin_by_jwt', { p_creator_id: creatorId, ...model, p_trial_id }, adminId);
const trial = (p_trial_id: string) => asAdmin<ModelTrial>('get_model_trial_admin', { p_trial_id });

async function approvedApplicant(name?: string): Promise<Applicant> {
  const applicant = await newApplicant(app, { name });
  await approve(applicant);
  return applicant;
}

async function succeed(id: string): Promise<void> {
  await app.succeed((await app.row(id)).prediction_id);
}

async function drawn(applicant: Applicant, model: string): Promise<string> {
  const { id } = await draw(applicant, model);
  await succeed(id);
  return id;
}

interface Act {
  readonly kind: ActKind;
  readonly body: { before: object; after: object; actorId: string; subjectId: string };
  readonly reason: string | null;
  readonly subject_name: string | null;
}

async function actsOn({ creatorId }: Applicant): Promise<Act[]> {
  const { rows } = await app.pool.query<Act>(
    `select kind, body::jsonb as body, reason, subject_name from admin_act join admin_act_personal on act_id = id
     where creator_id = $1 order by number`,
    [creatorId],
  );
  return rows;
}

describe('list_applications_admin', () => {
  const list = (p_state: string, more: object = {}) =>
    asAdmin<ApplicationRow[]>('list_applications_admin', { p_state, p_limit: 100, ...more });

  it('moves an application through its lists, open ones oldest first and decided ones latest first', async () => {
    const name = `Lio ${randomUUID().slice(0, 8)}`;
    const named = async (state: string): Promise<string[]> =>
      (await list(state, { p_search: name.toUpperCase() })).map(({ creator_id: id }) => id);
    const people: Applicant[] = [];
    for (let count = 0; count < 3; count += 1) {
      people.push(await newApplicant(app, { name }));
      app.clock.advance(60_000);
    }
    const [first, second, third] = people.map(({ creatorId }) => creatorId);
    expect(await named('pending')).toEqual([first, second, third]);
    expect(await named('approved')).toEqual([]);

    await approve(people[2]!);
    app.clock.advance(60_000);
    await approve(people[0]!);
    app.clock.advance(60_000);
    await asAdmin('reject_creator_admin_by_jwt', { p_creator_id: second, p_reason: 'The account is private.' });
    expect(await named('pending')).toEqual([]);
    expect(await named('waiting_for_model')).toEqual([third, first]);
    expect(await list('rejected', { p_search: name })).toEqual([
      {
        creator_id: second,
        name,
        username: ANY,
        instagram: ANY,
        email: people[1]!.email,
        state: 'rejected',
        applied_at: ANY,
        decided_at: ANY,
        question: null,
        total_count: 1,
      },
    ]);
    for (const person of [people[2]!, people[0]!]) {
      const model = `fanvas/${person.creatorId}`;
      await assign(person, { p_deployment_name: model }, await drawn(person, model));
      app.clock.advance(60_000);
    }
    expect(await named('approved')).toEqual([first, third]);
    await app.commands.execute(new CloseCreator({ userId: people[0]!.userId }));
    expect(await named('approved')).toEqual([third]);
  });

  it('finds a part of a name, a handle or an address, and takes wildcards literally', async () => {
    const { creatorId, email } = await newApplicant(app, { name: 'Zoë 100%_Voss' });
    for (const p_search of ['ë 100%_v', '%_V', email.toUpperCase(), email.slice(4, 20)]) {
      const found = await list('pending', { p_search });
      expect([p_search, found.map((row) => row.creator_id)]).toEqual([p_search, [creatorId]]);
    }
    expect(await list('pending', { p_search: '%\u0000_x' })).toEqual([]);
  });

  it('counts at most 10,000, and returns a page of them', async () => {
    const owner = asOwner(app);
    await owner.query(
      `insert into creator (id, username, name, email, instagram, creator_status, created_at, updated_at, state_since)
       select gen_random_uuid(), 'many' || n, 'Many ' || n, '', '@many' || n, 'rejected', now(), now(), now()
       from generate_series(1, 10050) as n`,
    );
    const page = await list('rejected', { p_limit: 2, p_offset: 9_000 });
    expect(page.map(({ total_count: count }) => count)).toEqual([10_000, 10_000]);
    expect((await list('rejected', { p_search: 'many 10050', p_limit: 2 }))[0]).toMatchObject({ total_count: 1 });
    await owner.query(`delete from creator where username like 'many%'`);
  });
});

describe('get_application_admin', () => {
  it('returns everything that is known about an applicant', async () => {
    const applicant = await newApplicant(app, { name: 'Ines Falk' });
    const fan = await app.newCreator('Other', { email: applicant.email.toUpperCase() });
    await ask(applicant);
    const known = await details(applicant);
    expect(known).toMatchObject({
      creator: { id: applicant.creatorId, name: 'Ines Falk', email: applicant.email, creator_status: 'pending' },
      own: false,
      applications: [{ name: 'Ines Falk', applied_at: ANY }],
      consent: [{ kind: 'accepted', terms_version: 'v1.0', accepted_text_snapshot: ANY }],
      decisions: [],
      questions: [{ question: 'Since when is the account yours?', answer: null }],
      account_created_at: ANY,
      images_drawn: 0,
      similar: [{ creator_id: fan, same: 'email' }],
      trials: [],
    });
    expect(new Date(known.applications[0]!.applied_at).toISOString()).toBe(known.applications[0]!.applied_at);
    await expect(asAdmin('get_application_admin', { p_creator_id: randomUUID() })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a question to an applicant', () => {
  const answer = ({ userId }: Applicant, p_question_id: string, p_answer: string) =>
    app.rpc('answer_own_question_by_jwt', userId, { p_question_id, p_answer });

  it('accepts one answer, from the applicant alone, and keeps the application open', async () => {
    const applicant = await newApplicant(app);
    const other = await newApplicant(app);
    const question = await ask(applicant, '  Since when?\r\nA\u0000 year is enough. ');
    expect(question.question).toBe('Since when?\nA year is enough.');
    await expect(ask(applicant)).rejects.toThrow('The applicant has not answered the last question yet.');
    expect((await app.rpc('get_own_questions_by_jwt', applicant.userId)).body).toEqual([question]);
    expect((await app.rpc('get_own_questions_by_jwt', other.userId)).body).toEqual([]);

    expect((await answer(other, question.id, 'Mine')).status).toBe(404);
    expect((await answer(applicant, question.id, ' \n')).status).toBe(400);
    expect((await answer(applicant, question.id, 'x'.repeat(501))).status).toBe(400);
    expect((await answer(applicant, question.id, ' Since 2019 ')).body).toMatchObject({ answer: 'Since 2019' });
    expect(await answer(applicant, question.id, 'Since 2018')).toMatchObject({ status: 409 });
    const { creator, questions } = await details(applicant);
    expect([creator.creator_status, questions[0]?.answer]).toEqual(['pending', 'Since 2019']);
    expect(await actsOn(applicant)).toMatchObject([
      {
        kind: 'application.asked',
        body: { after: { question: question.id }, subjectId: applicant.creatorId },
        reason: 'Since when?\nA year is enough.',
        subject_name: 'Nadia Voss',
      },
    ]);

    const open = await ask(applicant, 'And the works?');
    await approve(applicant);
    expect(await answer(applicant, open.id, 'Too late')).toMatchObject({
      status: 409,
      body: { message: 'Your application was decided meanwhile.' },
    });
    await expect(ask(applicant)).rejects.toThrow('This creator has no open application.');
  });

  it('ends with its application: after another one it is neither shown nor answered', async () => {
    const applicant = await newApplicant(app);
    const { id } = await ask(applicant);
    await asAdmin('reject_creator_admin_by_jwt', { p_creator_id: applicant.creatorId, p_reason: 'No answer' });
    app.clock.advance(91 * 86_400_000);
    const again = { p_email: applicant.email, p_name: 'Nadia Voss', p_instagram: '@nadia_again', p_terms_agreed: true };
    expect((await app.rpc('create_creator_by_jwt', applicant.userId, again)).status).toBe(200);
    expect(await answer(applicant, id, 'Since 2019')).toMatchObject({
      status: 409,
      body: { message: 'Your application was decided meanwhile.' },
    });
    expect((await app.rpc('get_own_questions_by_jwt', applicant.userId)).body).toEqual([]);
    const next = await ask(applicant, 'And now?');
    expect((await answer(applicant, next.id, 'Since 2019')).status).toBe(200);
  });

  it('stores one of two questions that admins ask at the same time', async () => {
    const applicant = await newApplicant(app);
    const asked = await Promise.allSettled([1, 2, 3].map((number) => ask(applicant, `Question ${number}`)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await actsOn(applicant)).toHaveLength(1);
  });

  it('loses its texts when the account is erased, and changes in no other way', async () => {
    const applicant = await newApplicant(app);
    const { id } = await ask(applicant);
    await answer(applicant, id, 'Since 2019');
    await app.commands.execute(new CloseCreator({ userId: applicant.userId }));
    await app.commands.execute(new EraseCreator({ creatorId: applicant.creatorId, hasEarnings: false }));
    const { rows } = await app.pool.query('select question, answer, answered_at from creator_question where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ question: '', answer: '', answered_at: expect.any(Date) }]);
    for (const statement of [`update creator_question set asked_by = 'x'`, 'delete from creator_question']) {
      await expect(app.pool.query(statement)).rejects.toThrow('permission denied');
    }
  });
});

describe('an own application', () => {
  it('allows the decision to other admins only', async () => {
    const adminId = `admin_${randomUUID()}`;
    const applicant = await newApplicant(app, { name: 'An admin', userId: adminId });
    const refused = {
      status: 403,
      refusal: { code: '42501', message: 'This is your own application. Another admin must decide it.' },
    };
    const reject = { p_creator_id: applicant.creatorId, p_reason: 'No' };
    await expect(approve(applicant, adminId)).rejects.toMatchObject(refused);
    await expect(asAdmin('reject_creator_admin_by_jwt', reject, adminId)).rejects.toMatchObject(refused);
    await expect(ask(applicant, 'Why?', adminId)).rejects.toMatchObject(refused);
    await approve(applicant);
    const model = `fanvas/${applicant.creatorId}`;
    await expect(draw(applicant, model, 'a fox', adminId)).rejects.toMatchObject(refused);
    const id = await drawn(applicant, model);
    await expect(assign(applicant, { p_deployment_name: model }, id, adminId)).rejects.toMatchObject(refused);
    const own = { p_creator_id: applicant.creatorId };
    expect((await asAdmin<Application>('get_application_admin', own, adminId)).own).toBe(true);
    expect((await actsOn(applicant)).map(({ kind }) => kind)).toEqual(['application.approved', 'model.trial_drawn']);
  });
});

describe('a trial picture', () => {
  it('comes from the same steps as every image, costs nothing, and answers admins only', async () => {
    const applicant = await approvedApplicant();
    const model = `fanvas/${applicant.creatorId}`;
    const started = await draw(applicant, model, ' a  lighthouse\u0000 ');
    expect(started).toMatchObject({
      creator_id: applicant.creatorId,
      deployment_name: model,
      lora_id: null,
      prompt: 'a lighthouse',
      status: 'pending',
    });
    await expect(draw(applicant, model)).rejects.toThrow('A trial picture is being drawn for this creator.');
    await succeed(started.id);
    const { image, ...finished } = await trial(started.id);
    expect(finished).toMatchObject({ id: started.id, status: 'completed', created_at: started.created_at });
    expect(app.storage.files.has(String(image?.url).slice('/media/'.length))).toBe(true);
    const row = await app.row(started.id);
    expect([row.cost, row.is_test, row.credits_closed_at]).toEqual([0, true, expect.any(Date)]);
    expect(await app.ledger(trialOwner(applicant.creatorId))).toEqual([]);

    for (const reader of [applicant.userId, `user_${randomUUID()}`, null]) {
      const { body } = await app.rpc('get_generation_by_id', reader, { p_generation_id: started.id });
      expect(JSON.stringify(body)).not.toContain('lighthouse');
    }
    expect((await app.rpc('get_own_test_generations_by_jwt', applicant.userId)).body).toEqual([]);
    expect((await app.rpc('get_model_trial_admin', applicant.userId, { p_trial_id: started.id })).status).toBe(403);
    expect((await details(applicant)).trials).toMatchObject([{ id: started.id, status: 'completed' }]);
    expect((await actsOn(applicant)).at(-1)).toMatchObject({
      kind: 'model.trial_drawn',
      body: { subjectId: started.id, after: { model } },
    });
  });

  it('refuses applicants, withdrawn creators, models of others and forbidden prompts', async () => {
    const pending = await newApplicant(app);
    await expect(draw(pending, 'fanvas/x')).rejects.toThrow('Only an approved creator');
    const left = await approvedApplicant();
    const model = `fanvas/${left.creatorId}`;
    await assign(left, { p_deployment_name: model }, await drawn(left, model));
    await app.commands.execute(new CloseCreator({ userId: left.userId }));
    await expect(draw(left, model)).rejects.toThrow('Only an approved creator');
    // The consent of its creator has ended, so no other creator may draw with the model.
    const other = await approvedApplicant();
    await expect(draw(other, model)).rejects.toThrow('This model belongs to another creator.');
    await expect(draw(other, 'fanvas/y', 'naked woman, porn')).rejects.toThrow('violates our content policy');
    await expect(draw(other, 'fanvas/y', ' ')).rejects.toThrow('Invalid prompt content');
    expect((await details(other)).trials).toEqual([]);
  });

  it('stops after 20 pictures a day for a creator', async () => {
    const applicant = await approvedApplicant();
    const today = app.clock.now().toISOString().slice(0, 10);
    await asOwner(app).query(
      `insert into generation (id, user_id, creator_id, prompt, model, cost, is_test, test_day, test_slot, status, image,
         completed_at, credits_closed_at, not_before, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'a cat', 'm/m', 0, true, $3, n, 'completed', '{}', now(), now(), now(), now(), now()
       from generate_series(1, $4) as n`,
      [trialOwner(applicant.creatorId), applicant.creatorId, today, TESTS_PER_DAY - 1],
    );
    const { id } = await draw(applicant, 'fanvas/last');
    await succeed(id);
    await expect(draw(applicant, 'fanvas/last')).rejects.toMatchObject({ status: 429 });
  });

  it('disappears with its files when the creator withdraws', async () => {
    const applicant = await approvedApplicant();
    const id = await drawn(applicant, 'fanvas/leaving');
    const url = String((await trial(id)).image?.url).slice('/media/'.length);
    expect(app.storage.files.has(url)).toBe(true);
    expect((await app.row(id)).salt).not.toBeNull();
    await app.commands.execute(new CloseCreator({ userId: applicant.userId }));
    await app.commands.execute(new WithholdImages({ creatorId: applicant.creatorId, since: null }));
    await app.reconcile();
    expect(await app.row(id)).toMatchObject({ prompt: '', salt: null, image: null, deleted_at: expect.any(Date) });
    expect(app.storage.files.has(url)).toBe(false);
    await expect(trial(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('assigning a model', () => {
  it('needs a finished trial of this model and creator, at most a week old', async () => {
    const applicant = await approvedApplicant();
    const other = await approvedApplicant();
    const model = `fanvas/${applicant.creatorId}`;
    const named = { p_deployment_name: model };
    await expect(assign(applicant, named, randomUUID())).rejects.toThrow('Draw a trial picture with this model first');
    await expect(assign(applicant, named, await drawn(other, model))).rejects.toThrow('Draw a trial picture');
    await expect(assign(applicant, named, await drawn(applicant, 'fanvas/z'))).rejects.toThrow('Draw a trial picture');
    const started = await draw(applicant, model);
    await expect(assign(applicant, named, started.id)).rejects.toThrow('The trial picture is not finished.');
    await succeed(started.id);
    app.clock.advance((MODEL_TRIAL_DAYS + 1) * DAY_MS);
    await expect(assign(applicant, named, started.id)).rejects.toThrow('is older than 7 days');

    const id = await drawn(applicant, model);
    expect(await assign(applicant, named, id)).toMatchObject({ deployment_name: model, lora_id: null });
    expect((await actsOn(applicant)).at(-1)).toMatchObject({
      kind: 'model.assigned',
      body: { before: { model: null }, after: { model, trial: id } },
    });
    // The same model again changes nothing.
    const before = (await actsOn(applicant)).length;
    await assign(applicant, named, id);
    expect(await actsOn(applicant)).toHaveLength(before);
  });

  it('gives one model to one of two creators', async () => {
    const people = [await approvedApplicant(), await approvedApplicant()];
    const model = `fanvas/${randomUUID()}`;
    const trials: string[] = [];
    for (const person of people) trials.push(await drawn(person, model));
    const given = await Promise.allSettled(
      people.map((person, index) => assign(person, { p_deployment_name: model }, String(trials[index]))),
    );
    expect(given.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const check = await asAdmin<ModelCheck>('check_model_admin', { p_deployment_name: model });
    expect(check).toMatchObject({ found: true, problem: 'This model belongs to Nadia Voss.' });
  });

  it('needs a model that the provider has', async () => {
    const check = (body: object) => asAdmin<ModelCheck>('check_model_admin', body);
    const version = 'a'.repeat(64);
    const [free, missing, bare] = await Promise.all([
      check({ p_lora_id: `acme/anna:${version}` }),
      check({ p_deployment_name: 'acme/missing' }),
      check({ p_lora_id: version }),
    ]);
    expect(free).toEqual({ found: true, assigned_to: null, problem: null });
    expect(missing).toMatchObject({ found: false, problem: 'The image provider does not have this model.' });
    expect(bare).toMatchObject({ found: false, problem: expect.stringContaining('owner/name:version') });
    await expect(check({})).rejects.toMatchObject({ status: 400 });

    const applicant = await approvedApplicant();
    const id = await drawn(applicant, 'acme/missing');
    await expect(assign(applicant, { p_deployment_name: 'acme/missing' }, id)).rejects.toThrow('does not have this');
    app.provider.available = false;
    await expect(check({ p_deployment_name: 'acme/anna' })).rejects.toMatchObject({ status: 503 });
    app.provider.available = true;
  });
});
