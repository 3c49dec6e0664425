/** Milliseconds between two status checks (fan spec, section 9). */
export const POLL_INTERVAL_MS = 5_000;
/** The longest wait between two checks while the connection is in trouble. */
const POLL_BACKOFF_CAP_MS = 30_000;
/** Attempts that one status check makes before it gives up. */
const STATUS_CHECK_ATTEMPTS = 3;

/** Error of a status check that could not reach the server in any of its attempts (fan spec, section 4, "Polling"). */
export const STATUS_CHECK_FAILED = 'Failed to send a request to the Edge Function';

/**
 * Milliseconds to wait before the next status check.
 *
 * @param retries how many checks in a row have failed: 0 waits the normal interval, each retry after the first doubles it
 */
export function pollDelay(retries: number): number {
  return Math.min(POLL_INTERVAL_MS * 2 ** Math.max(0, retries - 1), POLL_BACKOFF_CAP_MS);
}

/** Milliseconds to wait before the `attempt`th reconnection of a live stream (0-based): 1, 2, 5, then 10 s. */
export function reconnectDelay(attempt: number): number {
  return [1_000, 2_000, 5_000][attempt] ?? 10_000;
}

/** What a status check found. `row` is null only together with `stillProcessing`. */
export type StatusCheck<Row> =
  | { readonly row: Row; readonly stillProcessing: false; readonly error: null }
  | { readonly row: null; readonly stillProcessing: true; readonly error: string; readonly retryAfterMs: number };

export interface StatusCheckOptions {
  readonly wait: (ms: number) => Promise<void>;
  /** Tells trouble on the way, which is worth another attempt, from an answer such as "not found", which is not. */
  readonly isTrouble: (error: unknown) => boolean;
  /** Milliseconds that the server asked us to stay away, 0 when it did not. */
  readonly retryAfterMs?: (error: unknown) => number;
}

/**
 * Asks for the state of a generation, up to three times with 1000 ms × attempt between. After three failures the
 * generation is reported as still processing: trouble on the way says nothing about the generation itself.
 *
 * @throws whatever `ask` throws that is not trouble on the way
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
      // Told to stay away, asking again at once would only make it longer.
      if (attempt === STATUS_CHECK_ATTEMPTS || retryAfterMs > 0)
        return { row: null, stillProcessing: true, error: STATUS_CHECK_FAILED, retryAfterMs };
      await options.wait(1_000 * attempt);
    }
  }
}
