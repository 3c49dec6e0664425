import { useQueries } from '@tanstack/react-query';
import type { AccountStatement, StatementEntry } from '../../../../../src/contract/audit.js';
import { callRpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { useRpc } from '../../../lib/use-rpc.js';

/** Lines that are fetched at once. The server reads the whole account for each fetch. */
export const LINES_FETCHED = 200;

/** A line with its index among all lines, the newest first, from 0. */
export type IndexedLine = StatementEntry & { readonly index: number };

/** The lines of an account that are loaded: the newest, and those in view. */
export interface AccountLines {
  /** Number of all lines. */
  readonly total: number;
  /** The newest first. */
  readonly loaded: readonly IndexedLine[];
  /** The line at an index; undefined until it is loaded. */
  readonly lineAt: (index: number) => IndexedLine | undefined;
}

/** The newest lines of an account. */
export function useNewestLines(userId: string) {
  return useRpc('get_account_statement', { p_user_id: userId, p_newest_first: true, p_limit: LINES_FETCHED });
}

/**
 * The lines around a part of the list. Loads them in pages of {@link LINES_FETCHED}.
 * @param newest the newest lines; undefined until they are loaded. Later pages end at the same instant, so that new
 *   events do not move their lines.
 * @param from index of the first line in view. @param to index after the last one
 */
export function useAccountLines(newest: AccountStatement | undefined, from: number, to: number): AccountLines {
  const { user } = useViewer();
  const total = newest?.total_lines ?? 0;
  const pages: number[] = [];
  for (let page = Math.max(1, Math.floor(from / LINES_FETCHED)); page * LINES_FETCHED < Math.min(to, total); page += 1)
    pages.push(page);
  const name = 'get_account_statement';
  const answers = useQueries({
    queries: pages.map((page) => {
      const request = {
        p_user_id: newest?.user_id ?? '',
        p_newest_first: true,
        p_to: newest?.to ?? '',
        p_limit: LINES_FETCHED,
        p_offset: page * LINES_FETCHED,
      };
      return {
        queryKey: [name, user?.id, request],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => callRpc(name, request, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const loaded = [newest?.lines, ...answers.map(({ data }) => data?.lines)].flatMap((lines, index) => {
    const first = (index === 0 ? 0 : (pages[index - 1] ?? 0)) * LINES_FETCHED;
    return (lines ?? []).map((line, at) => ({ ...line, index: first + at }));
  });
  const byIndex = new Map(loaded.map((line) => [line.index, line]));
  return { total, loaded, lineAt: (index) => byIndex.get(index) };
}
