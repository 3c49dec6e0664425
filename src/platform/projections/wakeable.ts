/** Lets one part of a process wake others. Call `next()` before reading the state: a wake in between is not lost. */
export class Wakeable {
  private wakes = 0;
  private waiting = new Set<() => void>();

  wake(): void {
    this.wakes += 1;
    const woken = this.waiting;
    this.waiting = new Set();
    for (const resolve of woken) resolve();
  }

  /**
   * Returns the next wake. `within` resolves at that wake, or after this many milliseconds if that is earlier; Infinity
   * has no limit.
   */
  next(): { within(ms: number): Promise<void> } {
    const seen = this.wakes;
    return {
      within: (ms) =>
        new Promise((resolve) => {
          if (this.wakes !== seen) {
            resolve();
            return;
          }
          const done = (): void => {
            clearTimeout(timer);
            this.waiting.delete(done);
            resolve();
          };
          const timer = ms === Infinity ? undefined : setTimeout(done, ms);
          this.waiting.add(done);
        }),
    };
  }
}
