import { statementOf, type StatementPart } from '../../audit/index.js';
import { ProblemPrinter, say } from '../output.js';
import { type AddVerb, UsageError, type VerbContext } from '../program.js';
import { formatTotals, instant, JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger, requireAccount } from './ledger-sources.js';

interface StatementOptions {
  readonly json: boolean;
  readonly from?: Date;
  readonly to?: Date;
}

/** `statement`: an account's changes in a period. */
export const addStatement: AddVerb = (program, run) => {
  program
    .command('statement')
    .argument('<user>', 'a user id', nonEmpty)
    .description('opening balance, every change, closing balance')
    .option('--from <instant>', 'start of the period, included; by default the first event', instant)
    .option('--to <instant>', 'end of the period, not included; by default now', instant)
    .addOption(JSON_OPTION)
    .action((userId: string, options: StatementOptions) => run((context) => statement(userId, options, context)));
};

async function statement(userId: string, options: StatementOptions, { config, clock }: VerbContext): Promise<boolean> {
  const period = { from: options.from ?? new Date(0), to: options.to ?? clock.now() };
  if (period.from >= period.to) {
    throw new UsageError(`--from must be before --to${options.to ? '' : ', which is now by default'}.`);
  }
  const { eventStore } = await openLedger(config);
  await requireAccount(eventStore, userId);
  const problems = new ProblemPrinter('stderr');
  for await (const part of statementOf(eventStore, userId, period, problems.add)) {
    say(options.json ? JSON.stringify(part) : formatPart(part));
  }
  return problems.count === 0;
}

function formatPart(part: StatementPart): string {
  if (part.part === 'opening') return `${part.at}  Opening balance: ${formatTotals(part.balance)}`;
  if (part.part === 'closing') return `${part.at}  Closing balance: ${formatTotals(part.balance)}`;
  const amount = (part.amount > 0 ? `+${part.amount}` : String(part.amount)).padStart(6);
  return `${part.at}  ${amount} ${String(part.balance).padStart(7)}  ${part.what} ${part.reference}`;
}
