import { type Selectable } from 'kysely';
import { type CreatorStatus, type CreatorTables } from '../tables.js';

/** The fields of a creator that other contexts work with. */
export interface CreatorSummary {
  readonly id: string;
  readonly clerkId: string | null;
  readonly username: string;
  readonly name: string;
  readonly status: CreatorStatus;
  readonly isVisible: boolean;
  readonly deploymentName: string | null;
  readonly loraId: string | null;
}

/** The columns that {@link toCreatorSummary} needs. */
export const SUMMARY_COLUMNS = [
  'id',
  'clerk_id',
  'username',
  'name',
  'creator_status',
  'is_visible',
  'deployment_name',
  'lora_id',
] as const;

export function toCreatorSummary(
  row: Pick<Selectable<CreatorTables['creator']>, (typeof SUMMARY_COLUMNS)[number]>,
): CreatorSummary {
  return {
    id: row.id,
    clerkId: row.clerk_id,
    username: row.username,
    name: row.name,
    status: row.creator_status,
    isVisible: row.is_visible,
    deploymentName: row.deployment_name,
    loraId: row.lora_id,
  };
}
