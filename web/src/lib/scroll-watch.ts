/** Interval between position updates while a row is being scrolled (fan spec, section 2). */
const THROTTLE_MS = 100;
/** A row without scroll events for this long has come to rest. */
const SETTLE_MS = 150;

export interface ScrollWatch {
  /** Call it on every scroll event. */
  readonly scrolled: () => void;
  readonly stop: () => void;
}

/** Calls `moving` at the first scroll event and then at most every 100 ms, and `settled` 150 ms after the last one. */
export function watchScroll(on: { readonly moving: () => void; readonly settled: () => void }): ScrollWatch {
  let looked = -Infinity;
  let settle: ReturnType<typeof setTimeout> | undefined;
  return {
    scrolled: () => {
      const now = performance.now();
      if (now - looked >= THROTTLE_MS) {
        looked = now;
        on.moving();
      }
      clearTimeout(settle);
      settle = setTimeout(on.settled, SETTLE_MS);
    },
    stop: () => clearTimeout(settle),
  };
}
