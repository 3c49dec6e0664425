import { useSyncExternalStore } from 'react';
import { localStore } from './storage.js';

/** The signed-in person, as far as the page needs to know. */
export interface ViewerUser {
  readonly id: string;
  readonly fullName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly imageUrl: string | null;
  readonly email: string | null;
}

/** The identity SDK's own record of the person, as far as it is read. */
interface IdentityUser extends Omit<ViewerUser, 'email'> {
  readonly primaryEmailAddress: { readonly emailAddress: string } | null;
}

/** What the page keeps of the identity SDK's user: nothing more than it shows or sends. */
export function viewerUserOf({
  id,
  fullName,
  firstName,
  lastName,
  imageUrl,
  primaryEmailAddress,
}: IdentityUser): ViewerUser {
  return { id, fullName, firstName, lastName, imageUrl, email: primaryEmailAddress?.emailAddress ?? null };
}

export type ViewerStatus = 'loading' | 'signed-out' | 'signed-in';

export interface Viewer {
  /** 'loading' until the identity SDK has answered; public pages do not wait for it. */
  readonly status: ViewerStatus;
  readonly user: ViewerUser | null;
  /** While loading: this browser was signed in last time, so the header keeps that place free. */
  readonly expectSignedIn: boolean;
  /** The identity SDK could not be loaded; the viewer counts as signed out. */
  readonly unavailable: boolean;
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  readonly signOut: () => Promise<void>;
}

/** What the identity SDK reports; `clerk-host.tsx` is the only caller of {@link reportSession}. */
export interface Session {
  readonly user: ViewerUser | null;
  readonly getToken: (options?: { fresh?: boolean }) => Promise<string | null>;
  readonly signOut: () => Promise<void>;
}

const HINT_KEY = 'fanvas.signed-in';
const SDK_PATIENCE_MS = 15_000;

const nobody = {
  getToken: () => Promise.resolve(null),
  signOut: () => Promise.resolve(),
};

const loading: Viewer = {
  status: 'loading',
  user: null,
  expectSignedIn: localStore.get(HINT_KEY) === '1',
  unavailable: false,
  getToken: async (options) => {
    await whenSettled();
    return current.getToken(options);
  },
  signOut: async () => {
    await whenSettled();
    return current.signOut();
  },
};

let current: Viewer = loading;
const listeners = new Set<() => void>();

function change(next: Viewer): void {
  current = next;
  for (const listener of [...listeners]) listener();
}

/** Takes over what the identity SDK knows now. */
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

/** The identity SDK cannot be had: the page goes on as for a visitor, and sign-in says so. */
export function reportIdentityUnavailable(): void {
  change({ status: 'signed-out', user: null, expectSignedIn: false, unavailable: true, ...nobody });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who is looking at the page. Works everywhere, also before the identity SDK has loaded. */
export function useViewer(): Viewer {
  return useSyncExternalStore(subscribe, viewer);
}

/** The same outside React. */
export function viewer(): Viewer {
  return current;
}

/** Resolves when it is known whether someone is signed in; gives up (as a visitor) when the SDK does not come. */
export function whenSettled(): Promise<void> {
  if (current.status !== 'loading') return Promise.resolve();
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
