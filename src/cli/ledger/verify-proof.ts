import { readFile } from 'node:fs/promises';
import { checkHeadProof, LedgerFileError } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { count, ProblemPrinter, resolveFile, say } from '../output.js';
import { type AddVerb } from '../program.js';
import { JSON_OPTION, KEY_OPTION, type KeyOptions, nonEmpty, ROTATIONS_OPTION, trustedKeys } from './arguments.js';

interface VerifyProofOptions extends KeyOptions {
  readonly json: boolean;
}

/** `verify-proof`: checks offline that a seal contains the head of an account. */
export const addVerifyProof: AddVerb = (program, run) => {
  program
    .command('verify-proof')
    .argument('<file>', 'an answer of get_ledger_proof', nonEmpty)
    .description('verifies offline that a signed seal contains the last event of an account')
    .addOption(KEY_OPTION)
    .addOption(ROTATIONS_OPTION)
    .addOption(JSON_OPTION)
    .action((file: string, options: VerifyProofOptions) => run(({ config }) => verifyProof(file, options, config)));
};

async function verifyProof(file: string, options: VerifyProofOptions, config: Config): Promise<boolean> {
  const problems = new ProblemPrinter(options.json ? 'json' : 'stdout');
  const keys = await trustedKeys(options, config, problems, {});
  const text = await readFile(resolveFile(file), 'utf8').catch((error: unknown) => {
    throw new LedgerFileError(`The file ${file} cannot be read.`, { cause: error });
  });
  const proven = checkHeadProof(text, keys.keys);
  if (typeof proven === 'string') {
    problems.addSeal(proven);
    return false;
  }
  const { head, manifest } = proven;
  const rotation = keys.replaced.get(manifest.keyFingerprint);
  if (rotation && rotation.number < manifest.number) {
    problems.addSeal(`Seal ${manifest.number} is signed with a key that seal ${rotation.number} replaced.`);
    return false;
  }
  if (options.json) say(JSON.stringify({ head, seal: manifest }));
  else {
    const sealed = `Seal ${manifest.number} of ${manifest.startedAt}`;
    say(`${sealed} contains ${head.stream} up to event ${head.version}, hash ${head.hash ?? 'missing'}.`);
    if (manifest.acts) say(`It covers the log of acts up to entry ${count(manifest.acts.number)}.`);
  }
  return problems.count === 0;
}
