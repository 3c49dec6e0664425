import { type AdminGeneration } from '../../contract/admin-gallery.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type GenerationRow } from '../tables.js';

/** A generation with all that admins see of it (creator spec, section 3), without its place in a gallery. */
export interface AdminImage extends Omit<AdminGeneration, 'in_gallery' | 'not_addable'> {
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
    ...wireFields(row, ['id', 'prompt']),
    image_url: row.image?.url ?? null,
    ...wireFields(row, ['image', 'status', 'created_at', 'updated_at']),
    credit_cost: row.cost,
    ...wireFields(row, ['refunded', 'refund_reason', 'refunded_at', 'error_message', 'creator_id', 'user_id']),
    concealed: concealedBy(row),
  };
}

function concealedBy(row: AdminImageRow): AdminImage['concealed'] {
  if (row.status !== 'completed' || row.image === null) return 'no_image';
  if (row.taken_down_at !== null || row.moderation === 'taken_down') return 'taken_down';
  return row.hidden_at !== null || row.moderation !== null ? 'hidden' : null;
}
