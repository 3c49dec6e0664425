import { balanceAt } from '../../audit/index.js';
import { ProblemPrinter, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { formatTotals, instant, JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger, requireAccount } from './ledger-sources.js';

interface BalanceOptions {
  readonly json: boolean;
  readonly at?: Date;
}

/** `balance`: a user's balance at an instant. */
export const addBalance: AddVerb = (program, run) => {
  program
    .command('balance')
    .argument('<user>', 'a user id', nonEmpty)
    .description('prints the credits that a user could spend at an instant, computed from the stream alone')
    .option('--at <instant>', 'the instant; by default now', instant)
    .addOption(JSON_OPTION)
    .action((userId: string, options: BalanceOptions) => run((context) => balance(userId, options, context)));
};

async function balance(userId: string, options: BalanceOptions, { config, clock }: VerbContext): Promise<boolean> {
  const { eventStore } = await openLedger(config);
  await requireAccount(eventStore, userId);
  const problems = new ProblemPrinter('stderr');
  const account = await balanceAt(eventStore, userId, options.at ?? clock.now(), problems.add);
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
