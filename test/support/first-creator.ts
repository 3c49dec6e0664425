import { type ModelTrial } from '../../src/contract/applications.js';
import { type CreateCreatorResponse } from '../../src/contract/creators.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { type ApiUser, signIn } from './api-client.js';
import { until } from './until.js';

const MODEL = 'fanvas/first';

/**
 * Lets the sandbox's user `creator@` become a creator of an installation without a demo, as people do: an application,
 * its approval by an admin, a trial picture, and the model.
 */
export async function addFirstCreator(url: string): Promise<void> {
  const email = 'creator@fanvas.test';
  const creator = await signIn(url, email, DEMO_PASSWORD);
  const admin = await signIn(url, 'admin@fanvas.test', DEMO_PASSWORD);
  const { creator_id: p_creator_id } = await call<CreateCreatorResponse>(creator, 'create_creator_by_jwt', {
    p_email: email,
    p_name: 'Cara Demo',
    p_instagram: '@cara.demo',
    p_terms_agreed: true,
  });
  await call(admin, 'approve_creator_admin_by_jwt', {
    p_creator_id,
    p_identity_verified: 'Passport',
    p_age_verified: 'Passport',
    p_instagram_verified: 'A story',
  });
  const model = { p_creator_id, p_deployment_name: MODEL };
  const trial = { ...model, p_prompt: 'a lighthouse' };
  const { id: p_trial_id } = await call<ModelTrial>(admin, 'draw_model_trial_admin', trial);
  const isDrawn = async (): Promise<boolean> =>
    (await call<ModelTrial>(admin, 'get_model_trial_admin', { p_trial_id })).status === 'completed';
  await until(isDrawn, 'the trial picture', 60_000, 1_500);
  await call(admin, 'assign_creator_model_admin_by_jwt', { ...model, p_trial_id });
}

/** @throws when the call is refused */
async function call<T>(user: ApiUser, name: string, body: object): Promise<T> {
  const answer = await user.rpc<T>(name, body);
  if (answer.status === 200) return answer.body;
  throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}
