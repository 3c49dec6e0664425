import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, startTransition, Suspense, useEffect, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { afterFirstPaint } from '../lib/first-paint.js';
import { endFirstDraw, useHydrated } from '../lib/first-draw.js';
import type { PageRouter } from './page-code.js';

/** Loaded after the first paint, which keeps the landing page small. Earlier messages are shown then. */
const Toaster = lazy(() =>
  import('../components/toaster.js').catch((error: unknown) => {
    console.error('Messages cannot be shown', error);
    return { default: () => null };
  }),
);

interface AppProps {
  readonly router: PageRouter;
  readonly client: QueryClient;
  /** Called when the page reacts to events. */
  readonly onReady?: (() => void) | undefined;
}

/** The page of the router's address. The server draws it, and the browser. */
export function App({ router, client, onReady }: AppProps): React.ReactNode {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterFirstPaint(() => startTransition(() => setPainted(true))), []);
  useEffect(endFirstDraw, []);
  // With the parts that only the browser draws: what the visitor has pressed may need them.
  const hydrated = useHydrated();
  useEffect(() => {
    if (!hydrated) return;
    // The components now decide what this visitor sees.
    delete document.documentElement.dataset['visitor'];
    onReady?.();
  }, [hydrated, onReady]);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      {painted && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}
