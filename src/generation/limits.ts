/** Limits that only the server needs. The product's limits are in `src/contract/limits.ts`. */

/**
 * How long a starting request holds its row; a refund after a crash waits for it. Longer than the request to the
 * provider may take, because a webhook may name the prediction after a lost answer.
 */
export const START_LEASE_MS = 60_000;

/** How long a worker holds a row while it copies the image; renewed between the steps. */
export const FINISH_LEASE_MS = 20_000;

/** Attempts to copy an image before the generation fails and is refunded. */
export const MAX_FINISH_ATTEMPTS = 5;

/** Attempts to cancel an unwanted prediction. Its own deadline ends it anyway. */
export const MAX_PROVIDER_CANCEL_ATTEMPTS = 8;

/** A prediction that the provider does not know this long after its creation is lost. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The largest image that is fetched from the provider. */
export const MAX_OUTPUT_BYTES = 30 * 1024 * 1024;

/** The longest time that fetching an image may take; well below the lease. */
export const FETCH_TIMEOUT_MS = 15_000;

/** The provider's error text is cut to this length. */
export const ERROR_MESSAGE_MAX_LENGTH = 500;
