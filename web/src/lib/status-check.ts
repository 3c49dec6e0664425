/** Milliseconds between two status checks (fan spec, section 9). */
export const POLL_INTERVAL_MS = 5_000;
/** The longest wait between two checks during connection trouble. */
const POLL_BACKOFF_CAP_MS = 30_000;
/** Attempts that one status check makes before it gives up. */
const STATUS_CHECK_ATTEMPTS = 3;

/** Error of a status check whose attempts all failed (fan spec, section 4, "Polling"). */
export const STATUS_CHECK_FAILED = 'Failed to send a request to the Edge Function';

/**
 * Milliseconds to wait before the next status check.
 *
 * @param retries failed checks in a row; each one after the first doubles the interval
 */
export function pollDelay(retries: number): number {
  return Math.min(POLL_INTERVAL_MS * 2 ** Math.max(0, retries - 1), POLL_BACKOFF_CAP_MS);
}

/** Milliseconds to wait before the `attempt`th reconnection of a live stream (0-based): 1, 2, 5, then 10 s. */
export function reconnectDelay(attempt: number): number {
  return [1_000, 2_000, 5_000][attempt] ?? 10_000;
}

/** Result of a status check. `row` is null only together with `stillProcessing`. */
export type StatusCheck<Row> =
  | { readonly row: Row; readonly stillProcessing: false; readonly error: null }
  | { readonly row: null; readonly stillProcessing: true; readonly error: string; readonly retryAfterMs: number };

export interface StatusCheckOptions {
  readonly wait: (ms: number) => Promise<void>;
  /** True for connection trouble, which is retried; false for a refusal such as "not found". */
  readonly isTrouble: (error: unknown) => boolean;
  /** `Retry-After` of the error in milliseconds; 0 without one. */
  readonly retryAfterMs?: (error: unknown) => number;
}

/**
 * Asks for the state of a generation, up to three times with 1000 ms × attempt between. After three failures it reports
 * the generation as still processing, because connection trouble says nothing about the generation.
 *
 * @throws errors of `ask` that are not connection trouble
 */
export async function checkStatus<Row>(
  ask: () => Promise<Row>,
  options: StatusCheckOptions,
): Promise<StatusCheck<Row>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { row: await ask(), stillProcessing: false, error: null };
    } catch (error) {
      if (!options.isTrouble(error)) throw error;
      const retryAfterMs = options.retryAfterMs?.(error) ?? 0;
      // With a `Retry-After`, an early retry would only extend the limit.
      if (attempt === STATUS_CHECK_ATTEMPTS || retryAfterMs > 0)
        return { row: null, stillProcessing: true, error: STATUS_CHECK_FAILED, retryAfterMs };
      await options.wait(1_000 * attempt);
    }
  }
}
