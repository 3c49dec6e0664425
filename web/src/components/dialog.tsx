import { Dialog } from 'radix-ui';
import { useRef } from 'react';
import { cx } from '../lib/cx.js';
import { useVerifying } from '../lib/reverification.js';

interface ModalProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Read out with the title. */
  readonly description: React.ReactNode;
  /** `alertdialog` for irreversible actions. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children?: React.ReactNode;
  /** The buttons; the one that closes comes first. On phones they stack: the safe one must be on top. */
  readonly footer: React.ReactNode;
}

/** A modal dialog. Traps the focus and returns it to the opener; Escape closes it. */
export function Modal({
  open,
  onOpenChange,
  title,
  description,
  role = 'dialog',
  children,
  footer,
}: ModalProps): React.ReactNode {
  const opener = useRef<Element | null>(null);
  // The dialog of the identity SDK needs the focus and the pointer. This one waits, mounted, below it.
  const waiting = useVerifying() && open;
  return (
    <Dialog.Root open={open && !waiting} onOpenChange={(next) => waiting || onOpenChange(next)}>
      <Dialog.Portal {...(waiting && { forceMount: true })}>
        <Dialog.Overlay className="data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) bg-[rgb(8_8_7/.72)]" />
        <Dialog.Content
          role={role}
          data-modal
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          // Radix returns the focus only to a trigger of its own.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          className={cx(
            'data-[state=open]:fade-in fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-dialog) mx-auto max-h-[calc(100svh-24px)] max-w-[480px] overflow-y-auto rounded-panel border border-line-strong bg-raised p-5 shadow-float outline-none',
            'sm:bottom-auto sm:top-1/2 sm:-translate-y-1/2 sm:p-6',
          )}
        >
          <Dialog.Title className="display-sm text-24 text-balance">{title}</Dialog.Title>
          <Dialog.Description className="mt-2 text-16 text-ink-2">{description}</Dialog.Description>
          {children}
          <div className="mt-6 flex flex-wrap justify-end gap-2 max-sm:flex-col max-sm:[&>*]:h-12">{footer}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
