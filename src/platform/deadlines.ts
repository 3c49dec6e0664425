/** Work that is to be answered by a time of `performance.now()`, milliseconds. */
interface Timed {
  readonly deadline: number;
}

/**
 * Work under way, with one timer for all of it: whatever is still there when its time is over is handed to `onLate`, whatever else goes
 * on meanwhile. The timer does not keep a process alive.
 */
export class Deadlines<Work extends Timed> {
  private readonly underWay = new Set<Work>();
  private timer: NodeJS.Timeout | null = null;
  /** The earliest deadline when the timer was set: what ends in time, as nearly all does, leaves the timer alone. */
  private next = Infinity;

  constructor(private readonly onLate: (work: Work) => void) {}

  add(work: Work): void {
    this.underWay.add(work);
    if (work.deadline < this.next) this.wakeAt(work.deadline);
  }

  delete(work: Work): void {
    this.underWay.delete(work);
  }

  /** Ends the timer; what is under way has no time limit from now on. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private wakeAt(deadline: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.next = deadline;
    this.timer = setTimeout(() => this.look(), Math.max(1, deadline - performance.now()));
    this.timer.unref();
  }

  private look(): void {
    this.timer = null;
    this.next = Infinity;
    const now = performance.now();
    let earliest = Infinity;
    for (const work of this.underWay) {
      if (work.deadline <= now) {
        this.underWay.delete(work);
        this.onLate(work);
      } else if (work.deadline < earliest) earliest = work.deadline;
    }
    if (earliest < this.next) this.wakeAt(earliest);
  }
}
