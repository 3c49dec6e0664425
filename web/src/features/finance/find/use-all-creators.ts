import { useQuery } from '@tanstack/react-query';
import type { CreatorLiability } from '../../../../../src/contract/finance.js';
import { callRpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';

/** The most that the server gives at once. */
const CREATORS_A_PAGE = 200;

/** The creators of the books, all pages of them: the server orders them by id and searches none. */
export function useAllCreators() {
  const { user } = useViewer();
  return useQuery({
    queryKey: ['list_creator_liabilities', user?.id, 'all'],
    queryFn: async ({ signal }) => {
      const creators: CreatorLiability[] = [];
      let after: string | undefined;
      do {
        const request = { p_limit: CREATORS_A_PAGE, ...(after !== undefined && { p_after: after }) };
        const page = await callRpc('list_creator_liabilities', request, { signal });
        creators.push(...page.creators);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return creators;
    },
    enabled: user !== null,
  });
}
