import { useState } from 'react';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import { EmptyState } from '../../../components/states.js';
import { FilterChip } from '../../../components/work-area/filter-chip.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { ProposalItem } from './proposal-item.js';

/** Proposals of admins: open ones, the oldest first, or decided ones, the latest first. */
export function ProposalList(): React.ReactNode {
  const [decided, setDecided] = useState(false);
  const list = useNumberedPages('list_credit_proposals_admin', { p_decided: decided }, PAGE_SIZES.users, {
    // The page counts the open ones by the same request.
    first: decided ? undefined : {},
  });
  return (
    <>
      <div className="flex gap-2">
        <FilterChip pressed={!decided} onPress={() => setDecided(false)}>
          Open
        </FilterChip>
        <FilterChip pressed={decided} onPress={() => setDecided(true)}>
          Decided
        </FilterChip>
      </div>
      <RpcList
        list={list}
        words={loadWords('proposals')}
        empty={
          <EmptyState title={decided ? 'Nothing was decided yet' : 'Nothing waits for a second admin'}>
            Credits above the daily limit of one admin are proposed on the page of a user.
          </EmptyState>
        }
        caption={decided ? 'Decided proposals' : 'Open proposals'}
        rowKey={({ id }) => id}
        item={(proposal) => <ProposalItem proposal={proposal} />}
        keys={{}}
        className="mt-2"
      />
    </>
  );
}
