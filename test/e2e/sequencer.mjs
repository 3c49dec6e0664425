import { basename } from 'node:path';

/** Suites by duration. The longest start first, so that the two workers end at about the same time. */
const LONGEST_FIRST = [
  'discovery',
  'payments',
  'eventstoredb',
  'creations',
  'ledger-cli',
  'main-job',
  'web-vitals',
  'start',
  'payments-crash',
  'gallery-scale',
  'crash',
  'creator-portal',
  'generation-states',
  'supabase-js',
  'share-pages',
  'bad-input',
];

/** Jest's order of the end-to-end suites; Jest knows durations only from an earlier run on the same machine. */
export default class LongestFirst {
  /** @param {{ path: string }[]} tests */
  sort(tests) {
    return [...tests].sort((a, b) => place(a) - place(b));
  }

  cacheResults() {
    // The order is fixed: no duration is remembered.
  }
}

/** @param {{ path: string }} test */
function place({ path }) {
  const found = LONGEST_FIRST.indexOf(basename(path, '.spec.ts'));
  return found === -1 ? LONGEST_FIRST.length : found;
}
