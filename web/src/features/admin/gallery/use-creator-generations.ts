import { useState } from 'react';
import { ADMIN_GENERATIONS_PAGE_SIZE } from '../../../../../src/contract/admin-gallery.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { useSettled } from '../../../components/work-area/use-settled.js';
import { stripTags } from '../../../lib/sanitise.js';

/** A page of all generations of a creator, and the search in them (creator spec, section 5). */
export function useCreatorGenerations(creatorId: string) {
  const [text, search] = useState('');
  const settled = useSettled(stripTags(text).trim());
  const list = useNumberedPages(
    'list_creator_generations_admin',
    { p_creator_id: creatorId, p_search: settled === '' ? null : settled },
    ADMIN_GENERATIONS_PAGE_SIZE,
  );
  return { list, text, search };
}
