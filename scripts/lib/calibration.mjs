/**
 * The unit of the test budget (docs/testing.md): a fixed amount of hashing and JSON. The cost of tests is divided by
 * its processor time in the same run, so that a slow machine is no failure.
 */
import { createHash } from 'node:crypto';

const ROUNDS_OF_A_LOOP = 100;
/** Half of a loop says what a whole one costs, and the other processor waits meanwhile. */
const MEASURED_ROUNDS = 50;

/** @returns {number} processor seconds of one loop */
export function calibrationSeconds() {
  const before = process.cpuUsage();
  let seed = 'fanvas';
  for (let round = 0; round < MEASURED_ROUNDS; round += 1) {
    const items = Array.from({ length: 4_000 }, (_, index) => {
      seed = createHash('sha256').update(seed).digest('hex');
      return { id: index, seed, tags: seed.match(/../g) };
    });
    seed = String(JSON.stringify(JSON.parse(JSON.stringify(items))).length) + seed;
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1e6) * (ROUNDS_OF_A_LOOP / MEASURED_ROUNDS);
}
