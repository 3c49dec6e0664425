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
 * Loads the identity SDK after the first paint. It renders next to the pages, not around them, so that public pages
 * neither wait for it nor render again when it has loaded.
 */
export function AuthHost(): React.ReactNode {
  // The SDK keeps the first `navigate` that it receives. React may discard the first render of `ClerkHost`, and a
  // `navigate` from that render would be lost. This component is already committed, so its `navigate` stays valid.
  const navigate = useNavigate();
  const [started, setStarted] = useState(false);
  useEffect(
    () =>
      afterFirstPaint(() => {
        setStarted(true);
        void whenSettled(); // starts the timeout for the SDK
      }),
    [],
  );
  return started ? (
    <Suspense>
      <ClerkHost navigate={navigate} />
    </Suspense>
  ) : null;
}
