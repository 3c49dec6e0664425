import { Dialog as Radix } from 'radix-ui';
import { cx } from '../../lib/cx.js';

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string;
  /** Buttons, the safe one last and solid; on a phone they are stacked over the full width. */
  readonly actions?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** A question that needs an answer now. Focus is trapped and given back; Escape and the scrim close it. */
export function Dialog({ open, onOpenChange, title, description, actions, children }: DialogProps): React.ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-(--z-dialog) bg-scrim" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx(
            'rise-in fixed z-(--z-dialog) rounded-panel border border-line-strong bg-raised p-6 shadow-float',
            'inset-x-4 bottom-4 sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-[min(520px,calc(100vw-32px))] sm:-translate-x-1/2 sm:-translate-y-1/2',
          )}
        >
          <Radix.Title className="display-sm text-24">{title}</Radix.Title>
          {description && <Radix.Description className="mt-2 text-16 text-ink-2">{description}</Radix.Description>}
          {children}
          {actions && (
            <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:items-center sm:justify-end">{actions}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
