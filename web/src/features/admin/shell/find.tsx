import { Search } from 'lucide-react';
import * as Dialog from '@radix-ui/react-dialog';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { AdminGeneration } from '../../../../../src/contract/admin-gallery.js';
import { ButtonLink, IconButton } from '../../../components/button.js';
import { useFocusReturn } from '../../../components/dialog.js';
import { Kbd } from '../../../components/work-area/kbd.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { DetailsDialog } from '../gallery/details-dialog.js';
import { userPath } from '../users/user-text.js';
import { Palette } from './palette.js';

/** The button and key that open Find. A found generation shows its details. */
export function Find(): React.ReactNode {
  const [open, setOpen] = useState(false);
  const [generation, setGeneration] = useState<AdminGeneration | null>(null);
  const navigate = useNavigate();
  const focusReturn = useFocusReturn();
  useKeys([{ keys: ['/'], label: 'Find', run: () => setOpen(true) }]);
  return (
    <>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <button
            type="button"
            className="hidden h-9 w-[172px] items-center gap-2 rounded-[10px] border border-line bg-surface pr-2 pl-3 text-14 text-ink-2 hover:border-line-strong sm:flex"
          >
            <Search aria-hidden className="size-4" />
            Find
            <Kbd keys="/" className="ml-auto" />
          </button>
        </Dialog.Trigger>
        <IconButton label="Find" aria-haspopup="dialog" className="sm:hidden" onClick={() => setOpen(true)}>
          <Search className="size-5" />
        </IconButton>
        <Dialog.Portal>
          <Dialog.Overlay className="data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) bg-scrim" />
          <Dialog.Content
            aria-describedby={undefined}
            {...focusReturn}
            className="data-[state=open]:fade-in fixed inset-x-3 top-16 z-(--z-dialog) mx-auto max-h-[calc(100svh-80px)] max-w-[560px] overflow-y-auto rounded-panel border border-line-strong bg-raised p-2 shadow-float outline-none"
          >
            <Dialog.Title className="sr-only">Find</Dialog.Title>
            <Palette
              onChoose={(target) => {
                setOpen(false);
                if (typeof target === 'string') void navigate(target);
                else setGeneration(target);
              }}
            />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      {generation && (
        <DetailsDialog item={generation} onClose={() => setGeneration(null)}>
          <ButtonLink to={userPath(generation.user_id)} className="w-full" onClick={() => setGeneration(null)}>
            Open the user who made it
          </ButtonLink>
        </DetailsDialog>
      )}
    </>
  );
}
