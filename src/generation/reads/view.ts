import { CANCELLABLE_AFTER_MS } from '../../contract/limits.js';
import { type CreatorSummary } from '../../creators/index.js';
import { type GenerationRow } from '../tables.js';
import { type GenerationView } from '../../contract/generation.js';

/** Who looks. */
export interface Viewer {
  /** null: a visitor. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/**
 * Completed ones are for anyone with the link, since share pages need it, unless their owner hides them; all others for
 * their owner and admins. A deleted one is for nobody.
 */
export function mayView(
  row: Pick<GenerationRow, 'status' | 'user_id' | 'hidden_at' | 'deleted_at'>,
  viewer: Viewer,
): boolean {
  if (row.deleted_at !== null) return false;
  if (viewer.isAdmin || row.user_id === viewer.userId) return true;
  return row.status === 'completed' && row.hidden_at === null;
}

/** True when there is one, it is this user's, and they have not deleted it. */
export function isOwn(row: GenerationRow | undefined, userId: string): row is GenerationRow {
  return row?.user_id === userId && row.deleted_at === null;
}

/** A failed generation whose message speaks of cancelling is shown as cancelled (fan spec, section 4). */
export function isCancelled(row: Pick<GenerationRow, 'status' | 'error_message'>): boolean {
  return row.status === 'failed' && /cancel/i.test(row.error_message ?? '');
}

/** True once nothing more will change that its viewer can see: the end is reached and a refund is known. */
export function isFinal(row: Pick<GenerationRow, 'status' | 'credits_closed_at'>): boolean {
  return row.status === 'completed' || (row.status === 'failed' && row.credits_closed_at !== null);
}

function phaseOf(row: Pick<GenerationRow, 'status' | 'drawing_at' | 'finishing_at'>): GenerationView['phase'] {
  if (row.status !== 'pending') return null;
  if (row.finishing_at !== null) return 'finishing';
  return row.drawing_at === null ? 'queued' : 'drawing';
}

/** The row as the viewer may see it. Check `mayView` first. */
export function toView(row: GenerationRow, creator: CreatorSummary | undefined, viewer: Viewer): GenerationView {
  const isOwner = row.user_id === viewer.userId;
  const cancellableAt = new Date(row.created_at.getTime() + CANCELLABLE_AFTER_MS);
  return {
    id: row.id,
    prediction_id: row.prediction_id,
    status: row.status,
    prompt: row.prompt,
    image_url: row.image?.url ?? null,
    image: row.image,
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
    hidden: row.hidden_at !== null,
    cancelled: isCancelled(row),
    cancellable_at: isOwner && row.status === 'pending' ? cancellableAt.toISOString() : null,
    phase: phaseOf(row),
    drawing_at: row.drawing_at?.toISOString() ?? null,
    finishing_at: row.finishing_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
