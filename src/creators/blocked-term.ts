import { BLOCKED_TERM_MAX_LENGTH, CONTROL_MESSAGES } from '../contract/creator-controls.js';
import { DomainError } from '../platform/domain-error.js';

/**
 * A word or phrase as it is stored: no control characters, single spaces.
 * @throws DomainError unprocessable for an empty or too long one, and for one without letters and digits
 */
export function parseBlockedTerm(text: string): { readonly term: string; readonly key: string } {
  const term = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (term.length > BLOCKED_TERM_MAX_LENGTH || !/[\p{L}\p{N}]/u.test(term)) {
    throw new DomainError('unprocessable', CONTROL_MESSAGES.blockedTerm, { code: '22023' });
  }
  return { term, key: term.normalize('NFKC').toLowerCase() };
}

/** The UTC month of an instant, YYYY-MM. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}
