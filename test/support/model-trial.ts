import { randomUUID } from 'node:crypto';
import { trialOwner } from '../../src/generation/trials/model-trials.js';

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
