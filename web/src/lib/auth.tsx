import { useEffect } from 'react';
import { useBrowserValue } from './first-draw.js';
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
  /** 'loading' until the identity SDK has answered. Public pages do not wait for it. */
  readonly status: ViewerStatus;
  readonly user: ViewerUser | null;
  /** While loading: true when this browser has a session or had one. The header then shows a placeholder. */
  readonly expectSignedIn: boolean;
  /** The identity SDK could not be loaded; the viewer counts as signed out. */
  readonly unavailable: boolean;
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  /** Ends the session and opens a page: the landing page by default. */
  readonly signOut: (redirectTo?: string) => Promise<void>;
}

/** Session that the identity SDK reports; `clerk-host.tsx` is the only caller of {@link reportSession}. */
export interface Session {
  readonly user: ViewerUser | null;
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  readonly signOut: (redirectTo?: string) => Promise<void>;
}

const HINT_KEY = 'fanvas.signed-in';
/** Cookies of the identity SDK: a session, or the time of the last change of one (0 without a session). */
const SESSION_COOKIE = /(?:^|; )__(?:session|client_uat)(?:_[\w-]+)?=(?!0?(?:;|$))/;
const SDK_PATIENCE_MS = 15_000;

const noSession = {
  getToken: () => Promise.resolve(null),
  signOut: () => Promise.resolve(),
};

const loading: Viewer = {
  status: 'loading',
  user: null,
  expectSignedIn: localStore.get(HINT_KEY) === '1' || hasSessionCookie(),
  unavailable: false,
  getToken: async (options) => {
    await whenSettled();
    return current.getToken(options);
  },
  signOut: async (redirectTo) => {
    await whenSettled();
    return current.signOut(redirectTo);
  },
};

let current: Viewer = loading;
const listeners = new Set<() => void>();

/** Loads the identity SDK; `auth-host.tsx` sets it. Null: nothing has mounted that can load it. */
let load: (() => void) | null = null;
let required = false;

function change(next: Viewer): void {
  current = next;
  for (const listener of [...listeners]) listener();
}

/** Stores the session that the identity SDK reports. */
export function reportSession(session: Session): void {
  const signedIn = session.user !== null;
  if (signedIn) localStore.set(HINT_KEY, '1');
  else localStore.remove(HINT_KEY);
  change({
    status: signedIn ? 'signed-in' : 'signed-out',
    user: session.user,
    expectSignedIn: signedIn,
    unavailable: false,
    getToken: session.getToken,
    signOut: session.signOut,
  });
}

/** The identity SDK is unavailable: the page treats the person as a visitor, and sign-in shows an error. */
export function reportIdentityUnavailable(): void {
  change({ status: 'signed-out', user: null, expectSignedIn: false, unavailable: true, ...noSession });
}

function hasSessionCookie(): boolean {
  return typeof document !== 'undefined' && SESSION_COOKIE.test(document.cookie);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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

/** {@link whenSettled} for a page that shows nothing before it knows the person. */
export function useRequiredIdentity(): void {
  useEffect(() => void whenSettled(), []);
}

/**
 * Resolves once the status is no longer 'loading', and loads the identity SDK for it. After a timeout, the person
 * counts as a visitor.
 */
export function whenSettled(): Promise<void> {
  if (current.status !== 'loading') return Promise.resolve();
  required = true;
  load?.();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(() => {
      if (current.status === 'loading') reportIdentityUnavailable();
      done();
    }, SDK_PATIENCE_MS);
    const unsubscribe = subscribe(() => {
      if (current.status !== 'loading') done();
    });
  });
}
