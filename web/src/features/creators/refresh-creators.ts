import { refreshQueries } from '../../lib/query.js';

/** Fetches creators and their pictures again, because one of them was changed, hidden, shown again or deleted. */
export function refreshCreators(): void {
  void refreshQueries('gallery', 'creator', 'creators', 'found-pictures', 'get_public_creator_by_username');
}
