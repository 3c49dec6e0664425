/**
 * Named places at which the crash tests kill the process. The default does nothing. `FANVAS_FAULT_POINT`, which is
 * refused in production, arms one.
 */
export class FaultPoints {
  /** Called at each named place. */
  reach(_name: string): void {}
}

/** Kills this process with SIGKILL, as a power cut would, when the named place is reached for the n-th time. */
export class KillAtFaultPoint extends FaultPoints {
  private reached = 0;

  constructor(
    private readonly point: string,
    private readonly occurrence = 1,
  ) {
    super();
  }

  override reach(name: string): void {
    if (name !== this.point) return;
    this.reached += 1;
    if (this.reached === this.occurrence) process.kill(process.pid, 'SIGKILL');
  }
}
