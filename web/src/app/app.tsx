import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { Toaster } from '../components/ui/toast.js';
import { queryClient } from '../lib/query.js';
import { AuthHost } from './auth-host.js';
import { router } from './router.js';

export function App(): React.ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
      <AuthHost />
    </QueryClientProvider>
  );
}
