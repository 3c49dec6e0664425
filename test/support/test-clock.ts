import { ManualClock } from '../../src/platform/clock.js';

const HOUR_MS = 3_600_000;
const STEP_MS = 6 * HOUR_MS;

/**
 * A clock of the last 6, 12 or 18 o'clock, UTC, until it is moved. Tests move their clock by hours; with the machine's
 * time of day one of them would pass midnight by chance, where days, limits and transfers to the bank change.
 * It is behind the machine's clock, because ids that are older than the clock by hours are refused.
 */
export function testClock(): ManualClock {
  const step = Math.floor(Date.now() / STEP_MS);
  return new ManualClock(new Date((step % 4 === 0 ? step - 1 : step) * STEP_MS));
}
