/**
 * Everything that happened before an instant is stored when the instant is this old: clocks differ, and an event is
 * recorded within minutes. Payout runs and closed months wait for it. Milliseconds.
 */
export const SETTLED_AFTER_MS = 15 * 60_000;
