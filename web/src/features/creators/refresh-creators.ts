import { refreshQueries } from '../../lib/query.js';

/** Fetches creators and galleries again, because a picture in them was hidden, shown again or deleted. */
export function refreshCreators(): void {
  void refreshQueries('gallery', 'creator', 'creators');
}
