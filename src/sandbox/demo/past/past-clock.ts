import { Clock } from '../../../platform/clock.js';
import { IdGenerator, UuidGenerator } from '../../../platform/ids.js';

/** The machine's time, except between `moveTo` and `return`: there only `moveTo` changes it, and never backwards. */
export class PastClock extends Clock {
  private instant: number | null = null;

  get isPast(): boolean {
    return this.instant !== null;
  }

  override now(): Date {
    return new Date(this.instant ?? Date.now());
  }

  /** Goes to an instant of the past (epoch milliseconds), or stays when it has been passed. */
  moveTo(instant: number): void {
    this.instant = Math.max(this.instant ?? 0, instant);
  }

  pass(ms: number): void {
    this.moveTo(this.now().getTime() + ms);
  }

  /** Returns to the present. */
  return(): void {
    this.instant = null;
  }
}

/** Ids with the time of the clock: the ledger compares the time in the id of a deduction with that of its events. */
export class PastIds extends IdGenerator {
  private readonly present = new UuidGenerator();
  private readonly past: UuidGenerator;

  constructor(private readonly clock: PastClock) {
    super();
    this.past = new UuidGenerator(() => clock.now().getTime());
  }

  override next(): string {
    return (this.clock.isPast ? this.past : this.present).next();
  }
}
