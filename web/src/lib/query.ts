import { QueryClient } from '@tanstack/react-query';
import { retryDelay, worthRetrying } from './retry.js';

/** An empty cache with the settings of the app. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetrying, retryDelay, staleTime: 30_000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });

export const queryClient = createQueryClient();
