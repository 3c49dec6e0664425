import { type GenerationRow } from '../tables.js';
import { type ImageInfo } from '../../contract/media.js';

/** A generation with all that admins see of it (creator spec, section 3). */
export interface AdminImage {
  readonly id: string;
  readonly prompt: string;
  readonly image: ImageInfo | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Credits. */
  readonly cost: number;
  readonly refunded: boolean;
  readonly refundReason: string | null;
  readonly refundedAt: Date | null;
  readonly errorMessage: string | null;
  readonly creatorId: string;
  readonly userId: string;
  /** Why no gallery can show it; null when one can. */
  readonly concealed: 'no_image' | 'hidden' | 'taken_down' | null;
}

/** The columns of `generation` that an admin's image is made of. */
export const ADMIN_IMAGE_COLUMNS = [
  'id',
  'prompt',
  'image',
  'status',
  'created_at',
  'updated_at',
  'cost',
  'refunded',
  'refund_reason',
  'refunded_at',
  'error_message',
  'creator_id',
  'user_id',
  'hidden_at',
  'taken_down_at',
  'moderation',
] as const satisfies readonly (keyof GenerationRow)[];

/** The columns of one image. */
export type AdminImageRow = Pick<GenerationRow, (typeof ADMIN_IMAGE_COLUMNS)[number]>;

export function toAdminImage(row: AdminImageRow): AdminImage {
  return {
    id: row.id,
    prompt: row.prompt,
    image: row.image,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    cost: row.cost,
    refunded: row.refunded,
    refundReason: row.refund_reason,
    refundedAt: row.refunded_at,
    errorMessage: row.error_message,
    creatorId: row.creator_id,
    userId: row.user_id,
    concealed: concealedBy(row),
  };
}

function concealedBy(row: AdminImageRow): AdminImage['concealed'] {
  if (row.status !== 'completed' || row.image === null) return 'no_image';
  if (row.taken_down_at !== null || row.moderation === 'taken_down') return 'taken_down';
  return row.hidden_at !== null || row.moderation !== null ? 'hidden' : null;
}
