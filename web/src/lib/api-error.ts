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
