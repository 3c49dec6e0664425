import { USER_AGENT_MAX_LENGTH } from '../../../../src/contract/creator-terms.js';
import type { ApplicationFields } from './arrival.js';

const HANDLE = /^@(?=.*[a-z0-9])[a-z0-9._]+$/i;

/** Checks of the forms, in their order; each returns the message or true (creator spec, section 5). */
export const checks = {
  email: (value: string) => value.trim() !== '' || 'Email is required',
  password: (value: string) => value.length >= 8 || 'Password must be at least 8 characters',
  name: (value: string) => value.trim() !== '' || 'Name is required',
  instagram: (value: string) => {
    if (value.trim() === '') return 'Instagram handle is required';
    if (!value.trim().startsWith('@')) return 'Instagram handle must start with @';
    // Ours, and the server's: found before the account is made.
    return HANDLE.test(value.trim()) || 'Instagram handle may contain only letters a-z, digits, dots and underscores';
  },
} as const;

/** The browser's name as it is recorded. */
export function recordedUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_MAX_LENGTH);
}

/** Metadata of a creator's account (creator spec, section 3). */
export function signUpMetadata(
  { name, instagram }: ApplicationFields,
  { now, userAgent }: { readonly now: Date; readonly userAgent: string },
): Record<string, unknown> {
  return {
    isCreator: true,
    instagram: instagram.trim(),
    name: name.trim(),
    signupSource: 'creator_portal',
    userAgent: recordedUserAgent(userAgent),
    signupTimestamp: now.toISOString(),
  };
}

/** Whether metadata is that of a sign-up in this portal. */
export function isCreatorSignUp(metadata: Readonly<Record<string, unknown>>): boolean {
  return metadata['signupSource'] === 'creator_portal';
}

/** Name and Instagram that were given at sign-up; empty when there are none. */
export function givenAtSignUp(metadata: Readonly<Record<string, unknown>>): ApplicationFields {
  const text = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '');
  return { name: text('name'), instagram: text('instagram') };
}

/** The identity provider's first message, else `fallback`. */
export function providerMessage(error: unknown, fallback: string): string {
  const { errors } = (error ?? {}) as { readonly errors?: readonly { readonly message?: unknown }[] };
  const message = errors?.[0]?.message;
  return typeof message === 'string' && message !== '' ? message : fallback;
}

/** The field of the sign-up form that the identity provider's first error names; null when it names none of them. */
export function refusedField(error: unknown): 'email' | 'password' | null {
  const { errors } = (error ?? {}) as {
    readonly errors?: readonly { readonly meta?: { readonly paramName?: unknown } }[];
  };
  const name = errors?.[0]?.meta?.paramName;
  return name === 'email_address' ? 'email' : name === 'password' ? 'password' : null;
}
