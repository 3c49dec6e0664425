import * as Dialog from '@radix-ui/react-dialog';
import { useRef } from 'react';
import { cx } from '../lib/cx.js';
import { useVerifying } from '../lib/reverification.js';
import { Named } from './name.js';
import { useWasTrue } from '../lib/use-was-true.js';

interface ModalProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** A name in the title: programs that translate the page leave it as it is. */
  readonly name?: string | undefined;
  /** Read out with the title. */
  readonly description: React.ReactNode;
  /** `alertdialog` for irreversible actions. */
  readonly role?: 'dialog' | 'alertdialog';
  /** For a table. */
  readonly wide?: boolean;
  readonly children?: React.ReactNode;
  /**
   * The buttons, the safe one first and solid. One that destroys something is of the kind `danger`. Phones stack them
   * over the full width; wider screens set them in a row, with the first one on the right.
   */
  readonly footer: React.ReactNode;
  /** Receives the focus on closing instead of the opener, when the action removes that. Null: the opener gets it. */
  readonly nextFocus?: () => HTMLElement | null;
}

/** A modal dialog. Traps the focus and returns it to the opener; Escape closes it. */
export function Modal({
  open,
  onOpenChange,
  title,
  name,
  description,
  role = 'dialog',
  wide = false,
  children,
  footer,
  nextFocus,
}: ModalProps): React.ReactNode {
  const focusReturn = useFocusReturn(nextFocus);
  // The dialog of the identity SDK needs the focus and the pointer. This one waits, mounted, below it.
  const waiting = useVerifying() && open;
  // Until then it renders nothing: Radix draws a closed dialog too, and twice, again in the task of the commit.
  const wasOpen = useWasTrue(open);
  if (!wasOpen) return null;
  return (
    <Dialog.Root open={open && !waiting} onOpenChange={(next) => waiting || onOpenChange(next)}>
      <Dialog.Portal {...(waiting && { forceMount: true })}>
        <Dialog.Overlay className="data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) bg-[rgb(8_8_7/.72)]" />
        <Dialog.Content
          role={role}
          data-modal
          {...focusReturn}
          className={cx(
            'data-[state=open]:fade-in fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-dialog) mx-auto max-h-[calc(100svh-24px)] overflow-y-auto rounded-panel border border-line-strong bg-raised p-5 shadow-float outline-none',
            wide ? 'max-w-[720px]' : 'max-w-[480px]',
            'sm:bottom-auto sm:top-1/2 sm:-translate-y-1/2 sm:p-6',
          )}
        >
          <Dialog.Title className="display-sm text-24 text-balance">
            <Named text={title} name={name} />
          </Dialog.Title>
          <Dialog.Description className="mt-2 text-16 text-ink-2">{description}</Dialog.Description>
          {children}
          <div className="mt-6 flex flex-col gap-2 sm:flex-row-reverse sm:flex-wrap max-sm:[&>*]:h-12 max-sm:[&>*]:text-16">
            {footer}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type FocusReturn = Required<Pick<Dialog.DialogContentProps, 'onOpenAutoFocus' | 'onCloseAutoFocus'>>;

/**
 * Handlers for the content of a dialog that return the focus to the element that had it when the dialog opened. Every
 * dialog uses them, because Radix returns the focus only to a trigger of its own. When the opener has gone with the
 * action, the focus stays where the page has put it, and otherwise moves to the content of the page.
 * @param nextFocus see {@link Modal}
 */
export function useFocusReturn(nextFocus?: () => HTMLElement | null): FocusReturn {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      const current = nextFocus?.() ?? opener.current;
      if (current instanceof HTMLElement && current.isConnected) current.focus();
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) document.getElementById('main')?.focus();
    },
  };
}
