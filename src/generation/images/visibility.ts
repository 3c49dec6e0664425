import { type GenerationRow } from '../tables.js';

/** The reader of a generation. */
export interface Viewer {
  /** Null for visitors. */
  readonly userId: string | null;
  readonly isAdmin: boolean;
}

/**
 * Owners and admins may view every generation that is not deleted. Everyone else may view completed ones that are
 * neither hidden nor a test: share pages need only the link. Reads that know the creator also refuse images of a
 * withdrawn creator. The owner of an image that an admin has taken down sees the decision without the image
 * (`shownImage`), also once it is deleted.
 */
export function mayView(
  row: Pick<GenerationRow, 'status' | 'user_id' | 'deleted_at' | 'moderation'> & Concealable,
  viewer: Viewer,
): boolean {
  if (row.deleted_at !== null) return row.moderation === 'taken_down' && row.user_id === viewer.userId;
  if (viewer.isAdmin || row.user_id === viewer.userId) return true;
  return row.status === 'completed' && !isHidden(row);
}

/** The columns that decide whether an image is hidden. */
export type Concealable = Pick<GenerationRow, 'hidden_at' | 'taken_down_at' | 'moderated_at' | 'is_test'>;

/**
 * True when at most its owner and admins may see it: hidden by its owner or an admin, taken down, to be taken down for
 * its creator, or a test.
 */
export function isHidden(row: Concealable): boolean {
  return row.hidden_at !== null || row.taken_down_at !== null || row.moderated_at !== null || row.is_test;
}

/** The image as its viewer may see it: only admins see one that was taken down. Check `mayView` first. */
export function shownImage(
  row: Pick<GenerationRow, 'image' | 'moderation'>,
  { isAdmin }: Pick<Viewer, 'isAdmin'>,
): GenerationRow['image'] {
  return row.moderation === 'taken_down' && !isAdmin ? null : row.image;
}

/** True when the row exists, belongs to this user and is not deleted. */
export function isOwn(row: GenerationRow | undefined, userId: string): row is GenerationRow {
  return row?.user_id === userId && row.deleted_at === null;
}

/** A failed generation whose message mentions cancelling is shown as cancelled (fan spec, section 4). */
export function isCancelled(row: Pick<GenerationRow, 'status' | 'error_message'>): boolean {
  return row.status === 'failed' && /cancel/i.test(row.error_message ?? '');
}
