/** Numbers of a generation's life that only the server needs. Those of the product are in `src/contract/limits.ts`. */

/**
 * How long a starting request owns its row, and so how soon the credits are back after a crash. Longer than the request to the
 * provider may take, since a lost answer may be followed by a webhook that names the prediction.
 */
export const START_LEASE_MS = 60_000;

/** How long a worker owns a row while it copies the picture; renewed between the steps. */
export const FINISH_LEASE_MS = 20_000;

/** Tries to copy a picture before the generation is given up and refunded. */
export const MAX_FINISH_ATTEMPTS = 5;

/** Tries to cancel a prediction that nobody waits for; its own deadline ends it anyway. */
export const MAX_PROVIDER_CANCEL_ATTEMPTS = 8;

/** A provider that does not know a prediction this long after its creation never will. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** Largest picture that is fetched from the provider. */
export const MAX_OUTPUT_BYTES = 30 * 1024 * 1024;

/** Longest time a fetch of a picture may take; well below the lease. */
export const FETCH_TIMEOUT_MS = 15_000;

/** The provider's error text is kept up to this length. */
export const ERROR_MESSAGE_MAX_LENGTH = 500;
