/** Work that is to be answered by a time of `performance.now()`, milliseconds. */
export interface Timed {
  readonly deadline: number;
  /** Where it stands among the work under way; kept by `Deadlines`, undefined before. */
  place?: number;
}

/**
 * Work under way, with one timer for all of it: whatever is still there when its time is over is handed to `onLate`, whatever else goes
 * on meanwhile. The timer does not keep a process alive.
 */
export class Deadlines<Work extends Timed> {
  // Not a set: each table that a set has outgrown leads to the next one, so that the collector, once one was old, took every later one
  // and all that had been in it for alive, a tenth of all time
  private readonly underWay: Work[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** The earliest deadline when the timer was set: what ends in time, as nearly all does, leaves the timer alone. */
  private next = Infinity;

  constructor(private readonly onLate: (work: Work) => void) {}

  add(work: Work): void {
    work.place = this.underWay.push(work) - 1;
    if (work.deadline < this.next) this.wakeAt(work.deadline);
  }

  /** Nothing happens when it is not under way. */
  delete(work: Work): void {
    const { place } = work;
    if (place === undefined || this.underWay[place] !== work) return;
    const last = this.underWay.pop();
    if (!last || last === work) return;
    this.underWay[place] = last;
    last.place = place;
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
    const late = this.underWay.filter(({ deadline }) => deadline <= now);
    for (const work of late) {
      this.delete(work);
      this.onLate(work);
    }
    const earliest = this.underWay.reduce((first, { deadline }) => Math.min(first, deadline), Infinity);
    if (earliest < this.next) this.wakeAt(earliest);
  }
}
