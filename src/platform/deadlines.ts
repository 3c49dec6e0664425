/** Work that is to be answered by a time of `performance.now()`, milliseconds. */
interface Timed {
  readonly deadline: number;
}

/**
 * Work under way, all of the same time limit, with one timer for all of it: whatever is still there when its time is over is handed to
 * `onLate`, whatever else goes on meanwhile. The timer does not keep a process alive.
 */
export class Deadlines<Work extends Timed> {
  /** In the order of their deadlines. */
  private readonly underWay = new Set<Work>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly onLate: (work: Work) => void) {}

  add(work: Work): void {
    this.underWay.add(work);
    if (!this.timer) this.watch();
  }

  delete(work: Work): void {
    this.underWay.delete(work);
  }

  /** Ends the timer; what is under way has no time limit from now on. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private watch(): void {
    const [first] = this.underWay;
    if (!first) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        const now = performance.now();
        for (const work of this.underWay) {
          if (work.deadline > now) break;
          this.underWay.delete(work);
          this.onLate(work);
        }
        this.watch();
      },
      Math.max(1, first.deadline - performance.now()),
    );
    this.timer.unref();
  }
}
