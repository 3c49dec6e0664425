import { SealedHeads, verifyLedger, verifySealChain } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { count, formatCoverage, formatPace, formatProblemCount, ProblemPrinter, progress, say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';
import { AGAINST_OPTION, JSON_OPTION, KEY_OPTION, provenSeals, publicKeys } from './arguments.js';
import { openLedger } from './ledger-sources.js';

interface VerifyOptions {
  readonly json: boolean;
  readonly against?: string[];
  readonly key?: string[];
}

/** `verify`: audits the whole ledger. */
export const addVerify: AddVerb = (program, run) => {
  program
    .command('verify')
    .description(
      'verifies every account: hash chain, rules, balances, revenue, generations, checkouts; with seals, all sealed events',
    )
    .addOption(AGAINST_OPTION)
    .addOption(KEY_OPTION)
    .addOption(JSON_OPTION)
    .action((options: VerifyOptions) => run(({ config }) => verify(options, config)));
};

async function verify(options: VerifyOptions, config: Config): Promise<boolean> {
  if (options.key && !options.against) throw new UsageError('--key needs --against.');
  const problems = new ProblemPrinter(options.json ? 'json' : 'stdout');
  const keys = options.against ? publicKeys(options.key, config) : [];
  const seals = await provenSeals(options.against, keys, problems);
  const { pool, eventStore } = await openLedger(config);
  if (options.against) await verifySealChain(pool, keys, seals, problems.add);
  const sealProblems = problems.count;
  const summary = await verifyLedger(
    { pool, eventStore, ...(seals.length > 0 ? { sealed: await SealedHeads.open(seals) } : {}) },
    { now: () => new Date(), onProblem: problems.add, onProgress: progress(formatPace('Verified')) },
  );
  // The summary counts more problems than were printed.
  const total = summary.problems + sealProblems;
  if (options.json) say(JSON.stringify({ summary: { ...summary, problems: total } }));
  else {
    say(
      `${count(summary.accounts)} accounts, ${count(summary.events)} events, ${count(summary.generations)} generations (${count(summary.openGenerations)} open), ${count(summary.purchases)} checkouts.`,
    );
    say(`Rows compared: ${formatRows(summary.rows)}.`);
    for (const { manifest } of seals)
      say(`Seal ${manifest.number} of ${manifest.startedAt}: ${formatCoverage(manifest)}.`);
    say(total === 0 ? 'No problems found.' : formatProblemCount(total));
  }
  return total === 0;
}

function formatRows(rows: Readonly<Record<string, number>>): string {
  return Object.entries(rows)
    .map(([projection, compared]) => `${count(compared)} of ${projection}`)
    .join(', ');
}
