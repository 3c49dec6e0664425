import { FaultPoints } from '../../src/platform/fault-points.js';

export class SimulatedCrash extends Error {
  constructor(point: string) {
    super(`The process ends at ${point}.`);
  }
}

/** Simulates a crash: from the armed point on, every step fails until `restart`. */
export class CrashingFaultPoints<Point extends string> extends FaultPoints {
  readonly reached = new Set<string>();
  private armed: string | null = null;
  private left = 0;
  crashed = false;

  /** @param occurrence counts arrivals at the point from 1 */
  crashAt(point: Point, occurrence = 1): void {
    this.armed = point;
    this.left = occurrence;
    this.crashed = false;
  }

  restart(): void {
    this.armed = null;
    this.crashed = false;
  }

  override reach(name: string): void {
    this.reached.add(name);
    if (name === this.armed) {
      this.left -= 1;
      if (this.left === 0) this.crashed = true;
    }
    if (this.crashed) throw new SimulatedCrash(name);
  }
}
