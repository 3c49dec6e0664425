import { useState } from 'react';
import { ADMIN_GENERATIONS_PAGE_SIZE } from '../../../../../src/contract/admin-gallery.js';
import { stripTags } from '../../../lib/sanitise.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useSettled } from '../../../components/work-area/use-settled.js';

/** A page of all generations of a creator, and the search in them (creator spec, section 5). */
export function useCreatorGenerations(creatorId: string) {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const search = useSettled(stripTags(text).trim());
  const query = useRpc('list_creator_generations_admin', {
    p_creator_id: creatorId,
    p_limit: ADMIN_GENERATIONS_PAGE_SIZE,
    p_offset: (page - 1) * ADMIN_GENERATIONS_PAGE_SIZE,
    p_search: search === '' ? null : search,
  });
  const total = query.data?.[0]?.total_count ?? 0;
  return {
    query,
    total,
    page,
    pages: Math.max(1, Math.ceil(total / ADMIN_GENERATIONS_PAGE_SIZE)),
    setPage,
    text,
    search: (typed: string) => {
      setText(typed);
      setPage(1);
    },
  };
}
