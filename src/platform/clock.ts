/** The only source of time in the server. Injected, so that tests control it and need not sleep. */
export abstract class Clock {
  /** The current instant. */
  abstract now(): Date;
}

/** The machine's clock. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}

/** A clock that moves only when it is set; for tests. */
export class ManualClock extends Clock {
  constructor(private instant: Date) {
    super();
  }

  override now(): Date {
    return new Date(this.instant);
  }

  /** Moves forward by `ms` milliseconds; backward when negative, as real clocks do at times. */
  advance(ms: number): void {
    this.instant = new Date(this.instant.getTime() + ms);
  }

  set(instant: Date): void {
    this.instant = new Date(instant);
  }
}
