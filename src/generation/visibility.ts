import { type GenerationRow } from './tables.js';

/** The reader of a generation. */
export interface Viewer {
  /** Null for visitors. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/**
 * Owners and admins may view every generation that is not deleted. Everyone else may view completed ones that are
 * neither hidden nor a test: share pages need only the link. Reads that know the creator also refuse images of a
 * withdrawn creator.
 */
export function mayView(
  row: Pick<GenerationRow, 'status' | 'user_id' | 'hidden_at' | 'taken_down_at' | 'deleted_at' | 'is_test'>,
  viewer: Viewer,
): boolean {
  if (row.deleted_at !== null) return false;
  if (viewer.isAdmin || row.user_id === viewer.userId) return true;
  return row.status === 'completed' && !isHidden(row);
}

/** True when only its owner and admins may see it: hidden by its owner, to be taken down for its creator, or a test. */
export function isHidden(row: Pick<GenerationRow, 'hidden_at' | 'taken_down_at' | 'is_test'>): boolean {
  return row.hidden_at !== null || row.taken_down_at !== null || row.is_test;
}

/** True when the row exists, belongs to this user and is not deleted. */
export function isOwn(row: GenerationRow | undefined, userId: string): row is GenerationRow {
  return row?.user_id === userId && row.deleted_at === null;
}

/** A failed generation whose message mentions cancelling is shown as cancelled (fan spec, section 4). */
export function isCancelled(row: Pick<GenerationRow, 'status' | 'error_message'>): boolean {
  return row.status === 'failed' && /cancel/i.test(row.error_message ?? '');
}
