import { cx } from '../lib/cx.js';
import { problemOf } from '../lib/problem-of.js';
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

/** A query of the query library that may have failed. */
export interface RepeatableQuery {
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface QueryProblemProps extends Pick<ErrorStateProps, 'title' | 'retryLabel' | 'className'> {
  readonly query: RepeatableQuery;
  /** The reason with further words; the reason alone by default. */
  readonly children?: React.ReactNode;
}

/** A query that failed: the reason, and a button that tries again. */
export function QueryProblem({ query, children, ...state }: QueryProblemProps): React.ReactNode {
  return (
    <ErrorState {...state} onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {children ?? problemOf(query.error)}
    </ErrorState>
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
