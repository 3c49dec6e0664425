import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { reportIdentityUnavailable, whenSettled } from '../../../lib/auth.js';
import { afterFirstPaint } from '../../../lib/first-paint.js';

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
  // Taken here, in what has been drawn to the end: the SDK keeps what it was given when it was made, and React may throw away the drawing
  // of the host that it was made in. A function of that drawing would lead nowhere ever after.
  const navigate = useNavigate();
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
      <ClerkHost navigate={navigate} />
    </Suspense>
  ) : null;
}
