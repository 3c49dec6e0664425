/** What the server (or the lack of it) said no with. `status` 0 means that no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | null = null,
    readonly hint: string | null = null,
    /** Seconds to wait before asking again, when the server said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Nothing was sent, because the session gave no token (specification, section 8). */
export const NO_CLIENT_TEXT = 'Failed to get authenticated client. Please try again or reload the page.';

const ROW_LEVEL_REFUSAL = /^permission denied|row-level security/i;

/**
 * What a refusal says to people. The database's own words for "these rows are not yours" (code 42501) tell nobody what to do, so
 * they become the request to sign in; a missing role has the same code and words of its own.
 */
export function refusalMessage(code: string | null, message: string | null): string {
  if (code === '42501' && (message === null || ROW_LEVEL_REFUSAL.test(message))) {
    return 'Authentication required. Please sign in and try again.';
  }
  return message ?? 'Something went wrong on our side. Please try again.';
}
