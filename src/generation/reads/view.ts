import { type GenerationView } from '../../contract/generation.js';
import { wireFields } from '../../platform/wire-fields.js';
import { CANCELLABLE_AFTER_MS } from '../../contract/limits.js';
import { type Creator } from '../../creators/index.js';
import { type GenerationRow } from '../tables.js';
import { isCancelled, isHidden, shownImage, type Viewer } from '../images/visibility.js';

/** The row as the viewer may see it. Check `mayView` first. Shared by the snapshot and the list. */
export function toView(row: GenerationRow, creator: Creator | undefined, viewer: Viewer): GenerationView {
  const isOwner = row.user_id === viewer.userId;
  const image = shownImage(row, viewer);
  const cancellableAt = new Date(row.created_at.getTime() + CANCELLABLE_AFTER_MS);
  return {
    ...wireFields(row, ['id', 'prediction_id', 'status', 'prompt', 'aspect_ratio']),
    image_url: image?.url ?? null,
    image,
    creator_id: row.creator_id,
    creator_username: creator?.username ?? 'unknown',
    creator_name: creator?.name ?? 'Unknown Creator',
    creator_is_visible: creator?.isVisible ?? false,
    creator_status: creator?.status ?? 'unknown',
    ...wireFields(row, ['created_at', 'updated_at', 'error_message', 'refunded']),
    credits_closed: row.credits_closed_at !== null,
    ...wireFields(row, ['refund_reason', 'refunded_at']),
    credit_cost: row.cost,
    is_owner: isOwner,
    hidden: isHidden(row),
    moderation: isOwner || viewer.isAdmin ? moderationOf(row) : null,
    cancelled: isCancelled(row),
    cancellable_at: isOwner && row.status === 'pending' ? cancellableAt.toISOString() : null,
    phase: phaseOf(row),
    ...wireFields(row, ['drawing_at', 'finishing_at', 'completed_at']),
  };
}

function moderationOf(
  row: Pick<GenerationRow, 'moderated_at' | 'moderation' | 'moderation_note'>,
): GenerationView['moderation'] {
  const { moderated_at: at, moderation: decision, moderation_note: note } = row;
  return at && decision && { decision, note: note ?? '', at: at.toISOString() };
}

function phaseOf(row: Pick<GenerationRow, 'status' | 'drawing_at' | 'finishing_at'>): GenerationView['phase'] {
  if (row.status !== 'pending') return null;
  if (row.finishing_at !== null) return 'finishing';
  return row.drawing_at === null ? 'queued' : 'drawing';
}
