/**
 * A month can be closed this long after its end: clocks differ, and an event is recorded within minutes. Milliseconds.
 */
export const CLOSES_AFTER_MS = 15 * 60_000;
