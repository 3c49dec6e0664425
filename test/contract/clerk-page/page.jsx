import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ClerkProvider, Show, SignIn, SignUp, useAuth, useClerk, useSignIn, useSignUp, useUser } from '@clerk/react';

/** A page that uses Clerk as the product does: `/sign-in`, `/sign-up` with the widgets, `/headless` with the hooks. */
const publishableKey = 'pk_test_' + btoa('clerk.sandbox.localhost$');

function Me() {
  const { user } = useUser();
  const { getToken, sessionId } = useAuth();
  const { signOut } = useClerk();
  window.getToken = getToken;
  return (
    <div>
      <p id="email">{user.primaryEmailAddress.emailAddress}</p>
      <p id="session">{sessionId}</p>
      <img id="avatar" src={user.imageUrl} alt="" />
      <button id="sign-out" onClick={() => signOut()}>
        Sign out
      </button>
    </div>
  );
}

function Headless() {
  const { signUp } = useSignUp();
  const { signIn } = useSignIn();
  const [mode, setMode] = useState('sign-up');
  const [error, setError] = useState('');
  const run = (steps) => async (event) => {
    event.preventDefault();
    setError('');
    const form = Object.fromEntries(new FormData(event.target));
    for (const step of steps) {
      const { error: refused } = await step(form);
      if (refused) return setError(refused.errors?.[0]?.code ?? refused.code);
    }
  };
  const navigate = () => undefined;
  const start = run([
    ({ email, password }) => signUp.password({ emailAddress: email, password }),
    () => signUp.verifications.sendEmailCode(),
    async () => (setMode('code'), {}),
  ]);
  const verify = run([
    ({ code }) => signUp.verifications.verifyEmailCode({ code }),
    () => signUp.finalize({ navigate }),
  ]);
  const enter = run([
    ({ email, password }) => signIn.password({ identifier: email, password }),
    () => signIn.finalize({ navigate }),
  ]);
  const askCode = run([
    ({ email }) => signIn.emailCode.sendCode({ emailAddress: email }),
    async () => (setMode('sign-in-code'), {}),
  ]);
  const enterCode = run([({ code }) => signIn.emailCode.verifyCode({ code }), () => signIn.finalize({ navigate })]);
  const forms = { 'sign-up': start, code: verify, 'sign-in': enter, 'ask-code': askCode, 'sign-in-code': enterCode };
  return (
    <div>
      <button id="to-sign-in" onClick={() => setMode('sign-in')}>
        Sign in
      </button>
      <button id="to-ask-code" onClick={() => setMode('ask-code')}>
        Sign in with a code
      </button>
      <form onSubmit={forms[mode]} data-mode={mode}>
        {mode.endsWith('code') && mode !== 'ask-code' ? <input name="code" /> : <input name="email" />}
        {mode === 'sign-up' || mode === 'sign-in' ? <input name="password" type="password" /> : null}
        <button id="go">Go</button>
      </form>
      <p id="error">{error}</p>
      <div id="clerk-captcha" />
    </div>
  );
}

const pages = {
  '/sign-in': <SignIn routing="path" path="/sign-in" />,
  '/sign-up': <SignUp routing="path" path="/sign-up" />,
  '/headless': <Headless />,
};
const here = Object.keys(pages).find((path) => location.pathname.startsWith(path));

createRoot(document.getElementById('root')).render(
  <ClerkProvider
    publishableKey={publishableKey}
    proxyUrl="/__clerk"
    telemetry={false}
    signInUrl="/sign-in"
    signUpUrl="/sign-up"
    signInFallbackRedirectUrl="/"
    signUpFallbackRedirectUrl="/"
    afterSignOutUrl="/"
  >
    <Show when="signed-in">
      <Me />
    </Show>
    <Show when="signed-out">{pages[here] ?? <p id="signed-out">Signed out</p>}</Show>
  </ClerkProvider>,
);
