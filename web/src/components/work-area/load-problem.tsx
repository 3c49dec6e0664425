import { Copy, RefreshCw } from 'lucide-react';
import { Button } from '../button.js';
import { ApiError } from '../../lib/api.js';
import { cx } from '../../lib/cx.js';
import { copyText } from '../copy.js';
import { type RepeatableQuery } from '../states.js';
import { formatUtcTime } from './utc.js';
import { problemOf } from '../../lib/problem-of.js';

interface LoadProblemProps {
  /** `Failed to load creators. Please try again.` */
  readonly title: string;
  readonly query: RepeatableQuery & { readonly errorUpdatedAt: number };
  readonly className?: string;
}

/** Replaces content that could not be loaded: the reason, the id of the request, and a button to try again. */
export function LoadProblem({ title, query, className }: LoadProblemProps): React.ReactNode {
  const { error, isFetching, errorUpdatedAt, refetch } = query;
  const request = error instanceof ApiError ? error.requestId : null;
  return (
    <div role="alert" className={cx('rounded-panel border border-line bg-surface p-6', className)}>
      <p className="display-sm text-24 text-balance">{title}</p>
      <p className="mt-2 text-14 [overflow-wrap:anywhere] text-ink-2 tabular-nums">
        {error && `${problemOf(error)} `}
        Nothing was changed. {request !== null && `Request ${request}, `}
        {formatUtcTime(errorUpdatedAt)} UTC.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button busy={isFetching} busyLabel="Trying..." onClick={() => void refetch()}>
          <RefreshCw aria-hidden className="size-4" />
          Try Again
        </Button>
        {request !== null && (
          <Button kind="quiet" onClick={() => void copyText('Request', request)}>
            <Copy aria-hidden className="size-4" />
            Copy request
          </Button>
        )}
      </div>
    </div>
  );
}
