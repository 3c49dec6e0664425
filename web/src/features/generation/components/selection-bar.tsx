import { EyeOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { GenerationView } from '../../../../../src/contract/generation.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { Problem } from '../../../components/states.js';
import { toast } from '../../../components/toast.js';
import { ApiError, rpc } from '../../../lib/api.js';
import { refreshCreations } from '../api/get-user-generations.js';
import { deleteGeneration } from '../delete-generation.js';
import { isDeletable } from '../generation-view.js';
import { problemOf } from '../../../lib/problem-of.js';

interface SelectionBarProps {
  readonly selected: readonly GenerationView[];
  /** All generations of the page. */
  readonly all: readonly GenerationView[];
  readonly onSelect: (ids: readonly string[]) => void;
  readonly onListsChange: () => void;
}

const ACTS = {
  delete: {
    title: 'Delete',
    description: 'Images and prompts are deleted for good, everywhere. Credits that an image cost are not given back.',
    busy: 'Deleting...',
    done: 'deleted',
    keep: 'Keep them',
  },
  hide: {
    title: 'Hide',
    description: 'Only you will see them. Links to them stop working for others. You can show each again at any time.',
    busy: 'Hiding...',
    done: 'hidden',
    keep: 'Keep them visible',
  },
} as const;

type Act = keyof typeof ACTS;

/** Hides or deletes several creations, one call after the other. A failure ends it and reports how many are done. */
export function SelectionBar({ selected, all, onSelect, onListsChange }: SelectionBarProps): React.ReactNode {
  const [asking, setAsking] = useState<Act | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const selectable = all.filter(isDeletable);
  const hideable = selected.filter(({ status, hidden }) => status === 'completed' && !hidden);
  const targets = asking === 'hide' ? hideable : selected;
  const count = targets.length === 1 ? '1 creation' : `${targets.length} creations`;

  const allChosen = selected.length === selectable.length;

  const ask = (act: Act | null): void => {
    setProblem(null);
    setAsking(act);
  };

  const perform = async (act: Act): Promise<void> => {
    setBusy(true);
    setProblem(null);
    let done = 0;
    try {
      for (const target of targets) {
        if (act === 'delete') await deleteGeneration(target);
        else await rpc('hide_generation_by_jwt', { p_generation_id: target.id, p_hidden: true });
        done += 1;
      }
      setAsking(null);
      onSelect([]);
      toast({ kind: 'success', title: `${count} ${ACTS[act].done}.` });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The rest stays selected, so that a second press continues.
      onSelect(targets.slice(done).map(({ id }) => id));
      setProblem(`${done} of ${targets.length} are ${ACTS[act].done}. ${problemOf(error)}`);
    } finally {
      setBusy(false);
      // Also when none is done: the page may not have known that one is taken down or deleted.
      refreshCreations();
      if (done > 0) onListsChange();
    }
  };

  const act = asking && ACTS[asking];
  return (
    <div
      role="group"
      aria-label="Selection"
      className="sticky top-[72px] z-2 mt-3 flex flex-wrap items-center gap-2 rounded-panel border border-line-strong bg-raised p-2 pl-4 max-sm:pt-3"
    >
      <p role="status" className="mr-auto text-14 font-[600] tabular-nums max-sm:w-full">
        {selected.length} selected
      </p>
      <Button kind="quiet" onClick={() => onSelect(allChosen ? [] : selectable.map(({ id }) => id))}>
        {allChosen ? 'Select none' : 'Select all'}
      </Button>
      <Button disabled={hideable.length === 0} onClick={() => ask('hide')}>
        <EyeOff aria-hidden className="size-[18px]" />
        Hide
      </Button>
      <Button disabled={selected.length === 0} onClick={() => ask('delete')}>
        <Trash2 aria-hidden className="size-[18px]" />
        Delete
      </Button>
      <Modal
        role="alertdialog"
        open={act !== null}
        onOpenChange={(open) => !open && !busy && ask(null)}
        title={act ? (targets.length > 0 ? `${act.title} ${count}?` : 'Nothing is left') : ''}
        description={act && targets.length > 0 ? act.description : ''}
        footer={
          act &&
          asking && (
            <>
              <Button kind="solid" disabled={busy} onClick={() => ask(null)}>
                {targets.length > 0 ? act.keep : 'Close'}
              </Button>
              {targets.length > 0 && (
                <Button
                  kind={asking === 'delete' ? 'danger' : 'line'}
                  busy={busy}
                  busyLabel={act.busy}
                  onClick={() => void perform(asking)}
                >
                  {`${act.title} ${count}`}
                </Button>
              )}
            </>
          )
        }
      >
        <Problem>{problem}</Problem>
      </Modal>
    </div>
  );
}
