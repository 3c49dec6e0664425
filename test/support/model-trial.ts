import { randomUUID } from 'node:crypto';
import { type ModelTrial } from '../../src/contract/applications.js';
import { trialOwner } from '../../src/generation/model-trials.js';
import { until } from './until.js';

interface Caller {
  rpc<T>(name: string, body?: object): Promise<{ readonly status: number; readonly body: T }>;
}

/** Draws a trial picture as an admin and waits for it. @returns its id */
export async function drawTrial(admin: Caller, creatorId: string, deployment: string): Promise<string> {
  const model = { p_deployment_name: deployment };
  const trial = { p_creator_id: creatorId, ...model, p_prompt: 'a lighthouse in the evening' };
  const drawn = await admin.rpc<ModelTrial>('draw_model_trial_admin', trial);
  if (drawn.status !== 200) throw new Error(`No trial: ${JSON.stringify(drawn.body)}`);
  const { id } = drawn.body;
  const isDone = async () =>
    (await admin.rpc<ModelTrial>('get_model_trial_admin', { p_trial_id: id })).body.status === 'completed';
  await until(isDone, 'the trial picture', 60_000, 250);
  return id;
}

/** Stores a finished trial picture. @returns its id */
export async function storeTrial(
  db: { query(text: string, values: unknown[]): Promise<unknown> },
  { creatorId, model, at = new Date() }: { creatorId: string; model: string; at?: Date },
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into generation (id, user_id, creator_id, prompt, model, cost, is_test, test_day, status, image, completed_at,
       credits_closed_at, not_before, created_at, updated_at)
     values ($1, $2, $3, 'a cat', $4, 0, true, now(), 'completed', '{"url": "/media/trial/1.webp", "sources": []}', $5,
       $5, $5, $5, $5)`,
    [id, trialOwner(creatorId), creatorId, model, at],
  );
  return id;
}
