import { useQueries } from '@tanstack/react-query';
import type { AccountStatement, StatementEntry } from '../../../../../src/contract/audit.js';
import { callRpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { useRpc } from '../../../lib/use-rpc.js';

/** Lines that are fetched at once. The server reads the whole account for each fetch. */
export const LINES_FETCHED = 200;

/** The lines of an account, the newest first; of a long one those that are in view, and the newest. */
export interface AccountLines {
  /** Number of all lines. */
  readonly total: number;
  /** The line at a place, from 0; undefined until it is loaded. */
  readonly lineAt: (place: number) => StatementEntry | undefined;
  /** The loaded lines. */
  readonly loaded: readonly StatementEntry[];
}

/** The newest lines of an account. */
export function useNewestLines(userId: string) {
  return useRpc('get_account_statement', { p_user_id: userId, p_newest_first: true, p_limit: LINES_FETCHED });
}

/**
 * The lines around a part of the list. Loads them in pages of {@link LINES_FETCHED}.
 * @param newest the newest lines. Later pages end at the same instant, so that new events do not move their lines.
 * @param from place of the first line in view. @param to place after the last one
 */
export function useAccountLines(newest: AccountStatement, from: number, to: number): AccountLines {
  const { user } = useViewer();
  const pages: number[] = [];
  for (let page = Math.max(1, Math.floor(from / LINES_FETCHED)); page * LINES_FETCHED < to; page += 1) pages.push(page);
  const name = 'get_account_statement';
  const answers = useQueries({
    queries: pages.map((page) => {
      const request = {
        ...{ p_user_id: newest.user_id, p_newest_first: true, p_to: newest.to },
        ...{ p_limit: LINES_FETCHED, p_offset: page * LINES_FETCHED },
      };
      return {
        queryKey: [name, user?.id, request],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => callRpc(name, request, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const byPage = new Map([
    [0, newest.lines],
    ...pages.map((page, index) => [page, answers[index]?.data?.lines] as const),
  ]);
  return {
    total: newest.total_lines,
    lineAt: (place) => byPage.get(Math.floor(place / LINES_FETCHED))?.[place % LINES_FETCHED],
    loaded: [...byPage.values()].flatMap((lines) => lines ?? []),
  };
}
