/** A failed call: an error answer of the server, or no answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | null = null,
    readonly hint: string | null = null,
    /** `Retry-After` in seconds; null without one. */
    readonly retryAfter: number | null = null,
    /** The demand for a new verification, for the identity SDK; null for all other refusals. */
    readonly reverification: object | null = null,
    /** The id of the request in the server's log; null without an answer. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** `note` gets each refusal of the server; `reloadAfterRefusals` sets it. */
export const refusals: { note?: ((refusal: ApiError) => void) | undefined } = {};

/** The session gave no token, so nothing was sent (fan spec, section 8). */
export const NO_CLIENT_TEXT = 'Failed to get authenticated client. Please try again or reload the page.';

const ROW_LEVEL_REFUSAL = /^permission denied|row-level security/i;

/** Whether the body of an answer is a refusal of the server, whose words may be shown. Proxies send other bodies. */
export function isOwnRefusal(body: unknown): body is Readonly<Record<string, unknown>> {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' && typeof message === 'string';
}

/**
 * The message to show for a refusal. Row-level permission errors (code 42501) become a request to sign in (fan spec,
 * section 6). A missing role has the same code but keeps its own message.
 */
export function refusalMessage(code: string | null, message: string | null): string {
  if (code === '42501' && (message === null || ROW_LEVEL_REFUSAL.test(message))) {
    return 'Authentication required. Please sign in and try again.';
  }
  return message ?? 'Something went wrong on our side. Please try again.';
}
