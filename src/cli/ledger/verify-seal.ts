import { sealChainProblems } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { formatCoverage, ProblemPrinter, say } from '../output.js';
import { type AddVerb } from '../program.js';
import {
  formatFingerprints,
  JSON_OPTION,
  KEY_OPTION,
  type KeyOptions,
  nonEmpty,
  provenSeals,
  ROTATIONS_OPTION,
  trustedKeys,
} from './arguments.js';

interface VerifySealOptions extends KeyOptions {
  readonly json: boolean;
}

/** `verify-seal`: checks seals without a database. */
export const addVerifySeal: AddVerb = (program, run) => {
  program
    .command('verify-seal')
    .argument('<path>', 'the file of a seal, or a folder of seals', nonEmpty)
    .description('verifies offline that seals are complete, signed and chained to one another')
    .addOption(KEY_OPTION)
    .addOption(ROTATIONS_OPTION)
    .addOption(JSON_OPTION)
    .action((path: string, options: VerifySealOptions) => run(({ config }) => verifySeals(path, options, config)));
};

async function verifySeals(path: string, options: VerifySealOptions, config: Config): Promise<boolean> {
  const problems = new ProblemPrinter(options.json ? 'json' : 'stdout');
  const keys = await trustedKeys(options, config, problems, { seals: [path] });
  const seals = await provenSeals([path], keys, problems);
  sealChainProblems(seals, problems.addSeal);
  for (const { manifest, file, hash } of seals) {
    if (options.json) say(JSON.stringify({ seal: { ...manifest, file, hash } }));
    else {
      const { number, startedAt, previous } = manifest;
      say(`Seal ${number} of ${startedAt}: ${formatCoverage(manifest)}; after ${previous ?? 'none'}.`);
      if (manifest.rotation) say(`Seal ${number} replaces the key ${manifest.keyFingerprint}.`);
    }
  }
  if (!options.json) {
    say(
      problems.count === 0
        ? `Complete and unchanged, signed with the key ${formatFingerprints(keys)}.`
        : problems.summary(),
    );
  }
  return problems.count === 0;
}
