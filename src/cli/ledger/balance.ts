import { join } from 'node:path';
import {
  balanceAt,
  closingSealFile,
  proveSeal,
  type ProvenSeal,
  SEAL_FOLDER,
  sealedHeadOf,
  sealFilesAt,
  sealFilesIn,
} from '../../audit/index.js';
import { accountStream } from '../../credits/index.js';
import { type Config } from '../../platform/config/config.js';
import { note, ProblemPrinter, resolveFile, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import {
  AGAINST_OPTION,
  formatTotals,
  instant,
  JSON_OPTION,
  KEY_OPTION,
  type KeyOptions,
  nonEmpty,
  ROTATIONS_OPTION,
  trustedKeys,
} from './arguments.js';
import { openLedger, requireAccount } from './ledger-sources.js';

interface BalanceOptions extends KeyOptions {
  readonly json: boolean;
  readonly at?: Date;
  readonly against?: string[];
}

/** `balance`: a user's balance at an instant. */
export const addBalance: AddVerb = (program, run) => {
  program
    .command('balance')
    .argument('<user>', 'a user id', nonEmpty)
    .description('prints the credits that a user could spend at an instant, computed from the stream alone')
    .option('--at <instant>', 'the instant; by default now', instant)
    .addOption(AGAINST_OPTION)
    .addOption(KEY_OPTION)
    .addOption(ROTATIONS_OPTION)
    .addOption(JSON_OPTION)
    .action((userId: string, options: BalanceOptions) => run((context) => balance(userId, options, context)));
};

async function balance(userId: string, options: BalanceOptions, { config, clock }: VerbContext): Promise<boolean> {
  const { eventStore } = await openLedger(config);
  await requireAccount(eventStore, userId);
  const problems = new ProblemPrinter('stderr');
  const at = options.at ?? clock.now();
  const seal = await sealOf(at, options, config, problems);
  const head = seal && (await sealedHeadOf(seal, accountStream(userId)));
  if (seal && !head) {
    const { number, startedAt } = seal.manifest;
    problems.addSeal(
      `Seal ${number} of ${startedAt} does not contain ${userId}, so the balance at ${at.toISOString()} cannot be verified.`,
    );
    return false;
  }
  const past = seal && head ? { manifest: seal.manifest, head } : undefined;
  const account = await balanceAt(eventStore, userId, at, problems.add, past);
  if (options.json) say(JSON.stringify({ ...account, problems: problems.count }));
  else if (account.version < 0) say(`${userId} had no account at ${account.at}.`);
  else {
    say(
      `${userId} at ${account.at}: ${formatTotals(account.balance)}; ${account.open} in open deductions, ${account.owed} owed.`,
    );
    say(`Event ${account.version}, hash ${account.head ?? 'missing'}.`);
  }
  return problems.count === 0;
}

/**
 * Returns the proven seal that closed the time of an instant, from the given seals or else from those in DATA_DIR.
 * Null, with a message or a problem, when there is none or it cannot be proven.
 */
async function sealOf(
  at: Date,
  options: BalanceOptions,
  config: Config,
  problems: ProblemPrinter,
): Promise<ProvenSeal | null> {
  const paths = options.against?.map(resolveFile) ?? (await sealFilesIn(join(config.dataDir, SEAL_FOLDER)));
  const files = (await Promise.all(paths.map(sealFilesAt))).flat();
  const file = await closingSealFile(files, at);
  if (file === null) {
    note('No seal was made a minute or more after that time, so the balance was not compared with a seal.');
    return null;
  }
  const keys = await trustedKeys(options, config, problems, { seals: paths });
  return proveSeal(file, keys.keys, problems.addSeal);
}
