import { useState } from 'react';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { Answer } from '../components/answer.js';
import { ProposalItem } from './proposal-item.js';
import { useMoveFocus } from './use-move-focus.js';

const PAGE_SIZE = PAGE_SIZES.users;

/** Proposals of admins: open ones, the oldest first, or decided ones, the latest first. */
export function ProposalList(): React.ReactNode {
  const [{ decided, offset }, setShown] = useState({ decided: false, offset: 0 });
  const first = !decided && offset === 0;
  const query = useRpc(
    'list_credit_proposals_admin',
    // The page counts the open ones by the same request.
    first ? {} : { p_decided: decided, p_limit: PAGE_SIZE, p_offset: offset },
  );
  const list = useMoveFocus<HTMLUListElement>();
  const tab = (label: string, ofDecided: boolean): React.ReactNode => (
    <button
      type="button"
      aria-pressed={decided === ofDecided}
      className={cx(
        'inline-flex h-9 items-center rounded-pill border px-3.5 text-14 hover:border-line-strong',
        decided === ofDecided ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
      )}
      onClick={() => setShown({ decided: ofDecided, offset: 0 })}
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
            {(offset > 0 || rows.length === PAGE_SIZE) && (
              <nav aria-label="Pages" className="mt-3.5 flex gap-2">
                <Button
                  size={32}
                  disabled={offset === 0}
                  onClick={() => setShown({ decided, offset: Math.max(0, offset - PAGE_SIZE) })}
                >
                  Previous
                </Button>
                <Button
                  size={32}
                  disabled={rows.length < PAGE_SIZE}
                  onClick={() => setShown({ decided, offset: offset + PAGE_SIZE })}
                >
                  Next
                </Button>
              </nav>
            )}
          </div>
        )}
      </Answer>
    </>
  );
}
