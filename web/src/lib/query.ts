import { QueryClient } from '@tanstack/react-query';
import { forgetFrame, outdateFrame } from './frame.js';
import { forgetPromptPlace } from './prompt-place.js';
import { retryDelay, worthRetrying } from './retry.js';

/** An empty cache with the settings of the app. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetrying, retryDelay, staleTime: 30_000, refetchOnWindowFocus: false },
      // Without a network, an act fails at once: it would wait, and its dialog could not be left.
      mutations: { retry: false, networkMode: 'always' },
    },
  });

export const queryClient = createQueryClient();

/** Drops everything that was read and written, because another person has come. What pages show is read again. */
export function dropData(): void {
  forgetFrame();
  forgetPromptPlace();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries();
}

/**
 * Fetches the answers whose keys begin with `first` again, because something has changed them. Those that no page shows
 * are marked as stale.
 * @returns when the answers that pages show have been fetched
 */
export async function refreshQueries(...first: readonly string[]): Promise<void> {
  const refresh = async (key: string): Promise<void> => {
    const filters = { queryKey: [key] };
    // The library lets a first request go on, and the server may have answered that one before the change.
    await queryClient.cancelQueries({ ...filters, predicate: ({ state }) => state.data === undefined });
    await queryClient.invalidateQueries(filters);
  };
  outdateFrame();
  await Promise.all(first.map(refresh));
}
