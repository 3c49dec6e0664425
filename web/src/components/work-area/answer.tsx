import { Clock } from 'lucide-react';
import { type RepeatableQuery } from '../states.js';
import { LoadProblem } from './load-problem.js';
import { Loading } from '../loading.js';
import { formatUtcTime } from './utc.js';

export interface LoadWords {
  /** Shown when nothing could be loaded: `Failed to load reports. Please try again.` */
  readonly failure: string;
  /** Announced while the first answer loads. */
  readonly loading?: string;
}

/** The usual words for an answer with this name, or with another one while it loads. */
export const loadWords = (name: string, loadingName = name): LoadWords => ({
  failure: `Failed to load ${name}. Please try again.`,
  loading: `Loading ${loadingName}...`,
});

export interface AnswerProps<T> {
  /** The state of a query of the query library. */
  readonly query: RepeatableQuery & {
    readonly data: T | undefined;
    readonly isError: boolean;
    readonly dataUpdatedAt: number;
    readonly errorUpdatedAt: number;
    /** The data answers the former request. */
    readonly isPlaceholderData?: boolean;
  };
  readonly words: LoadWords;
  /** Blocks with the geometry of the content. */
  readonly skeleton: React.ReactNode;
  readonly children: (data: T) => React.ReactNode;
}

/** An answer of the server in its states: loading, failed, out of date (dimmed, with its age), or there. */
export function Answer<T>({ query, words, skeleton, children }: AnswerProps<T>): React.ReactNode {
  const { data, isError, dataUpdatedAt, refetch, isPlaceholderData = false } = query;
  if (data === undefined && isError) return <LoadProblem className="mt-4" title={words.failure} query={query} />;
  if (data === undefined) return <Loading text={words.loading ?? 'Loading...'}>{skeleton}</Loading>;
  return (
    <>
      {isError && (
        <p
          role="status"
          className="mt-4 flex items-center gap-3 rounded-ctl border border-line bg-surface px-4 py-3 text-14"
        >
          <Clock aria-hidden className="size-[18px] shrink-0" />
          <span>
            <span>This is from {formatUtcTime(dataUpdatedAt)} UTC.</span>{' '}
            <button type="button" className="link" onClick={() => void refetch()}>
              Refresh
            </button>
          </span>
        </p>
      )}
      <div aria-busy={isPlaceholderData} className={isError || isPlaceholderData ? 'opacity-60' : undefined}>
        {children(data)}
      </div>
    </>
  );
}
