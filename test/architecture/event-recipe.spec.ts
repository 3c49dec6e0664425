import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { copySources, follow, type Step } from '../support/recipe.js';

jest.setTimeout(120_000);

const COPIED = ['src', 'docs', 'scripts', 'test', 'web', 'package.json'];
const CONFIGURATION = ['jest.config.mjs', 'tsconfig.json', '.swcrc'];

/** The steps of the recipe in CONTRIBUTING.md. */
const STEPS: readonly Step[] = [
  ['src/contract/event-versions.ts', 'CreditsPurchased: 1', 'CreditsPurchased: 2'],
  [
    'src/credits/account/events.ts',
    'const UPCASTERS: Upcasters = {',
    'const UPCASTERS: Upcasters = {\n  CreditsPurchased: { 1: (data) => ({ ...data, firstPurchase: false }) },',
  ],
  [
    'src/credits/account/decide-purchases.ts',
    'const data = { schemaVersion: 1 as const, lotId, bundleId,',
    'const data = { schemaVersion: 2 as const, firstPurchase: state.purchases.size === 0, lotId, bundleId,',
  ],
  ['docs/events.md', '(#creditspurchased-version-1)       | 1 ', '(#creditspurchased-version-2)       | 2 '],
  ['docs/events.md', '### `CreditsPurchased` (version 1)', '### `CreditsPurchased` (version 2)'],
  [
    'docs/events.md',
    '| `bundleId`        | the bundle that was bought ',
    '| `firstPurchase`   | whether the account had no purchase before |\n| `bundleId`        | the bundle that was bought ',
  ],
  [
    'docs/events.md',
    '"schemaVersion": 1,\n  "lotId": "cs_test_a1",\n  "bundleId"',
    '"schemaVersion": 2,\n  "firstPurchase": true,\n  "lotId": "cs_test_a1",\n  "bundleId"',
  ],
];

let copy: string;

beforeAll(() => {
  copy = copySources([...COPIED, ...CONFIGURATION]);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Archives the new version and runs the specs of the events in the copy. @returns the titles of those that failed */
function failures(): Promise<string[]> {
  const specs = ['event-archive', 'event-catalogue', 'archived-accounts'];
  const args = ['node_modules/jest/bin/jest.js', ...specs, '--selectProjects', 'unit', '--maxWorkers=1', '--json'];
  return new Promise((resolve, reject) => {
    const options = { cwd: copy, env: { ...process.env, ARCHIVE: '2027-01-first-purchase' }, maxBuffer: 1e8 };
    execFile(process.execPath, args, options, (_, out, err) => {
      const start = out.indexOf('{"');
      if (start < 0) return reject(new Error(err));
      const { testResults } = JSON.parse(out.slice(start)) as {
        testResults: { assertionResults: { status: string; fullName: string }[] }[];
      };
      const results = testResults.flatMap(({ assertionResults }) => assertionResults);
      if (results.length < 30) return reject(new Error(`Only ${results.length} tests ran: ${err}`));
      resolve(results.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName));
    });
  });
}

it('a new version of an event by the recipe is read by the rules, the audit, the verifier and the catalogue', async () => {
  follow(STEPS, copy);
  expect(await failures()).toEqual([]);
});
