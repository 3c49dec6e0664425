/** Time in which the first lines of a kind are logged, in milliseconds. */
const PERIOD_MS = 60_000;

/** Lets a caller log the first lines of each kind in a minute, and counts the others. */
export class LogSampler {
  private readonly periods = new Map<string, { startedAt: number; lines: number; skipped: number }>();

  /**
   * @param maxLines of one kind in a minute
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    private readonly maxLines: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Returns how many lines of this kind were skipped since the last logged one; null when this one is to be skipped.
   * @param kind one of few, such as a route and a status: each is kept
   */
  admit(kind: string): number | null {
    const now = this.now();
    const current = this.periods.get(kind);
    if (!current || now - current.startedAt >= PERIOD_MS) {
      this.periods.set(kind, { startedAt: now, lines: 1, skipped: 0 });
      return current?.skipped ?? 0;
    }
    if (current.lines < this.maxLines) {
      current.lines += 1;
      return 0;
    }
    current.skipped += 1;
    return null;
  }
}
