import { useState } from 'react';
import { recall } from './return-to.js';
import { AuthWidget } from './components/auth-slot.js';

/** The page to which an identity provider redirects. Clerk completes the sign-in here and navigates on. */
export default function OauthCallbackPage(): React.ReactNode {
  const [destination] = useState(() => recall() ?? { to: '/', state: null });
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-center justify-center">
      <title>Signing in · Fanvas</title>
      <p role="status" className="text-18 text-ink-2">
        Signing you in...
      </p>
      <AuthWidget kind="callback" destination={destination} />
    </div>
  );
}
