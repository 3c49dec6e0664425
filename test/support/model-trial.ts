import { trialOwner } from '../../src/generation/trials/model-trials.js';
import { storeGeneration } from './stored-generation.js';

/** Stores a finished trial picture. @returns its id */
export async function storeTrial(
  db: { query(text: string, values: unknown[]): Promise<unknown> },
  { creatorId, model, at = new Date() }: { creatorId: string; model: string; at?: Date },
): Promise<string> {
  return storeGeneration(db, { user_id: trialOwner(creatorId), creator_id: creatorId, model, at, is_test: true });
}
