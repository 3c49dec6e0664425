import { worthRetrying } from './retry.js';

/** An answer that is younger is used again, milliseconds. */
const DEDUPE_MS = 2_000;
/** Returning to the window loads data again that is at least this old, milliseconds. */
const FOCUS_THROTTLE_MS = 5_000;
/** Wait before a failed request is repeated, milliseconds. */
const ERROR_RETRY_MS = 5_000;

/** Query options for the data of a creator's own pages (creator spec, section 9: "data cache timings"). */
export const ownDataTimings = {
  staleTime: DEDUPE_MS,
  refetchOnWindowFocus: ({ state }: { state: { dataUpdatedAt: number } }) =>
    Date.now() - state.dataUpdatedAt >= FOCUS_THROTTLE_MS,
  retry: worthRetrying,
  retryDelay: ERROR_RETRY_MS,
} as const;
