/** Events may be ahead of the time of the store by this much, because clocks differ. Milliseconds. */
export const AHEAD_MS = 60_000;
/** Clocks of machines drift apart: a reading is not used for longer. Milliseconds. */
const READING_MS = 60 * 60 * 1000;

/** An event is dated later than the time of the store allows. Nothing was written. */
export class EventFromFutureError extends Error {
  constructor(at: Date, storeTime: Date) {
    super(`The event is dated ${at.toISOString()}, but the time of the store is ${storeTime.toISOString()}.`);
    this.name = 'EventFromFutureError';
  }
}

/**
 * The time of an event store that checks no times itself. It is read once an hour and then moved by the process's own
 * stopwatch, which no change of a clock affects. The stopwatch may stop while the machine sleeps, so the time is
 * read again before an event is refused.
 */
export class StoreTime {
  private reading: { readonly at: number; readonly readAt: number } | null = null;
  private pending: Promise<void> | null = null;

  /**
   * @param read asks the store for its time
   * @param stopwatch milliseconds since any instant; never goes back
   */
  constructor(
    private readonly read: () => Promise<Date>,
    private readonly stopwatch: () => number = () => performance.now(),
  ) {}

  /**
   * Checks the time of the latest event of an append.
   * @throws EventFromFutureError; the error of `read`
   */
  async check(at: Date): Promise<void> {
    if (this.isAllowed(at)) return;
    this.pending ??= this.readAgain().finally(() => {
      this.pending = null;
    });
    await this.pending;
    if (!this.isAllowed(at)) throw new EventFromFutureError(at, new Date(this.now()));
  }

  /** The latest time that the store may have now is no earlier than this. */
  private now(): number {
    return this.reading ? this.reading.at + this.stopwatch() - this.reading.readAt : Number.NEGATIVE_INFINITY;
  }

  private isAllowed(at: Date): boolean {
    const isFresh = this.reading !== null && this.stopwatch() - this.reading.readAt < READING_MS;
    return isFresh && at.getTime() <= this.now() + AHEAD_MS;
  }

  private async readAgain(): Promise<void> {
    const at = (await this.read()).getTime();
    this.reading = { at, readAt: this.stopwatch() };
  }
}
