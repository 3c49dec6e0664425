import { type ImageInfo } from '../../contract/media.js';
import { type GenerationRow } from '../tables.js';
import { isHidden } from '../images/visibility.js';

/** A generation as upper contexts (the gallery, the demo seed) need it. */
export interface GenerationSummary {
  readonly id: string;
  readonly userId: string;
  readonly creatorId: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly prompt: string;
  /** Set when completed. */
  readonly image: ImageInfo | null;
  /** Set when failed. */
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  /** True when only its owner and admins may see it. */
  readonly hidden: boolean;
  /** An admin has taken it down: only admins may see it. */
  readonly takenDown: boolean;
}

export const SUMMARY_COLUMNS = [
  'id',
  'user_id',
  'creator_id',
  'status',
  'prompt',
  'image',
  'error_message',
  'created_at',
  'hidden_at',
  'is_test',
  'taken_down_at',
  'moderated_at',
  'moderation',
] as const;

export function toGenerationSummary(row: Pick<GenerationRow, (typeof SUMMARY_COLUMNS)[number]>): GenerationSummary {
  return {
    id: row.id,
    userId: row.user_id,
    creatorId: row.creator_id,
    status: row.status,
    prompt: row.prompt,
    image: row.image,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    hidden: isHidden(row),
    takenDown: row.moderation === 'taken_down',
  };
}
