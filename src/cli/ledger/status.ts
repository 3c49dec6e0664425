import { readVerificationState } from '../../audit/index.js';
import { count, ProblemPrinter, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { JSON_OPTION } from './arguments.js';
import { openLedger } from './ledger-sources.js';

/** Problems printed. */
const PROBLEMS_SHOWN = 100;

/** `status`: the state of the continuous verification. */
export const addStatus: AddVerb = (program, run) => {
  program
    .command('status')
    .description('prints how far the running app has verified the ledger, and the problems that it knows')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) => run((context) => status(json, context)));
};

async function status(asJson: boolean, { config }: VerbContext): Promise<boolean> {
  const { pool } = await openLedger(config);
  const { verifiedUntil, succeededAt, events, problems, first } = await readVerificationState(pool, PROBLEMS_SHOWN);
  if (asJson) say(JSON.stringify({ verifiedUntil, succeededAt, events, problems, first }));
  else {
    const printer = new ProblemPrinter('stdout');
    for (const problem of first) printer.add(problem);
    if (verifiedUntil === null) say('The app has not verified the ledger yet: it begins a minute after its start.');
    else {
      const run = `the last run ended at ${succeededAt?.toISOString()}`;
      say(`Verified up to ${verifiedUntil.toISOString()}, ${count(events)} events; ${run}.`);
    }
    say(problems === 0 ? 'No problems are known.' : `${count(problems)} problems are known.`);
  }
  return problems === 0;
}
