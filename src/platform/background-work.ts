import { withoutLease } from './database/lease-fence.js';
import { traced } from './tracing/spans.js';

/** Work in the background that never runs twice at the same time in this process, such as that of a schedule. */
export class BackgroundWork {
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  /**
   * @param onFailure receives the error of a run that failed, to log it
   * @param name of the trace of a run; without a name there is none, as for looks that mostly find nothing
   */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly onFailure: (error: unknown) => void,
    private readonly name?: string,
  ) {}

  /** Starts a run, or joins the one in progress. Resolves at its end. Rejects only if `onFailure` throws. */
  run(): Promise<void> {
    if (this.stopped) return this.idle();
    this.running ??= this.runs();
    return this.running;
  }

  /** Starts a run, also after the one in progress, which may have missed what is new. Returns at once. */
  wake(): void {
    this.again = true;
    // It goes on after a lock under which it was woken.
    void withoutLease(() => this.run());
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Starts no run any more. Resolves when none is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.idle();
  }

  private runOnce(): Promise<unknown> {
    return this.name === undefined ? this.work() : traced(this.name, { root: true }, this.work);
  }

  private async runs(): Promise<void> {
    try {
      do {
        this.again = false;
        await this.runOnce().catch(this.onFailure);
      } while (this.again && !this.stopped);
    } finally {
      this.running = null;
    }
  }
}
