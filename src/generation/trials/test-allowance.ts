import { classifyFault } from '../predictions/fault-classes.js';
import { type Failure } from '../predictions/judge-prediction.js';

/** The UTC day of an instant, YYYY-MM-DD. */
export function utcDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The first instant of the next UTC day. */
export function nextUtcDay(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate() + 1));
}

/**
 * Whether a failed test counts towards its day. Failures of the provider or of this server do not. A cancelled test
 * does, and so does a prompt that the provider's own check refused: neither may draw without a limit.
 */
export function countsTowardsDay({ message, reason }: Failure): boolean {
  return reason === 'user_cancelled' || classifyFault(message) === 'nsfw';
}
