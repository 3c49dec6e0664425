import { useState } from 'react';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Pagination } from '../../../components/pagination.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer } from '../../../components/work-area/answer.js';
import { ProposalItem } from './proposal-item.js';
import { useMoveFocus } from './use-move-focus.js';

const PAGE_SIZE = PAGE_SIZES.users;

/** Proposals of admins: open ones, the oldest first, or decided ones, the latest first. */
export function ProposalList(): React.ReactNode {
  const [{ decided, page }, setShown] = useState({ decided: false, page: 1 });
  const first = !decided && page === 1;
  const query = useRpc(
    'list_credit_proposals_admin',
    // The page counts the open ones by the same request.
    first ? {} : { p_decided: decided, p_limit: PAGE_SIZE, p_offset: (page - 1) * PAGE_SIZE },
  );
  const pages = Math.ceil((query.data?.[0]?.total_count ?? 0) / PAGE_SIZE);
  const list = useMoveFocus<HTMLUListElement>();
  const tab = (label: string, ofDecided: boolean): React.ReactNode => (
    <button
      type="button"
      aria-pressed={decided === ofDecided}
      className={cx(
        'inline-flex h-9 items-center rounded-pill border px-3.5 text-14 hover:border-line-strong',
        decided === ofDecided ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
      )}
      onClick={() => setShown({ decided: ofDecided, page: 1 })}
    >
      {label}
    </button>
  );
  return (
    <>
      <div className="flex gap-2">
        {tab('Open', false)}
        {tab('Decided', true)}
      </div>
      <Answer
        query={query}
        failure="Failed to load proposals. Please try again."
        loadingText="Loading proposals..."
        skeleton={<Skeleton className="mt-4 h-40 rounded-sm" />}
      >
        {(rows) => (
          <div className={cx(query.isPlaceholderData && 'opacity-60')}>
            {rows.length === 0 ? (
              <EmptyState
                className="mt-4"
                title={decided ? 'Nothing was decided yet' : 'Nothing waits for a second admin'}
              >
                Credits above the daily limit of one admin are proposed on the page of a user.
              </EmptyState>
            ) : (
              <ul ref={list} aria-label={decided ? 'Decided proposals' : 'Open proposals'} className="mt-2">
                {rows.map((proposal) => (
                  <ProposalItem key={proposal.id} proposal={proposal} />
                ))}
              </ul>
            )}
            {(pages > 1 || page > 1) && (
              <div className="mt-3.5">
                <Pagination page={page} pages={pages} onPage={(next) => setShown({ decided, page: next })} />
              </div>
            )}
          </div>
        )}
      </Answer>
    </>
  );
}
