/** Work with a deadline in the time of `performance.now()`, milliseconds. */
export interface Timed {
  readonly deadline: number;
  /** Index in the list of `Deadlines`, which maintains it; undefined before. */
  index?: number;
}

/**
 * One timer for many deadlines. Calls `onLate` with each work that is still registered when its deadline passes. The
 * timer does not keep the process alive.
 */
export class Deadlines<Work extends Timed> {
  // An array, not a Set: an outgrown table of a Set references the next one. Once one is in the old generation, the
  // garbage collector keeps all later tables and their entries alive, which cost a tenth of the total time.
  private readonly inFlight: Work[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** The earliest deadline when the timer was set. Nearly all work ends in time and leaves the timer unchanged. */
  private next = Infinity;

  constructor(private readonly onLate: (work: Work) => void) {}

  add(work: Work): void {
    work.index = this.inFlight.push(work) - 1;
    if (work.deadline < this.next) this.wakeAt(work.deadline);
  }

  /** Does nothing when the work is not registered. */
  delete(work: Work): void {
    const { index } = work;
    if (index === undefined || this.inFlight[index] !== work) return;
    const last = this.inFlight.pop();
    if (!last || last === work) return;
    this.inFlight[index] = last;
    last.index = index;
  }

  /** Stops the timer; registered work has no time limit from now on. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private wakeAt(deadline: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.next = deadline;
    this.timer = setTimeout(() => this.check(), Math.max(1, deadline - performance.now()));
    this.timer.unref();
  }

  private check(): void {
    this.timer = null;
    this.next = Infinity;
    const now = performance.now();
    const late = this.inFlight.filter(({ deadline }) => deadline <= now);
    for (const work of late) {
      this.delete(work);
      this.onLate(work);
    }
    const earliest = this.inFlight.reduce((first, { deadline }) => Math.min(first, deadline), Infinity);
    if (earliest < this.next) this.wakeAt(earliest);
  }
}
