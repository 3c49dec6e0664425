import { QueryClientProvider } from '@tanstack/react-query';
import { Toaster } from '../components/toast.js';
import { queryClient } from '../lib/query.js';
import { Router } from './router.js';

export function App(): React.ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <Router />
      <Toaster />
    </QueryClientProvider>
  );
}
