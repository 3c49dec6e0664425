import { CREATOR_NAME_MAX_LENGTH, INSTAGRAM_HANDLE_MAX_LENGTH } from '../contract/creators.js';
import { DomainError } from '../platform/domain-error.js';

/** An application as it was sent. Fields may be missing. */
export interface ApplicationForm {
  readonly email?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly instagram?: string | null | undefined;
  readonly termsAgreed?: boolean | null | undefined;
}

/** A complete application. */
export interface ApplicationData {
  readonly email: string;
  readonly name: string;
  /** With the leading @. */
  readonly instagram: string;
}

/** Texts of refusals (creator spec, sections 5 and 8; the rest is ours). */
export const APPLICATION_MESSAGES = {
  missing: 'Missing required creator data fields',
  email: 'Email must contain @',
  name: 'Name is required',
  nameTooLong: `Name must have at most ${CREATOR_NAME_MAX_LENGTH} characters`,
  instagram: 'Instagram handle is required',
  instagramAt: 'Instagram handle must start with @',
  instagramLetters: `Instagram handle may contain only letters a-z, digits, dots and underscores, at most ${INSTAGRAM_HANDLE_MAX_LENGTH}`,
  terms: 'You must accept the Creator Terms of Use to apply',
} as const;

/** Characters that a name must not contain: control characters, and invisible ones that change how text is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u115f\u1160\u2028\u2029\u3164\uffa0]+/gu;

/** Instagram's own alphabet. It has no letters that imitate others, as those of other scripts would. */
const HANDLE = new RegExp(`^@(?=.*[a-z0-9])[a-z0-9._]{1,${INSTAGRAM_HANDLE_MAX_LENGTH}}$`, 'i');

/**
 * Checks an application in the order of the spec.
 * @throws DomainError with the first broken rule
 */
export function readApplication({ email, name, instagram, termsAgreed }: ApplicationForm): ApplicationData {
  if (isMissing(email) || isMissing(name) || isMissing(instagram) || isMissing(termsAgreed)) {
    throw new DomainError('invalid', APPLICATION_MESSAGES.missing);
  }
  if (!email.includes('@')) throw new DomainError('invalid', APPLICATION_MESSAGES.email);
  const data = { email: email.trim(), name: readName(name), instagram: readHandle(instagram) };
  if (!termsAgreed) throw new DomainError('unprocessable', APPLICATION_MESSAGES.terms, { code: '22023' });
  return data;
}

/** The name in one line, without invisible characters. */
function readName(text: string): string {
  const name = text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim().normalize('NFC');
  if (name === '') throw new DomainError('invalid', APPLICATION_MESSAGES.name);
  if (name.length > CREATOR_NAME_MAX_LENGTH) throw new DomainError('invalid', APPLICATION_MESSAGES.nameTooLong);
  return name;
}

/** The handle as it was typed: Instagram ignores its case. */
function readHandle(text: string): string {
  const handle = text.trim();
  if (handle === '') throw new DomainError('invalid', APPLICATION_MESSAGES.instagram);
  if (!handle.startsWith('@')) throw new DomainError('invalid', APPLICATION_MESSAGES.instagramAt);
  if (!HANDLE.test(handle)) throw new DomainError('invalid', APPLICATION_MESSAGES.instagramLetters);
  return handle;
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
