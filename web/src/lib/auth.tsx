import { useEffect } from 'react';
import { useBrowserValue } from './first-draw.js';
import { createListeners } from './listeners.js';
import { localStore } from './storage.js';

/** The signed-in person: the fields that the pages show or send. */
export interface ViewerUser {
  readonly id: string;
  readonly fullName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** The picture that the person chose; null without one. */
  readonly imageUrl: string | null;
  readonly email: string | null;
  readonly createdAt: Date | null;
  /** Given at sign-up. The person can change it: never trust it. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type ViewerStatus = 'loading' | 'signed-out' | 'signed-in';

export interface Viewer {
  /** 'loading' until the identity SDK has answered, even after minutes. Public pages do not wait for it. */
  readonly status: ViewerStatus;
  readonly user: ViewerUser | null;
  /** While loading: true when this browser has a session or had one. The header then shows a placeholder. */
  readonly expectSignedIn: boolean;
  /** While loading, it waits for the answer. */
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  /** Ends the session and opens a page: the landing page by default. */
  readonly signOut: (redirectTo?: string) => Promise<void>;
}

/** Session that the identity SDK reports; `clerk-host.tsx` is the only caller of {@link reportSession}. */
export interface Session {
  readonly user: ViewerUser | null;
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  readonly signOut: (redirectTo?: string) => Promise<void>;
  /** Asks the identity provider whether the session is still there; then it is reported. Rejects without an answer. */
  readonly ask: () => Promise<void>;
}

const HINT_KEY = 'fanvas.signed-in';
/** Cookies of the identity SDK: a session, or the time of the last change of one (0 without a session). */
const SESSION_COOKIE = /(?:^|; )__(?:session|client_uat)(?:_[\w-]+)?=(?!0?(?:;|$))/;
/** For this long, an act of a person waits for the identity SDK. */
const PATIENCE_MS = 15_000;

const loading: Viewer = {
  status: 'loading',
  user: null,
  expectSignedIn: localStore.get(HINT_KEY) === '1' || hasSessionCookie(),
  getToken: async (options) => {
    await whenKnown();
    return current.getToken(options);
  },
  signOut: async (redirectTo) => {
    await whenKnown();
    return current.signOut(redirectTo);
  },
};

let current: Viewer = loading;
let session: Session | null = null;
const { subscribe, notify } = createListeners();

/** Loads the identity SDK; `auth-host.tsx` sets it. Null: nothing has mounted that can load it. */
let load: (() => void) | null = null;
let required = false;

function change(next: Viewer): void {
  current = next;
  notify();
}

/** Stores the session that the identity SDK reports. */
export function reportSession(reported: Session): void {
  session = reported;
  const signedIn = session.user !== null;
  if (signedIn) localStore.set(HINT_KEY, '1');
  else localStore.remove(HINT_KEY);
  change({
    status: signedIn ? 'signed-in' : 'signed-out',
    user: session.user,
    expectSignedIn: signedIn,
    getToken: session.getToken,
    signOut: session.signOut,
  });
}

/** The session may have ended: nothing of the person is shown or sent until the session is reported again. */
export function doubtSession(): void {
  if (current.status === 'signed-in') change({ ...loading, expectSignedIn: hasSessionCookie() });
}

/** Asks the identity provider about the session; nothing before the first report. Rejects without an answer. */
export function askSession(): Promise<void> {
  return session?.ask() ?? Promise.resolve();
}

function hasSessionCookie(): boolean {
  return typeof document !== 'undefined' && SESSION_COOKIE.test(document.cookie);
}

/** The server draws pages for visitors. A browser without a session has the same, so nothing is drawn again. */
const visitor: Viewer = loading.expectSignedIn ? { ...loading, expectSignedIn: false } : loading;

/** The person who views the page. Works also before the identity SDK has loaded. */
export function useViewer(): Viewer {
  return useBrowserValue(subscribe, viewer, visitor);
}

/** Like {@link useViewer}, outside React. */
export function viewer(): Viewer {
  return current;
}

/**
 * Sets the function that loads the identity SDK, and calls it at once when the SDK was already required.
 * @returns a function that removes it
 */
export function loadIdentityWith(run: () => void): () => void {
  load = run;
  if (required) run();
  return () => {
    load = null;
  };
}

/** Loads the identity SDK for a page that shows nothing before it knows the person. */
export function useRequiredIdentity(): void {
  useEffect(() => void whenKnown(), []);
}

/** Resolves once the status is no longer 'loading', and loads the identity SDK for it. */
export function whenKnown(): Promise<void> {
  if (current.status !== 'loading') return Promise.resolve();
  required = true;
  load?.();
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      if (current.status === 'loading') return;
      unsubscribe();
      resolve();
    });
  });
}

/** {@link whenKnown} for an act of a person: after 15 seconds it resolves while the status is still 'loading'. */
export function whenSettled(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  return Promise.race([whenKnown(), patience]).finally(() => clearTimeout(timer));
}

/** The answer to an act while the status is 'loading'. */
export const IDENTITY_LOADING = 'Sign-in is still loading. Please try again in a moment.';
