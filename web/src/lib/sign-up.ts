import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.js';

export interface SignUpFields {
  readonly email: string;
  readonly password: string;
  /** Stored with the account; the person can change it later. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A sign-up with a form of our own instead of the identity SDK's widget. Every method throws the SDK's errors. */
export interface SignUpFlow {
  /** The sign-up that waits for the code of its e-mail; null when there is none. Survives a reload. */
  readonly awaiting: Pick<SignUpFields, 'email' | 'metadata'> | null;
  /** Creates the sign-up, or corrects the one in progress, and sends the code. */
  readonly start: (fields: SignUpFields) => Promise<void>;
  readonly sendCode: () => Promise<void>;
  /** Completes the sign-up and signs the person in. Returns the id of the new account. */
  readonly verify: (code: string) => Promise<string>;
}

let current: SignUpFlow | null = null;
const { subscribe, notify } = createListeners();

/** Stores the sign-up that the identity SDK offers. */
export function reportSignUp(flow: SignUpFlow | null): void {
  current = flow;
  notify();
}

/** The sign-up of this browser; null until the identity SDK has loaded. */
export function useSignUpFlow(): SignUpFlow | null {
  return useSyncExternalStore(subscribe, () => current);
}
