import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { loadIdentityWith, reportIdentityUnavailable, viewer, whenSettled } from '../../../lib/auth.js';
import { afterFirstPaint } from '../../../lib/first-paint.js';
import { whenIdle } from '../../../lib/when-idle.js';

const ClerkHost = lazy(() =>
  import('./clerk-host.js').catch((error: unknown) => {
    console.error('The identity SDK could not be loaded', error);
    reportIdentityUnavailable();
    return { default: () => null };
  }),
);

/**
 * Loads the identity SDK: at once when something requires it, after the first paint when this browser has a session, or
 * otherwise when the browser is idle. It renders next to the pages, not around them, so that public pages neither wait
 * for it nor render again when it has loaded.
 */
export function AuthHost(): React.ReactNode {
  // The SDK keeps the first `navigate` that it receives. React may discard the first render of `ClerkHost`, and a
  // `navigate` from that render would be lost. This component is already committed, so its `navigate` stays valid.
  const navigate = useNavigate();
  const [started, setStarted] = useState(false);
  useEffect(() => {
    const release = loadIdentityWith(() => setStarted(true));
    const cancel = (viewer().expectSignedIn ? afterFirstPaint : whenIdle)(() => {
      void whenSettled(); // loads the SDK and starts its timeout
    });
    return () => {
      cancel();
      release();
    };
  }, []);
  return started ? (
    <Suspense>
      <ClerkHost navigate={navigate} />
    </Suspense>
  ) : null;
}
