import { useRef } from 'react';
import { Button } from '../../../components/button.js';
import { useFootBar } from '../../../lib/use-foot-bar.js';
import { Acts, useMayAct } from '../../../components/work-area/acts.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';

interface SaveBarProps {
  /** `2 added, order changed` */
  readonly changes: string;
  readonly saving: boolean;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** The bar at the foot of the page while there are unsaved changes. Ctrl S saves. */
export function SaveBar({ changes, saving, onDiscard, onSave }: SaveBarProps): React.ReactNode {
  const bar = useRef<HTMLElement>(null);
  useFootBar(bar);
  const mayAct = useMayAct();
  useKeys(mayAct ? [{ keys: ['Ctrl S'], label: 'Save', run: onSave }] : []);
  return (
    <section
      ref={bar}
      aria-label="Unsaved changes"
      className="rise-in fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-bar) mx-auto flex max-w-[880px] flex-wrap items-center gap-2 rounded-panel border border-line-strong bg-raised p-3 shadow-float sm:bottom-6 sm:pl-[22px]"
    >
      <p aria-live="polite" className="grow px-1.5 py-1 text-16 max-sm:basis-full sm:px-0">
        <b className="font-[600]">Unsaved changes:</b> <span>{changes}</span>
      </p>
      <Button
        kind="quiet"
        className="max-sm:h-11 max-sm:flex-1"
        aria-disabled={saving || undefined}
        onClick={saving ? undefined : onDiscard}
      >
        Discard Changes
      </Button>
      <Acts>
        <Button
          kind="solid"
          className="max-sm:h-11 max-sm:flex-1"
          busy={saving}
          busyLabel="Saving..."
          onClick={onSave}
          aria-keyshortcuts="Control+S"
        >
          Save Changes
          <span aria-hidden className="max-sm:hidden">
            <Kbd keys="Ctrl S" />
          </span>
        </Button>
      </Acts>
    </section>
  );
}
