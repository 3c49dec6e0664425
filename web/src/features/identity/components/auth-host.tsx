import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { loadIdentityWith, viewer, whenKnown } from '../../../lib/auth.js';
import { afterFirstPaint } from '../../../lib/first-paint.js';
import { reconnectDelay } from '../../../lib/status-check.js';
import { watchSession } from '../watch-session.js';
import { useCode } from '../../../lib/use-code.js';
import { whenIdle } from '../../../lib/when-idle.js';

const loadClerkHost = async () => (await import('./clerk-host.js')).default;

interface AuthHostProps {
  /** Always the same function. */
  readonly loadHost?: typeof loadClerkHost;
}

/**
 * Loads the identity SDK: at once when something requires it, after the first paint when this browser has a session, or
 * otherwise when the browser is idle; after a failure it tries again, without an end. It renders next to the pages, not
 * around them, so that public pages neither wait for it nor render again when it has loaded.
 */
export function AuthHost({ loadHost = loadClerkHost }: AuthHostProps): React.ReactNode {
  // The SDK keeps the first `navigate` that it receives. React may discard the first render of `ClerkHost`, and a
  // `navigate` from that render would be lost. This component is already committed, so its `navigate` stays valid.
  const navigate = useNavigate();
  const [started, setStarted] = useState(false);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { code: ClerkHost, missing } = useCode(loadHost, started, String(attempt));
  useEffect(() => {
    const release = loadIdentityWith(() => setStarted(true));
    const cancel = (viewer().expectSignedIn ? afterFirstPaint : whenIdle)(() => void whenKnown());
    return () => {
      cancel();
      release();
    };
  }, []);
  useEffect(() => {
    if (!failed && !missing) return undefined;
    // Until the script has come, the provider is nearly always there to receive it.
    const awaitsScript = !missing && !('Clerk' in window);
    const again = (): void => {
      setFailed(false);
      setAttempt(attempt + 1);
    };
    const timer = setTimeout(again, awaitsScript ? 1_000 : reconnectDelay(attempt));
    return () => clearTimeout(timer);
  }, [failed, missing, attempt]);
  const onFailure = useCallback(() => setFailed(true), []);
  useEffect(watchSession, []);
  return ClerkHost ? <ClerkHost key={attempt} navigate={navigate} onFailure={onFailure} /> : null;
}
