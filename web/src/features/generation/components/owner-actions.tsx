import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Problem } from '../../../components/states.js';
import { toast } from '../../../components/toast.js';
import { ApiError, rpc } from '../../../lib/api.js';
import { refreshCreations } from '../api/get-user-generations.js';
import { deleteGeneration } from '../delete-generation.js';
import { generationNavState } from '../navigation.js';
import { problemOf } from '../../../lib/problem-of.js';

interface OwnerActionsProps {
  readonly row: GenerationView;
  /** Shows the row as it is now. */
  readonly onChange: (row: GenerationView) => void;
  /** Called after hiding, showing or deleting: public lists with this image are out of date. */
  readonly onListsChange: () => void;
}

/** Actions of the owner on an ended generation: hide, show again, delete. */
export function OwnerActions({ row, onChange, onListsChange }: OwnerActionsProps): React.ReactNode {
  const [asking, setAsking] = useState<'hide' | 'delete' | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const dismissLast = useRef<() => void>(undefined);
  const { returnTo } = generationNavState(useLocation().state);
  const ask = (action: typeof asking): void => {
    setProblem(null);
    setAsking(action);
  };
  // A request under way ends first: it cannot be taken back, and its failure is shown here.
  const close = (): void => {
    if (!busy) ask(null);
  };

  const act = async (work: () => Promise<void>, failure: string): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      setAsking(null);
      refreshCreations();
      onListsChange();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Screen readers do not announce a toast behind an open dialog.
      if (asking !== null) setProblem(`${failure} ${problemOf(error)}`);
      else toast({ kind: 'error', title: failure, description: problemOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const hide = (hidden: boolean): Promise<void> =>
    act(
      async () => {
        const { image } = await rpc('hide_generation_by_jwt', { p_generation_id: row.id, p_hidden: hidden });
        onChange({ ...row, hidden, image, image_url: image?.url ?? null });
        // Otherwise two messages that contradict each other are shown.
        dismissLast.current?.();
        dismissLast.current = toast({
          kind: 'success',
          title: hidden ? 'Only you can see this image now.' : 'The link works for anyone again.',
        });
      },
      hidden ? 'The image could not be hidden.' : 'The image could not be shown again.',
    );
  const remove = (): Promise<void> =>
    act(async () => {
      await deleteGeneration(row);
      toast({ kind: 'success', title: row.image ? 'The image was deleted.' : 'The generation was deleted.' });
      await navigate(returnTo?.startsWith('/my-creations') ? returnTo : '/my-creations', { replace: true });
    }, 'It could not be deleted.');

  const thing = row.image ? 'image' : 'generation';
  return (
    <div className="flex flex-wrap gap-1">
      {row.status === 'completed' && !(row.hidden && row.moderation) && (
        <Button
          kind="quiet"
          busy={busy && asking === null}
          onClick={() => (row.hidden ? void hide(false) : ask('hide'))}
        >
          {row.hidden ? <Eye aria-hidden className="size-[18px]" /> : <EyeOff aria-hidden className="size-[18px]" />}
          <span>{row.hidden ? 'Show again' : 'Hide'}</span>
        </Button>
      )}
      <Button kind="quiet" onClick={() => ask('delete')}>
        <Trash2 aria-hidden className="size-[18px]" />
        Delete
      </Button>
      <Modal
        open={asking === 'hide'}
        onOpenChange={close}
        title="Hide this image?"
        description="Only you will see it. Links to it stop working for others, and it leaves the gallery if it is in there. You can show it again at any time."
        footer={
          <>
            <Button kind="solid" aria-disabled={busy} onClick={close}>
              Keep it visible
            </Button>
            <Button busy={busy} busyLabel="Hiding..." onClick={() => void hide(true)}>
              Hide image
            </Button>
          </>
        }
      >
        <Problem>{problem}</Problem>
      </Modal>
      <Modal
        role="alertdialog"
        open={asking === 'delete'}
        onOpenChange={close}
        title={`Delete this ${thing}?`}
        description={
          row.image
            ? 'The image and its prompt are deleted for good, everywhere. The credits that it cost are not given back.'
            : 'Its prompt is deleted for good. Your credits are not affected.'
        }
        footer={
          <>
            <Button kind="solid" aria-disabled={busy} onClick={close}>
              Keep it
            </Button>
            <Button kind="danger" busy={busy} busyLabel="Deleting..." onClick={() => void remove()}>
              {`Delete ${thing}`}
            </Button>
          </>
        }
      >
        <Problem>{problem}</Problem>
      </Modal>
    </div>
  );
}
