import { type GenerationView } from '../../contract/generation.js';
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
    id: row.id,
    prediction_id: row.prediction_id,
    status: row.status,
    prompt: row.prompt,
    aspect_ratio: row.aspect_ratio,
    image_url: image?.url ?? null,
    image,
    creator_id: row.creator_id,
    creator_username: creator?.username ?? 'unknown',
    creator_name: creator?.name ?? 'Unknown Creator',
    creator_is_visible: creator?.isVisible ?? false,
    creator_status: creator?.status ?? 'unknown',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    error_message: row.error_message,
    refunded: row.refunded,
    credits_closed: row.credits_closed_at !== null,
    refund_reason: row.refund_reason,
    refunded_at: row.refunded_at?.toISOString() ?? null,
    credit_cost: row.cost,
    is_owner: isOwner,
    hidden: isHidden(row),
    moderation: isOwner || viewer.isAdmin ? moderationOf(row) : null,
    cancelled: isCancelled(row),
    cancellable_at: isOwner && row.status === 'pending' ? cancellableAt.toISOString() : null,
    phase: phaseOf(row),
    drawing_at: row.drawing_at?.toISOString() ?? null,
    finishing_at: row.finishing_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
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
