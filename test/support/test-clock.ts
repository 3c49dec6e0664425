import { ManualClock } from '../../src/platform/clock.js';

const DAY_MS = 86_400_000;

/**
 * A clock that stands at noon of today, UTC, until it is moved. Tests move their clock by hours; with the machine's time
 * of day one of them would pass midnight by chance, where days, limits and transfers to the bank change.
 */
export function testClock(): ManualClock {
  return new ManualClock(new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2));
}
