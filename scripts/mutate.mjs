/**
 * `npm run mutate`: makes small changes in the code, runs for each the specs that guard it, and lists the changes that
 * no test detects (docs/mutation-check.md).
 *
 *   npm run mutate -- --rules [name…]         each change in the pure rules, or in files by a part of their names
 *   npm run mutate -- --sample [name…]        300 changes in the rest of src; `--seed <text>` draws others
 *     --part 1/6                              a part of either
 *     --again                                 runs the survivors of earlier runs again; other results are kept
 *   npm run mutate -- --hand [name…]          the faults of test/mutants/hand.mjs: all, or by name. Fails when one is
 *                                             not found, or no longer applies
 *
 * Results: test/.artifacts/mutation
 */
import './lib/node-version.mjs';
import { parseArgs } from 'node:util';
import { runScript, StepFailed } from './lib/console.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runHandMutants } from './lib/hand-mutants.mjs';
import { runMutants } from './lib/mutant-runs.mjs';

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rules: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
      hand: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      part: { type: 'string', default: '1/1' },
      again: { type: 'boolean', default: false },
    },
  });
  const { rules, sample, hand } = values;
  if ([rules, sample, hand].filter(Boolean).length !== 1) throw new StepFailed('Say --rules, --sample or --hand.');
  await ensureDependencies();
  await (hand ? runHandMutants(positionals) : runMutants({ ...values, names: positionals }));
});
