/**
 * `npm run check`: types, lint, formatting, boundaries and unused code, two or more at a time, then the conformance
 * list, and the sizes of the landing page and of the sources. All checks run; the failed ones are listed at the end
 * with their messages.
 */
import './lib/node-version.mjs';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { runScript, say, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { LANDING_LIMIT_BYTES, landingBytes } from './lib/landing-size.mjs';
import { root, runBin } from './lib/run.mjs';
import { sizeTable } from './lib/size.mjs';

/** TypeScript 7 by its path: TypeScript 6, which knip and others need, has a command `tsc` as well. */
const TSC = '../typescript-native/bin/tsc';

/** Longest first, so that the short ones fill the gaps. @type {{ name: string, command: string, args: string[] }[]} */
const checks = [
  { name: 'lint', command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'boundaries between the contexts', command: 'depcruise', args: ['src', 'web/src', '--output-type', 'err'] },
  { name: 'unused files, exports and packages', command: 'knip', args: ['--no-progress'] },
  // The checks share the processors: several threads in one check cost more in all
  {
    name: 'types of the server, its tests and scripts',
    command: TSC,
    args: ['--noEmit', '--singleThreaded', '-p', '.'],
  },
  { name: 'types of the web app', command: TSC, args: ['--noEmit', '--singleThreaded', '-p', 'web'] },
  { name: 'formatting (fix: npm run format)', command: 'oxfmt', args: ['--list-different', '--threads=1'] },
];

await runScript(async () => {
  await ensureDependencies();
  const waiting = [...checks];
  /** @type {string[]} */
  const failed = [];

  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await runBin(check.command, check.args, { capture: true, env: { NODE_OPTIONS: '' } });
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)`);
      if (code !== 0) {
        failed.push(check.name);
        say(`${output.trim()}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, Math.min(availableParallelism(), 4)) }, work));

  // Reads the specs with the TypeScript compiler, which may be installed only since this run.
  const { DOCUMENT, problemsOf, testsById } = await import('./lib/conformance.mjs');
  const problems = problemsOf(readFileSync(join(root, DOCUMENT), 'utf8'), testsById());
  say(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  a place and a test for every rule (${DOCUMENT})`);
  if (problems.length > 0) {
    failed.push(`a place and a test for every rule (${DOCUMENT})`);
    say(`${problems.join('\n')}\n`);
  }

  await ensureBuilt();
  const weight = landingBytes(join(root, 'dist', 'web'));
  const within = weight <= LANDING_LIMIT_BYTES;
  const [is, may] = [weight, LANDING_LIMIT_BYTES].map((bytes) => (bytes / 1000).toFixed(1));
  say(
    `${within ? 'ok    ' : 'FAILED'}  JavaScript of the landing page (${is} of ${may} kB, gzip, without the identity SDK)`,
  );
  if (!within) failed.push('JavaScript of the landing page');

  say(`\n${sizeTable(null)}\n`);

  if (failed.length > 0) throw new StepFailed(`Failed: ${failed.join('; ')}.`);
  say('All checks passed.');
});
