import { cx } from '../lib/cx.js';
import { Button } from './button.js';

interface EmptyStateProps {
  readonly title: React.ReactNode;
  readonly children?: React.ReactNode;
  /** The suggested next step. */
  readonly action?: React.ReactNode;
  readonly className?: string | undefined;
}

/** An empty list: a display line and one action. */
export function EmptyState({ title, children, action, className }: EmptyStateProps): React.ReactNode {
  return (
    <div className={cx('rounded-panel border border-line p-6', className)}>
      <p className="display-sm text-24 text-balance">{title}</p>
      {children && <div className="mt-2 text-14 text-ink-2">{children}</div>}
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  readonly title: React.ReactNode;
  /** The reason, and that no credits were lost when that is true. */
  readonly children?: React.ReactNode;
  readonly retryLabel?: string;
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
  readonly className?: string | undefined;
}

/** An error: what failed, what it means, and how to try again. */
export function ErrorState({
  title,
  children,
  retryLabel = 'Retry',
  onRetry,
  retrying = false,
  className,
}: ErrorStateProps): React.ReactNode {
  return (
    <div role="alert" className={cx('rounded-panel border border-line p-6', className)}>
      <p className="display-sm text-24 text-balance">{title}</p>
      {children && <div className="mt-2 text-14 text-ink-2">{children}</div>}
      {onRetry && (
        <Button className="mt-4" onClick={onRetry} busy={retrying} busyLabel="Trying...">
          {retryLabel}
        </Button>
      )}
    </div>
  );
}

/** Why an act failed. It is in the page before that, so that screen readers announce the text. */
export function Problem({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return (
    <p role="alert" className="mt-3 text-14 text-bad empty:hidden">
      {children}
    </p>
  );
}
