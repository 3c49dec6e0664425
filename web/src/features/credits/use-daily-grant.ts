import { focusManager, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { rpc } from '../../lib/api.js';
import { useCredits } from './api/get-user-credit-breakdown.js';
import { readCredits } from './refresh-credits.js';
import { useNextDailyCredits } from './use-next-daily-credits.js';

/** Waits before the first requests that follow, and before later ones, in ms. The server allows 5 in 300 s. */
const FIRST_WAITS_MS = [10_000, 60_000];
const WAIT_MS = 300_000;

/** The request for the credits that follow those of a day. It answers whether the server has accepted it. */
function useGrant(userId: string) {
  const { data: credits, isFetching } = useCredits();
  const isDue = useNextDailyCredits() === null && credits !== undefined;
  const query = queryOptions({
    queryKey: ['daily-grant', userId, credits?.daily_credits_last_granted],
    queryFn: grant,
    staleTime: Infinity,
    retry: false,
  });
  return { query, isDue, isFetching };
}

/** A failure is an answer: the library would repeat a failed request each time that the balance was read. */
async function grant(): Promise<boolean> {
  try {
    const result = await rpc('grant_daily_credits_by_jwt');
    if (!result.success) throw new Error(result.error);
    return true;
  } catch (error) {
    console.warn('The daily credits were not granted now', error);
    return false;
  } finally {
    // Also when this request granted nothing or failed: an earlier one may have, or its answer was lost.
    await readCredits();
  }
}

/**
 * Asks for the free credits of each day, as long as the balance shows none of today: also after a failure, and when the
 * day of this clock begins before that of the server. A failure interrupts nothing: only the credits page shows it.
 */
export function useDailyGrant(userId: string): void {
  useLocation(); // renders again after each navigation: the timer of the next day stops while a device sleeps
  const { query, isDue, isFetching } = useGrant(userId);
  // Tabs in the background leave it to the one that is seen: the server takes few requests of a person.
  const isSeen = useSyncExternalStore(followFocus, () => focusManager.isFocused());
  useQuery({
    ...query,
    enabled: isDue && !isFetching && isSeen,
    refetchInterval: ({ state }) => FIRST_WAITS_MS[state.dataUpdateCount - 1] ?? WAIT_MS,
  });
}

function followFocus(notify: () => void): () => void {
  return focusManager.subscribe(notify);
}

/** Whether today's free credits could not be added, and a retry. */
export function useDailyGrantFailure(userId: string) {
  const { query, isDue } = useGrant(userId);
  const { data, isFetching, refetch } = useQuery({ ...query, enabled: false });
  return { failed: isDue && data === false, retrying: isFetching, retry: refetch };
}
