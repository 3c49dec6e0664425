import {
  imagesOf,
  type LedgerSummary,
  uncoveredOf,
  acceptKeys,
  hasCheckpoint,
  ImportedHistory,
  type KeptCheckpoint,
  type LogSummary,
  type ProvenSeal,
  type RepairedClock,
  rotationsOf,
  SealedHeads,
  verifyLedger,
  verifySealChain,
} from '../../audit/index.js';
import { mediaFolder } from '../../platform/storage/open-storage.js';
import { count, formatCoverage, formatPace, formatProblemCount, ProblemPrinter, progress, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import {
  AGAINST_OPTION,
  CHECKPOINT_OPTION,
  JSON_OPTION,
  KEY_OPTION,
  type KeyOptions,
  keptCheckpoints,
  provenSeals,
  ROTATIONS_OPTION,
  trustedKeys,
} from './arguments.js';
import { openLedger } from './ledger-sources.js';

interface VerifyOptions extends KeyOptions {
  readonly images: boolean;
  readonly json: boolean;
  readonly against?: string[];
  readonly checkpoint?: string[];
}

/** `verify`: audits the whole ledger. */
export const addVerify: AddVerb = (program, run) => {
  program
    .command('verify')
    .description(
      'verifies every account: hash chain, rules, balances, revenue, generations, checkouts; with seals, all sealed events',
    )
    .addOption(AGAINST_OPTION)
    .addOption(CHECKPOINT_OPTION)
    .option('--no-images', 'does not compare the stored images with their hashes')
    .addOption(KEY_OPTION)
    .addOption(ROTATIONS_OPTION)
    .addOption(JSON_OPTION)
    .action((options: VerifyOptions) => run((context) => verify(options, context)));
};

async function verify(options: VerifyOptions, { config, clock }: VerbContext): Promise<boolean> {
  const problems = new ProblemPrinter(options.json ? 'json' : 'stdout');
  const { pool, eventStore, address: found } = await openLedger(config, { noStatementTimeout: true });
  const address = options.images ? found : { ...found, images: null };
  const kept = await keptCheckpoints(options.checkpoint, config);
  const needsKeys =
    options.against !== undefined ||
    kept.length > 0 ||
    (await hasCheckpoint(pool)) ||
    (await ImportedHistory.exists(eventStore));
  const keys = needsKeys
    ? await trustedKeys(options, config, problems, { seals: options.against, rotations: await rotationsOf(pool) })
    : acceptKeys([], [], problems.addSeal);
  const seals = await provenSeals(options.against, keys, problems);
  if (options.against) await verifySealChain(pool, keys.keys, seals, problems.add);
  const sealProblems = problems.count;
  const summary = await verifyLedger(
    {
      pool,
      eventStore,
      images: await imagesOf(address.images),
      keys: keys.keys,
      keptCheckpoints: kept,
      threads: { address },
      ...(seals.length > 0 ? { sealed: await SealedHeads.open(seals) } : {}),
    },
    {
      now: () => clock.now(),
      onProblem: problems.add,
      onProgress: progress(formatPace('Verified')),
      onRepair: (repair) => say(options.json ? JSON.stringify({ repair }) : formatRepair(repair)),
    },
  );
  // The summary counts more problems than were printed.
  const total = summary.problems + sealProblems;
  const { seal = 0, ...otherKinds } = summary.problemsByKind;
  const problemsByKind = seal + sealProblems === 0 ? otherKinds : { ...otherKinds, seal: seal + sealProblems };
  const newest = newestSeal(seals, clock.now());
  const imagesCompared = address.images !== null;
  if (options.json) {
    const printed = { ...summary, imagesCompared, ...(newest ? { newest } : {}), problems: total, problemsByKind };
    say(JSON.stringify({ summary: printed }));
  } else {
    say(
      `${count(summary.accounts)} accounts, ${count(summary.events)} events, ${count(summary.generations)} generations (${count(summary.openGenerations)} open), ${count(summary.purchases)} checkouts; ${count(summary.policyEvents)} events of the policy; ${count(summary.payoutEvents)} events of payouts; ${count(summary.earningEvents)} events of earnings; ${count(summary.processorEvents)} events of the processor; ${count(summary.acts)} entries of the log of acts.`,
    );
    say(`Rows compared: ${formatRows(summary.rows)}.`);
    say(formatLog(summary.log, kept));
    for (const sentence of formatUncovered(summary)) say(sentence);
    if (!imagesCompared && summary.generations > 0) {
      const reason = options.images ? `there is no folder ${mediaFolder(config.dataDir)}` : '--no-images';
      say(`The stored images were not compared with their hashes: ${reason}.`);
    }
    for (const { manifest } of seals)
      say(`Seal ${manifest.number} of ${manifest.startedAt}: ${formatCoverage(manifest)}.`);
    if (newest) {
      say(
        `The newest seal, ${newest.number}, is ${formatAge(newest.ageSeconds)} old and signed with the key ${newest.keyFingerprint}; ${count(summary.unsealedEvents)} events lie beyond it.`,
      );
    }
    say(total === 0 ? 'No problems found.' : formatProblemCount(total));
  }
  return total === 0;
}

function formatRepair({ stream, version, at, aheadUntil, actorId, repaired, reason }: RepairedClock): string {
  const events = repaired ? `events ${repaired.from} to ${repaired.to} are from the future; ` : '';
  return `${stream} @ ${version}: repaired: ${events}${actorId} set the account's time back from ${iso(aheadUntil)} to ${iso(at)}: ${reason}`;
}

function formatLog({ leaves, checkpoints }: LogSummary, kept: readonly KeptCheckpoint[]): string {
  if (leaves === 0) return 'The public log is empty: no event was compared with it.';
  const locations = kept.length === 0 ? '' : `, and that in ${kept.map(({ location }) => location).join(', ')}`;
  return `The public log has ${count(leaves)} leaves; ${count(checkpoints)} checkpoints were compared with them${locations}.`;
}

/** Rows of before a fixed entry, and images of before `DeductionSettled` 3. */
function* formatUncovered(summary: LedgerSummary): Generator<string> {
  const names = uncoveredOf(summary).map(([name, rows]) => `${count(rows)} ${name}`);
  if (names.length === 0) return;
  const { before } = summary.uncovered;
  const entry = before === null ? '' : ` before entry ${before} of the log of acts`;
  yield `Not covered by a hash, because they were made before there were hashes${entry}: ${names.join(', ')}.`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function formatRows(rows: Readonly<Record<string, number>>): string {
  return Object.entries(rows)
    .map(([projection, compared]) => `${count(compared)} of ${projection}`)
    .join(', ');
}

interface NewestSeal {
  readonly number: number;
  readonly ageSeconds: number;
  readonly keyFingerprint: string;
}

/** The newest of these seals; null when there is none. */
function newestSeal(seals: readonly ProvenSeal[], now: Date): NewestSeal | null {
  const [newest] = seals.map(({ manifest }) => manifest).sort((a, b) => b.number - a.number);
  if (!newest) return null;
  const { number, startedAt, keyFingerprint } = newest;
  return { number, ageSeconds: Math.round((now.getTime() - Date.parse(startedAt)) / 1000), keyFingerprint };
}

function formatAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} minutes` : `${Math.floor(seconds / 3_600)} hours`;
}
