import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createStripe,
  type LedgerDifference,
  reconcileLedger,
  type ReconcileSummary,
  StripePaymentProcessor,
} from '../../payments/index.js';
import { type PaymentTables } from '../../payments/tables.js';
import { type Config } from '../../platform/config/config.js';
import { type StripeSettings } from '../../platform/config/provider-settings.js';
import { createDatabase } from '../../platform/database/pool.js';
import { ImportedHistory } from '../../audit/index.js';
import { connectSandboxes } from '../../remote-sandboxes.js';
import { count, ProblemPrinter, progress, say } from '../output.js';
import { type AddVerb, UsageError, type VerbContext } from '../program.js';
import { openSources } from '../sources.js';
import { instant, JSON_OPTION, trustedKeys } from './arguments.js';

const TABLES = ['event', 'ledger_seal', 'checkout', 'payment_reversal', 'admin_refund'];

interface ReconcileOptions {
  readonly json: boolean;
  readonly from: Date;
  readonly to?: Date;
}

/** `reconcile`: compares the ledger with the payment processor. */
export const addReconcile: AddVerb = (program, run) => {
  program
    .command('reconcile')
    .description('compares purchases, refunds and disputes with the payment processor, to the cent')
    .requiredOption('--from <instant>', 'start of the period, included', instant)
    .option('--to <instant>', 'end of the period, not included; by default now', instant)
    .addOption(JSON_OPTION)
    .action((options: ReconcileOptions) => run((context) => reconcile(options, context)));
};

async function reconcile({ json, ...options }: ReconcileOptions, { config, clock }: VerbContext): Promise<boolean> {
  const period = { from: options.from, to: options.to ?? clock.now() };
  if (period.from >= period.to) throw new UsageError('--from must be before --to.');
  const processor = new StripePaymentProcessor(createStripe(await stripeSettings(config)));
  const { pool, eventStore } = await openSources(config, { tables: TABLES });
  const problems = new ProblemPrinter('stderr');
  const keys = (await ImportedHistory.exists(eventStore)) ? (await trustedKeys({}, config, problems)).keys : [];
  const imported = await ImportedHistory.read({ pool, eventStore }, keys, problems.add);
  const isImported = (stream: string, version: number): boolean => imported.has(stream, version);
  const sources = { db: createDatabase<PaymentTables>(pool), eventStore, processor, isImported };
  const summary = await reconcileLedger(sources, period, {
    onDifference: (difference) => say(json ? JSON.stringify({ difference }) : formatDifference(difference)),
    onProgress: progress((soFar: ReconcileSummary) => `Compared ${count(soFar.sessions)} paid sessions.`),
  });
  if (json) say(JSON.stringify({ summary }));
  else {
    say(
      `${count(summary.sessions)} paid sessions: ${formatDollars(summary.paidCents)} paid, ${formatDollars(summary.purchasedCents)} in the ledger;`,
    );
    say(`${formatDollars(summary.returnedCents)} returned, ${formatDollars(summary.reversedCents)} in the ledger.`);
    if (summary.importedCents > 0) say(`${formatDollars(summary.importedCents)} of imported history in the ledger.`);
    say(summary.differences === 0 ? 'No differences found.' : `${count(summary.differences)} differences found.`);
  }
  return summary.differences === 0 && problems.count === 0;
}

/** Stripe's settings, or those of the running app's sandbox, which stores its key in DATA_DIR. */
async function stripeSettings(config: Config): Promise<StripeSettings> {
  if (config.stripe) return config.stripe;
  if (config.sandboxesUrl !== null) return (await connectSandboxes(config.sandboxesUrl)).settings.stripe;
  const host = config.host === '::1' ? '[::1]' : '127.0.0.1';
  const keys = await readFile(join(config.dataDir, 'sandbox', 'stripe', 'keys.json'), 'utf8').catch(() => {
    throw new UsageError(
      `There is no payment processor in ${config.dataDir}: start the app once, or set STRIPE_SECRET_KEY.`,
    );
  });
  const { secretKey } = JSON.parse(keys) as { secretKey: string };
  return { secretKey, webhookSecret: null, baseUrl: `http://${host}:${config.port}/__sandbox/stripe` };
}

function formatDifference({ subject, userId, what: description }: LedgerDifference): string {
  return `${subject}${userId === null ? '' : ` of ${userId}`}: ${description}`;
}

function formatDollars(cents: number): string {
  return `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
