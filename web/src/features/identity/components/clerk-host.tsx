import { AuthenticateWithRedirectCallback, ClerkProvider, SignIn, SignUp, useClerk, useUser } from '@clerk/react';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { NavigateFunction } from 'react-router-dom';
import { reportWidgetsMissing, useAuthSlot } from './auth-slot.js';
import { ReverificationBridge } from './reverification-bridge.js';
import { SignUpBridge } from './sign-up-bridge.js';
import { forgetDestination, recall } from '../return-to.js';
import { LazyWidgets, loadWidgets } from '../lazy-widgets.js';
import { clerkAppearance } from '../clerk-appearance.js';
import { viewerUserOf } from '../viewer-user.js';
import { reportSession, viewer } from '../../../lib/auth.js';
import { fanvasConfig } from '../../../lib/config.js';
import { dropData, queryClient } from '../../../lib/query.js';
import { leaving } from '../watch-session.js';

interface ClerkHostProps {
  readonly navigate: NavigateFunction;
  /** Called when the SDK has given up its start. */
  readonly onFailure: () => void;
}

/**
 * Holds the identity SDK: reports who is signed in, and renders its widgets into the slots of the pages. The widgets
 * are loaded for a slot or a verification. The SDK keeps the first `navigate`, so it must stay valid.
 */
export default function ClerkHost({ navigate, onFailure }: ClerkHostProps): React.ReactNode {
  const { clerkPublishableKey, clerkProxyUrl, styleNonce } = fanvasConfig();
  const go = (to: string, replace: boolean): void => goTo(to, replace, navigate);
  return (
    <ClerkProvider
      publishableKey={clerkPublishableKey}
      {...(clerkProxyUrl ? { proxyUrl: clerkProxyUrl } : {})}
      nonce={styleNonce}
      ui={{ ClerkUI: LazyWidgets }}
      telemetry={false}
      signInUrl="/sign-in"
      signUpUrl="/sign-up"
      signInFallbackRedirectUrl="/"
      signUpFallbackRedirectUrl="/"
      afterSignOutUrl="/"
      routerPush={(to) => go(to, false)}
      routerReplace={(to) => go(to, true)}
      appearance={clerkAppearance}
    >
      <SessionBridge navigate={navigate} onFailure={onFailure} />
      <SignUpBridge />
      <ReverificationBridge />
      <Widgets />
    </ClerkProvider>
  );
}

/** Routes the SDK's navigation through the router, and restores the navigation state from before the sign-in. */
function goTo(to: string, replace: boolean, navigate: NavigateFunction): void {
  const { location } = window;
  const url = new URL(to, location.href);
  if (url.origin !== location.origin) {
    location.assign(url);
    return;
  }
  const target = url.pathname + url.search + url.hash;
  if (target === location.pathname + location.search + location.hash) return; // the page has navigated already
  const remembered = recall();
  const arriving = remembered?.to === target;
  if (arriving) forgetDestination();
  void navigate(target, { replace, state: arriving ? remembered.state : undefined });
}

function SessionBridge({ navigate, onFailure }: ClerkHostProps): React.ReactNode {
  const clerk = useClerk();
  const { isLoaded, user } = useUser();
  const lastUser = useRef<string | null | undefined>(undefined);

  useEffect(() => {
    const check = (status: string): void => {
      if (status === 'error') onFailure();
    };
    check(clerk.status);
    clerk.on('status', check);
    return () => clerk.off('status', check);
  }, [clerk, onFailure]);

  useEffect(() => {
    if (!isLoaded) return;
    const report = (): void =>
      reportSession({
        user: clerk.user ? viewerUserOf(clerk.user) : null,
        getToken: async (options) => (await clerk.session?.getToken({ skipCache: options?.fresh ?? false })) ?? null,
        // The page must know at once that another one is under way: without a person it leads to /sign-in otherwise.
        signOut: (redirectTo = '/') =>
          leaving(() => clerk.signOut(async () => navigate(redirectTo, { flushSync: true }))),
        ask: async () => {
          const client = await clerk.client?.reload();
          const there = client?.signedInSessions.some(({ id }) => id === clerk.session?.id);
          // The SDK then asks once more, removes its cookies and ends the session here.
          if (clerk.session && there === false) await clerk.handleUnauthenticated();
          if (viewer().status === 'loading') report();
        },
      });
    const id = user?.id ?? null;
    const before = lastUser.current;
    lastUser.current = id;
    report();
    // Another person must not see cached data of the one before.
    if (before !== undefined && before !== null && before !== id) dropData();
    else if (before === null && id !== null) void queryClient.invalidateQueries();
  }, [clerk, isLoaded, navigate, user]);

  return null;
}

function Widgets(): React.ReactNode {
  const slot = useAuthSlot();
  const form = slot !== null && slot.kind !== 'callback';
  useEffect(() => {
    if (!form) return;
    // Loads next to the rest of the SDK, not after it.
    loadWidgets().then(
      () => reportWidgetsMissing(false),
      (error: unknown) => {
        console.error('The forms of the identity SDK could not be loaded', error);
        reportWidgetsMissing(true);
      },
    );
  }, [form]);
  // The SDK may be ready before its provider listens; widgets rendered before then would never update.
  const { isLoaded } = useUser();
  if (!slot || !isLoaded) return null;
  const { kind, element, destination } = slot;
  const other = `?redirect_url=${encodeURIComponent(destination.to)}`;
  switch (kind) {
    case 'sign-in':
      return createPortal(
        <SignIn
          routing="path"
          path="/sign-in"
          signUpUrl={`/sign-up${other}`}
          forceRedirectUrl={destination.to}
          signUpForceRedirectUrl={destination.to}
        />,
        element,
      );
    case 'sign-up':
      return createPortal(
        <SignUp
          routing="path"
          path="/sign-up"
          signInUrl={`/sign-in${other}`}
          forceRedirectUrl={destination.to}
          signInForceRedirectUrl={destination.to}
        />,
        element,
      );
    case 'callback':
      return createPortal(
        <AuthenticateWithRedirectCallback
          signInForceRedirectUrl={destination.to}
          signUpForceRedirectUrl={destination.to}
        />,
        element,
      );
  }
}
