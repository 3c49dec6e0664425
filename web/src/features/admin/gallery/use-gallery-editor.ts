import { useMutation } from '@tanstack/react-query';
import { useReducer, useState } from 'react';
import type { AdminGallery } from '../../../../../src/contract/admin-gallery.js';
import { toast } from '../../../components/toast.js';
import { ApiError, rpc } from '../../../lib/api.js';
import { refreshRpc } from '../../../lib/use-rpc.js';
import { changesOf, editSession, idsOf, isDirty, startSession, type EditSession } from './edit-session.js';
import { problemOf } from '../../../lib/problem-of.js';

/** The version was saved by another admin first. */
const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.code === '40001';

/**
 * Edits and saves a gallery. When another admin has saved it meanwhile, nothing is overwritten: `theirs` is that
 * gallery until the admin has decided.
 * @param onSaved called after each save
 */
export function useGalleryEditor(gallery: AdminGallery, onSaved: () => void) {
  const [session, dispatch] = useReducer(editSession, gallery, startSession);
  const [theirs, setTheirs] = useState<AdminGallery | null>(null);
  const [asking, setAsking] = useState(false);
  const changes = changesOf(session);
  const { mutateAsync, isPending: saving } = useMutation({
    mutationFn: ({ original, items }: EditSession) =>
      rpc('save_gallery_admin', {
        p_creator_id: original.creator_id,
        p_expected_version: original.version,
        p_gallery_order: idsOf(items),
      }),
  });

  /** Returns whether it was saved. Never throws. */
  const saveSession = async (sent: EditSession): Promise<boolean> => {
    try {
      const saved = await mutateAsync(sent);
      dispatch({ type: 'saved', sent: idsOf(sent.items), gallery: saved });
      endConflict();
      toast({ kind: 'success', title: 'Gallery saved.' });
      refreshRpc('list_creators_admin');
      onSaved();
      return true;
    } catch (error) {
      await explain(error, sent.original.creator_id);
      return false;
    }
  };

  const explain = async (error: unknown, creatorId: string): Promise<void> => {
    let cause = error;
    if (isConflict(error)) {
      try {
        setTheirs(await rpc('get_gallery_admin', { p_creator_id: creatorId }));
        return setAsking(true);
      } catch (failure) {
        cause = failure;
      }
    }
    toast({ kind: 'error', ...saveProblem(cause) });
  };

  const endConflict = (): void => {
    setTheirs(null);
    setAsking(false);
  };
  /** Loads the gallery of the other admin, when there is one. */
  const discard = (): void => {
    dispatch(theirs ? { type: 'reload', gallery: theirs } : { type: 'discard' });
    endConflict();
  };

  return {
    session,
    changes,
    dirty: isDirty(changes),
    saving,
    /** The gallery that another admin has saved, while the admin is asked what happens to the own changes. */
    conflict: asking ? theirs : null,
    dispatch,
    discard,
    save: () => (saving ? Promise.resolve(false) : saveSession(session)),
    /** The changes stay unsaved. */
    closeConflict: () => setAsking(false),
    /** Applies the own changes to the gallery of the other admin. */
    mergeConflict: () => {
      if (theirs) dispatch({ type: 'rebase', gallery: theirs });
      endConflict();
    },
    saveOnTop: async () => {
      if (!theirs) return;
      const rebase = { type: 'rebase', gallery: theirs } as const;
      dispatch(rebase);
      await saveSession(editSession(session, rebase));
    },
  };
}

function saveProblem(error: unknown): { readonly title: string; readonly description?: string } {
  if (error instanceof ApiError && error.status === 401) {
    return { title: 'Authentication required. Please try again.' };
  }
  return {
    title: 'Failed to save changes. Please try again.',
    ...(error instanceof Error && { description: problemOf(error) }),
  };
}
