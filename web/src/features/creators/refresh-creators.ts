import { queryClient } from '../../lib/query.js';

/** Fetches creators and galleries again, because a picture in them was hidden, shown again or deleted. */
export function refreshCreators(): void {
  for (const key of ['gallery', 'creator', 'creators']) {
    void queryClient.invalidateQueries({ queryKey: [key] });
  }
}
