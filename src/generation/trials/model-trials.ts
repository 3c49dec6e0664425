import { type ModelTrial } from '../../contract/applications.js';
import { type GenerationRow } from '../tables.js';

/**
 * A trial picture is a free test of no person: `user_id` names the creator whose model is tried. No user is its owner,
 * so only admins see it, and the limit of a day and the one pending test hold for each creator.
 */
const OWNER_PREFIX = 'trial:';

/** The `user_id` of the trial pictures for a creator. */
export function trialOwner(creatorId: string): string {
  return OWNER_PREFIX + creatorId;
}

/** A stored model that is a version, with or without the name of its model. Every other one is a deployment. */
const VERSION = /^([^/:]+\/[^/:]+:)?[0-9a-f]{64}$/;

export const TRIAL_COLUMNS = [
  'id',
  'creator_id',
  'model',
  'prompt',
  'status',
  'error_message',
  'image',
  'created_at',
] as const satisfies readonly (keyof GenerationRow)[];

/** A trial picture for admins. */
export function toTrial(row: Pick<GenerationRow, (typeof TRIAL_COLUMNS)[number]>): ModelTrial {
  const isVersion = VERSION.test(row.model);
  return {
    id: row.id,
    creator_id: row.creator_id,
    deployment_name: isVersion ? null : row.model,
    lora_id: isVersion ? row.model : null,
    prompt: row.prompt,
    status: row.status,
    error: row.error_message,
    image: row.image,
    created_at: row.created_at.toISOString(),
  };
}
