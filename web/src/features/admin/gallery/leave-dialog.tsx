import type { Blocker } from 'react-router-dom';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Acts } from '../../../components/work-area/acts.js';

interface LeaveDialogProps {
  readonly blocker: Blocker;
  readonly saving: boolean;
  readonly onDiscard: () => void;
  /** Resolves to false when nothing was saved; the admin then stays. */
  readonly onSave: () => Promise<boolean>;
}

/** Asks what happens to unsaved changes when the admin leaves the page (creator spec, section 2). */
export function LeaveDialog({ blocker, saving, onDiscard, onSave }: LeaveDialogProps): React.ReactNode {
  // Once it is saved, it leaves.
  const stay = (): void => {
    if (!saving) blocker.reset?.();
  };
  return (
    <Modal
      open={blocker.state === 'blocked'}
      onOpenChange={stay}
      role="alertdialog"
      title="Unsaved Changes"
      description="You have unsaved changes in the gallery. Would you like to save your changes before leaving?"
      footer={
        <>
          <Acts>
            <Button
              kind="solid"
              busy={saving}
              busyLabel="Saving..."
              onClick={() => void onSave().then((saved) => (saved ? blocker.proceed?.() : blocker.reset?.()))}
            >
              Save Changes
            </Button>
          </Acts>
          <Button
            kind="danger"
            aria-disabled={saving || undefined}
            onClick={() => {
              if (saving) return;
              onDiscard();
              blocker.proceed?.();
            }}
          >
            Discard Changes
          </Button>
          <Button kind="quiet" aria-disabled={saving || undefined} onClick={stay}>
            Cancel
          </Button>
        </>
      }
    />
  );
}
