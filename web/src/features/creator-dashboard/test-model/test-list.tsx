import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import type { TestGeneration } from '../../../../../src/contract/generation.js';
import { Loading } from '../../../components/loading.js';
import { Pagination } from '../../../components/pagination.js';
import { Skeletons } from '../../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { TestTile } from './test-tile.js';
import { TESTS_PER_PAGE, useTestAllowance } from './tests.js';

interface TestListProps {
  readonly query: UseQueryResult<TestGeneration[]>;
  /** 1-based. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Tries a failed test again. */
  readonly onRetry: ((prompt: string) => void) | undefined;
}

const GRID = 'mt-4 grid grid-cols-2 gap-x-(--tile-gap) gap-y-6 md:grid-cols-3 xl:grid-cols-4';

/** The tests so far, newest first, and how many were made today. */
export function TestList({ query, page, onPage, onRetry }: TestListProps): React.ReactNode {
  const { data: tests, isPending, isError, isPlaceholderData } = query;
  const { data: allowance } = useTestAllowance();
  const title = useRef<HTMLHeadingElement>(null);
  const pages = Math.ceil((tests?.[0]?.total_count ?? 0) / TESTS_PER_PAGE);
  return (
    <section aria-labelledby="tests-title" className="mt-10">
      <div className="flex items-baseline justify-between gap-4">
        <h2 ref={title} id="tests-title" tabIndex={-1} className="display-sm text-32 outline-none">
          Your tests
        </h2>
        {allowance && (
          <p className="text-14 tabular-nums text-ink-2">
            {allowance.used_today} of {allowance.limit} today
          </p>
        )}
      </div>
      {isPending && (
        <Loading text="Loading your tests">
          <div className={GRID}>
            <Skeletons count={4} className="aspect-square" />
          </div>
        </Loading>
      )}
      {isError && !tests && <QueryProblem className="mt-4" title="Your tests could not be loaded" query={query} />}
      {tests?.length === 0 && (
        <EmptyState title="No tests yet" className="mt-4">
          Write a prompt above, and the picture appears here.
        </EmptyState>
      )}
      {tests && tests.length > 0 && (
        <ul className={cx(GRID, isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
          {tests.map((test) => (
            <li key={test.generation.id} className="min-w-0">
              <TestTile test={test} onRetry={onRetry} />
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className="mt-8">
          <Pagination
            page={page}
            pages={pages}
            onPage={(next) => {
              onPage(next);
              title.current?.focus({ preventScroll: true });
              title.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
        </div>
      )}
    </section>
  );
}
