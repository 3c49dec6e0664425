import { createElement as h, type ReactElement, type SubmitEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  ClerkProvider,
  Show,
  SignIn,
  SignUp,
  useAuth,
  useClerk,
  useReverification,
  useSignIn,
  useSignUp,
  useUser,
} from '@clerk/react';
import { isClerkAPIResponseError, isReverificationCancelledError } from '@clerk/react/errors';

/** A page that uses Clerk like the product: widgets on `/sign-in` and `/sign-up`, hooks on `/headless`. */
const publishableKey = `pk_test_${btoa('clerk.sandbox.localhost$')}`;

function Me(): ReactElement | null {
  const { user } = useUser();
  const { getToken, sessionId } = useAuth();
  const { signOut } = useClerk();
  if (!user) return null;
  Object.assign(window, { getToken });
  return h(
    'div',
    null,
    h('p', { id: 'email' }, user.primaryEmailAddress?.emailAddress),
    h('p', { id: 'session' }, sessionId),
    h('img', { id: 'avatar', src: user.imageUrl, alt: '' }),
    h(Transfer),
    h('button', { id: 'sign-out', onClick: () => void signOut() }, 'Sign out'),
  );
}

/** A call that the server refuses when the last verification is too old. */
function Transfer(): ReactElement {
  const { getToken } = useAuth();
  const [result, setResult] = useState('');
  const transfer = useReverification(async () =>
    fetch('/transfer', { method: 'POST', headers: { Authorization: `Bearer ${await getToken()}` } }),
  );
  const start = async (): Promise<void> => {
    try {
      setResult(JSON.stringify(await transfer()));
    } catch (error) {
      setResult(isReverificationCancelledError(error) ? 'cancelled' : String(error));
    }
  };
  return h(
    'div',
    null,
    h('button', { id: 'transfer', onClick: () => void start() }, 'Transfer'),
    h('p', { id: 'transferred' }, result),
  );
}

type Mode = 'sign-up' | 'sign-up-code' | 'sign-in' | 'ask-code' | 'sign-in-code';
type Step = (field: (name: string) => string) => Promise<{ error: Error | null }>;

const FIELDS: Readonly<Record<Mode, readonly string[]>> = {
  'sign-up': ['email', 'password'],
  'sign-up-code': ['code'],
  'sign-in': ['email', 'password'],
  'ask-code': ['email'],
  'sign-in-code': ['code'],
};

function Headless(): ReactElement {
  const { signUp } = useSignUp();
  const { signIn } = useSignIn();
  const [mode, setMode] = useState<Mode>('sign-up');
  const [refusal, setRefusal] = useState('');
  const navigate = (): void => undefined;
  const goTo = (next: Mode) => async (): Promise<{ error: null }> => {
    setMode(next);
    return { error: null };
  };
  const steps: Readonly<Record<Mode, readonly Step[]>> = {
    'sign-up': [
      (field) => signUp.password({ emailAddress: field('email'), password: field('password') }),
      () => signUp.verifications.sendEmailCode(),
      goTo('sign-up-code'),
    ],
    'sign-up-code': [
      (field) => signUp.verifications.verifyEmailCode({ code: field('code') }),
      () => signUp.finalize({ navigate }),
    ],
    'sign-in': [
      (field) => signIn.password({ identifier: field('email'), password: field('password') }),
      () => signIn.finalize({ navigate }),
    ],
    'ask-code': [(field) => signIn.emailCode.sendCode({ emailAddress: field('email') }), goTo('sign-in-code')],
    'sign-in-code': [
      (field) => signIn.emailCode.verifyCode({ code: field('code') }),
      () => signIn.finalize({ navigate }),
    ],
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setRefusal('');
    const data = new FormData(event.currentTarget);
    for (const step of steps[mode]) {
      const { error } = await step((name) => data.get(name) as string);
      if (error) {
        setRefusal((isClerkAPIResponseError(error) && error.errors[0]?.code) || error.message);
        return;
      }
    }
  };
  return h(
    'div',
    null,
    h('button', { id: 'to-sign-in', onClick: () => setMode('sign-in') }, 'Sign in'),
    h('button', { id: 'to-ask-code', onClick: () => setMode('ask-code') }, 'Sign in with a code'),
    h(
      'form',
      { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void submit(event), 'data-mode': mode },
      FIELDS[mode].map((name) => h('input', { key: name, name, type: name === 'password' ? 'password' : 'text' })),
      h('button', { id: 'go' }, 'Go'),
    ),
    h('p', { id: 'error' }, refusal),
    h('div', { id: 'clerk-captcha' }),
  );
}

function signedOutPage(): ReactElement {
  if (location.pathname.startsWith('/sign-in')) return h(SignIn, { routing: 'path', path: '/sign-in' });
  if (location.pathname.startsWith('/sign-up')) return h(SignUp, { routing: 'path', path: '/sign-up' });
  if (location.pathname === '/headless') return h(Headless);
  return h('p', { id: 'signed-out' }, 'Signed out');
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
createRoot(root).render(
  h(ClerkProvider, {
    publishableKey,
    proxyUrl: '/__clerk',
    telemetry: false,
    nonce: 'contract-test',
    signInUrl: '/sign-in',
    signUpUrl: '/sign-up',
    signInFallbackRedirectUrl: '/',
    signUpFallbackRedirectUrl: '/',
    afterSignOutUrl: '/',
    children: [
      h(Show, { key: 'in', when: 'signed-in', children: h(Me) }),
      h(Show, { key: 'out', when: 'signed-out', children: signedOutPage() }),
    ],
  }),
);
