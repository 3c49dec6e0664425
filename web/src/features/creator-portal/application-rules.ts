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

/** Our sentences for the refusals of the identity provider, by their codes. */
const SIGN_UP_REFUSALS: Readonly<Record<string, string>> = {
  form_identifier_exists: 'That email address is taken. Please try another.',
  form_password_pwned: 'This password was in a data breach. Please use another.',
  form_password_length_too_short: 'The password must have at least 8 characters.',
  form_password_length_too_long: 'The password is too long.',
  form_password_size_in_bytes_exceeded: 'The password is too long.',
  form_password_not_strong_enough: 'The password is too easy to guess. Please use a longer one.',
  form_password_validation_failed: 'The password is too easy to guess. Please use a longer one.',
  form_code_incorrect: 'Incorrect code',
  verification_expired: 'This code is no longer valid. Please send a new one.',
  verification_failed: 'Too many wrong codes. Please send a new one.',
  too_many_requests: 'Too many attempts. Please wait a moment and try again.',
  captcha_invalid: 'The check for bots failed. Please reload the page and try again.',
  captcha_missing_token: 'The check for bots failed. Please reload the page and try again.',
};

const REFUSED_FIELDS = {
  email: 'Please enter a valid email address.',
  password: 'This password is not accepted. Please use another.',
} as const;

/** Our sentence for the first refusal of the identity provider, else `fallback`. Its own text is never shown. */
export function signUpProblem(error: unknown, fallback: string): string {
  const { errors } = (error ?? {}) as { readonly errors?: readonly { readonly code?: unknown }[] };
  const code = errors?.[0]?.code;
  const field = refusedField(error);
  return (
    (typeof code === 'string' && Object.hasOwn(SIGN_UP_REFUSALS, code)
      ? SIGN_UP_REFUSALS[code]
      : field && REFUSED_FIELDS[field]) ?? fallback
  );
}

/** The field of the sign-up form that the identity provider's first error names; null when it names none of them. */
export function refusedField(error: unknown): 'email' | 'password' | null {
  const { errors } = (error ?? {}) as {
    readonly errors?: readonly { readonly meta?: { readonly paramName?: unknown } }[];
  };
  const name = errors?.[0]?.meta?.paramName;
  return name === 'email_address' ? 'email' : name === 'password' ? 'password' : null;
}
