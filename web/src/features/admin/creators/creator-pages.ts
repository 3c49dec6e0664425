import type { RpcRequest } from '../../../../../src/contract/calls.js';

/** Creators on a page of the list. */
export const CREATORS_PAGE_SIZE = 24;

export type CreatorState = 'active' | 'archived';

/** The request for a page of creators, from 1. Equal requests share one answer. */
export function creatorPage(state: CreatorState, search: string, page: number): RpcRequest<'list_creators_admin'> {
  return {
    p_state: state,
    p_search: search === '' ? null : search,
    p_limit: CREATORS_PAGE_SIZE,
    p_offset: (page - 1) * CREATORS_PAGE_SIZE,
  };
}
