import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { afterFirstPaint } from '../lib/first-paint.js';
import { queryClient } from '../lib/query.js';
import { Router } from './router.js';

/** Loaded after the first paint, which keeps the landing page small. Earlier messages are shown then. */
const Toaster = lazy(() =>
  import('../components/toaster.js').catch((error: unknown) => {
    console.error('Messages cannot be shown', error);
    return { default: () => null };
  }),
);

export function App(): React.ReactNode {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterFirstPaint(() => setPainted(true)), []);
  return (
    <QueryClientProvider client={queryClient}>
      <Router />
      {painted && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}
