import type { AdminGallery } from '../../../../../src/contract/admin-gallery.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Acts } from '../../../components/work-area/acts.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { changesBetween, changesOf, changesText, type EditSession } from './edit-session.js';
import { Named } from '../../../components/name.js';

interface ConflictDialogProps {
  readonly session: EditSession;
  /** The gallery that another admin has saved; null closes the dialog. */
  readonly theirs: AdminGallery | null;
  readonly saving: boolean;
  /** Closes the dialog and changes nothing. */
  readonly onClose: () => void;
  /** Throws the own changes away. */
  readonly onTakeTheirs: () => void;
  /** Merges both sets of changes into the list. Nothing is saved. */
  readonly onSeeBoth: () => void;
  /** Merges both sets of changes and saves them. */
  readonly onSaveOnTop: () => void;
}

/** Asks what happens to the own changes when another admin has saved the gallery first. */
export function ConflictDialog(props: ConflictDialogProps): React.ReactNode {
  const { session, theirs, saving, onClose, onTakeTheirs, onSeeBoth, onSaveOnTop } = props;
  // The save that runs would do both.
  const unlessSaving = (act: () => void) => ({
    'aria-disabled': saving || undefined,
    onClick: () => (saving ? undefined : act()),
  });
  return (
    <Modal
      open={theirs !== null}
      onOpenChange={unlessSaving(onClose).onClick}
      role="alertdialog"
      title="The gallery has changed"
      description={theirs && <Named text={conflictText(session, theirs)} name={theirs.saved_by ?? undefined} />}
      footer={
        <>
          <Acts>
            <Button kind="solid" busy={saving} busyLabel="Saving..." onClick={onSaveOnTop}>
              Save on top
            </Button>
          </Acts>
          <Button {...unlessSaving(onSeeBoth)}>See both</Button>
          <Button kind="danger" {...unlessSaving(onTakeTheirs)}>
            Take theirs
          </Button>
          <Button kind="quiet" {...unlessSaving(onClose)}>
            Cancel
          </Button>
        </>
      }
    >
      <p className="mt-3 text-14 text-ink-2">
        Nothing was overwritten. “Take theirs” discards your changes. The other two keep both sets of changes: “See
        both” shows the list first, “Save on top” saves it at once.
      </p>
    </Modal>
  );
}

/** `Rui Okafor saved it on 23 Nov 2026, 09:39:00 UTC: 1 added. Your changes: 2 added, order changed.` */
function conflictText(session: EditSession, theirs: AdminGallery): string {
  const change = changesText(changesBetween(session.original, theirs));
  const who = theirs.saved_by ?? 'Another admin';
  const when = theirs.saved_at === null ? '' : ` on ${formatUtcInstant(theirs.saved_at)}`;
  return `${who} saved it${when}: ${change || 'no changes'}. Your changes: ${changesText(changesOf(session))}.`;
}
