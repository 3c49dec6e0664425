import { SUSPENDED, SUSPENSION_MESSAGES, suspensionText } from '../contract/moderation.js';
import { DomainError } from '../platform/domain-error.js';

/**
 * The refusal of a start or a checkout of a suspended user, who could not spend the credits.
 * @param until null for a suspension without an end
 */
export function suspendedError(until: Date | null): DomainError {
  return new DomainError('forbidden', suspensionText(until?.toISOString() ?? null), {
    code: '42501',
    details: SUSPENDED,
    hint: SUSPENSION_MESSAGES.appeal,
  });
}
