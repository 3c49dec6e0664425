import { replacedKeyProblem, SealedHeads, verifyExport } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { count, formatCoverage, formatPace, ProblemPrinter, progress, resolveFile, say } from '../output.js';
import { type AddVerb } from '../program.js';
import {
  AGAINST_OPTION,
  formatFingerprints,
  formatTotals,
  JSON_OPTION,
  KEY_OPTION,
  type KeyOptions,
  nonEmpty,
  provenSeals,
  ROTATIONS_OPTION,
  trustedKeys,
} from './arguments.js';

interface VerifyExportOptions extends KeyOptions {
  readonly json: boolean;
  readonly against?: string[];
}

/** `verify-export`: checks an export without a database. */
export const addVerifyExport: AddVerb = (program, run) => {
  program
    .command('verify-export')
    .argument('<file>', 'the file of an export', nonEmpty)
    .description(
      'verifies offline that the file is complete, unchanged and follows the rules; with --json prints all balances',
    )
    .addOption(AGAINST_OPTION)
    .addOption(KEY_OPTION)
    .addOption(ROTATIONS_OPTION)
    .addOption(JSON_OPTION)
    .action((file: string, options: VerifyExportOptions) =>
      run(({ config }) => verifyExportedFile(resolveFile(file), options, config)),
    );
};

async function verifyExportedFile(file: string, options: VerifyExportOptions, config: Config): Promise<boolean> {
  const problems = new ProblemPrinter(options.json ? 'json' : 'stdout');
  const keys = await trustedKeys(options, config, problems, { seals: options.against });
  const seals = await provenSeals(options.against, keys, problems);
  const sums = { daily: 0, bonus: 0, paid: 0, total: 0 };
  const soFar = { accounts: 0, events: 0 };
  const showProgress = progress(formatPace('Verified'));
  const result = await verifyExport(
    file,
    keys.keys,
    problems.add,
    (account) => {
      for (const kind of ['daily', 'bonus', 'paid', 'total'] as const) sums[kind] += account.balance[kind];
      if (options.json) say(JSON.stringify({ account }));
      soFar.accounts += 1;
      soFar.events += account.version + 1;
      showProgress(soFar);
    },
    seals.length > 0 ? await SealedHeads.open(seals) : undefined,
  );
  const late = result.manifest && replacedKeyProblem(result.manifest, keys);
  if (late) problems.add({ stream: '*', version: null, kind: 'export', what: late });
  if (options.json) say(JSON.stringify({ summary: { ...result, problems: problems.count, balance: sums } }));
  else {
    const instant = result.manifest?.startedAt ?? 'the end';
    say(`${count(result.accounts)} accounts, ${count(result.events)} events, ${formatTotals(sums)} as of ${instant}.`);
    for (const { manifest } of seals)
      say(`Seal ${manifest.number} of ${manifest.startedAt}: ${formatCoverage(manifest)}.`);
    say(
      problems.count === 0
        ? `Complete and unchanged, signed with the key ${formatFingerprints(keys)}.`
        : problems.summary(),
    );
  }
  return problems.count === 0;
}
