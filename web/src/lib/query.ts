import { QueryClient } from '@tanstack/react-query';
import { retryDelay, worthRetrying } from './retry.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: worthRetrying, retryDelay, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
