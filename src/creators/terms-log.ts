import { CREATOR_TERMS_VERSION } from '../contract/creator-terms.js';
import { DomainError } from '../platform/domain-error.js';
import { type Acceptance } from './consent.js';

/** The log of an acceptance as the terms page sends it. Fields may be missing. */
export interface TermsLog {
  readonly userId?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly termsVersion?: string | null | undefined;
  readonly termsUrl?: string | null | undefined;
  readonly method?: string | null | undefined;
  readonly statement?: string | null | undefined;
  readonly userAgent?: string | null | undefined;
}

/** Texts of refusals. The browser shows those with 'Missing required' as one text (creator spec, section 8). */
const TERMS_LOG_MESSAGES = {
  missing: 'Missing required terms acceptance fields',
  email: 'Email must contain @',
  version: 'Terms version must not be empty',
  unknownVersion: `Unknown terms version: the version in force is ${CREATOR_TERMS_VERSION}`,
  otherUser: 'You can record your own acceptance only',
} as const;

/**
 * Checks the log of an acceptance. Time, version and text hash of the record are the server's own.
 * @throws DomainError with the first broken rule
 */
export function readTermsLog(
  log: TermsLog,
  caller: { readonly userId: string; readonly userAgent: string | undefined },
): Acceptance & { readonly version: string } {
  const { userId, email, termsVersion: version, termsUrl, method, statement } = log;
  if (!userId || !email || !termsUrl || !method || !statement || version === null || version === undefined) {
    throw new DomainError('invalid', TERMS_LOG_MESSAGES.missing);
  }
  if (!email.includes('@')) throw new DomainError('invalid', TERMS_LOG_MESSAGES.email);
  if (version.trim() === '') throw new DomainError('invalid', TERMS_LOG_MESSAGES.version);
  if (version !== CREATOR_TERMS_VERSION) {
    throw new DomainError('unprocessable', TERMS_LOG_MESSAGES.unknownVersion, { code: '22023' });
  }
  if (userId !== caller.userId) throw new DomainError('forbidden', TERMS_LOG_MESSAGES.otherUser);
  const userAgent = log.userAgent ?? caller.userAgent ?? '';
  return { version, email: email.trim(), termsUrl, method, statement, userAgent };
}
