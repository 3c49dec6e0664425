/** Jest's order of spec files. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { currentBudget } from '../../scripts/lib/test-costs.mjs';
import { root } from '../../scripts/lib/run.mjs';

/** @typedef {{ path: string }} Test */

/**
 * The most expensive files of docs/testing.md first, then the longest ones, so that both workers end at about the same
 * time. With TEST_ORDER_SEED a random order, the same for the same seed.
 */
export default class CostliestFirst {
  /** @param {Test[]} tests */
  sort(tests) {
    const seed = process.env['TEST_ORDER_SEED'];
    if (seed)
      return sortedBy(tests, ({ path }) =>
        createHash('sha256')
          .update(seed + path)
          .digest('hex'),
      );
    const { files } = currentBudget();
    return sortedBy(tests, ({ path }) => -((files.get(relative(root, path)) ?? 0) * 1e9 + statSync(path).size));
  }

  cacheResults() {
    // The order does not depend on earlier runs.
  }
}

/**
 * @param {Test[]} tests
 * @param {(test: Test) => number | string} key
 */
function sortedBy(tests, key) {
  const keyed = tests.map((test) => ({ test, key: key(test) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ test }) => test);
}
