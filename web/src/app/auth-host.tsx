import { lazy, Suspense, useEffect, useState } from 'react';
import { reportIdentityUnavailable, whenSettled } from '../lib/auth.js';
import { afterFirstPaint } from '../lib/first-paint.js';

const ClerkHost = lazy(() =>
  import('./clerk-host.js').catch((error: unknown) => {
    console.error('The identity SDK could not be loaded', error);
    reportIdentityUnavailable();
    return { default: () => null };
  }),
);

/**
 * Brings in the identity SDK, beside the pages instead of around them: it loads after the first paint, and nothing on a
 * public page waits for it or is rendered anew when it arrives.
 */
export function AuthHost(): React.ReactNode {
  const [started, setStarted] = useState(false);
  useEffect(
    () =>
      afterFirstPaint(() => {
        setStarted(true);
        void whenSettled(); // its patience ends also where nobody else is waiting
      }),
    [],
  );
  return started ? (
    <Suspense>
      <ClerkHost />
    </Suspense>
  ) : null;
}
