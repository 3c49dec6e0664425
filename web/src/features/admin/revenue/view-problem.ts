import { ApiError } from '../../../lib/api-error.js';
import { problemOf } from '../../../lib/problem-of.js';

/** Refusals of `view_creator_admin` that the spec words; they are shown as they are. */
const WORDED = /^(Creator ".*" is not active \(status: .*\)|Creator not found or access denied)$/s;

/** The text for a creator's dashboard that could not be opened (creator spec, section 8). */
export function viewProblem(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return 'Authentication failed. Please refresh the page.';
    const message = problemOf(error);
    if (error.status === 429 || message.includes('Rate limit')) {
      return 'Rate limit exceeded. Please try again in a moment.';
    }
    // The address has an id that no creator can have.
    if (error.status === 400) return 'Creator not found or access denied';
    if (WORDED.test(message)) return message;
  }
  return 'Failed to load creator data. Please try again.';
}
