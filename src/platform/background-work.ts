/** Work in the background that never runs twice at the same time in this process, such as that of a schedule. */
export class BackgroundWork {
  private running: Promise<void> | null = null;

  /** @param onFailure receives the error of a run that failed, to log it */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Starts a run, or joins the one in progress. Resolves at its end. Rejects only if `onFailure` throws. */
  run(): Promise<void> {
    this.running ??= this.work()
      .then(() => undefined, this.onFailure)
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }

  /** Resolves when no run is in progress. */
  async idle(): Promise<void> {
    await this.running;
  }
}
