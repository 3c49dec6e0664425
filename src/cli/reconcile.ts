import { parseInstant } from '../audit/index.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { count, openSources, progress, say, UsageError, verb } from './command-line.js';
import {
  createStripe,
  type LedgerDifference,
  PaymentProcessor,
  reconcileLedger,
  type ReconcileSummary,
} from '../payments/index.js';
import { type PaymentTables } from '../payments/tables.js';
import { type Config } from '../platform/config/config.js';
import { createDatabase } from '../platform/database/pool.js';
import { type StripeSettings } from '../platform/config/provider-settings.js';

const TABLES = ['event', 'checkout', 'payment_reversal', 'admin_refund'];

/** The verb of `npm run ledger` that asks the payment processor. */
export const reconcileVerb = verb({
  usage: `reconcile --from <instant> [--to <instant>] [--json]
    purchases, refunds and disputes against the payment processor, to the cent; --from is included, --to is not`,
  options: { json: { type: 'boolean', default: false }, from: { type: 'string' }, to: { type: 'string' } },
  run: async (values, _, config) => {
    if (values.from === undefined) throw new UsageError('Since when? Name an instant with --from.');
    const from = instant('--from', values.from);
    const to = values.to === undefined ? new Date() : instant('--to', values.to);
    if (from >= to) throw new UsageError('--from must be before --to.');
    return reconcile({ from, to }, values.json, config);
  },
});

async function reconcile(period: { from: Date; to: Date }, asJson: boolean, config: Config): Promise<boolean> {
  const processor = new PaymentProcessor(createStripe(await stripeSettings(config)));
  const { pool, eventStore } = await openSources(config, { tables: TABLES });
  const sources = { db: createDatabase<PaymentTables>(pool), eventStore, processor };
  const summary = await reconcileLedger(sources, period, {
    onDifference: (difference) => say(asJson ? JSON.stringify({ difference }) : wordsOf(difference)),
    onProgress: progress((soFar: ReconcileSummary) => `Compared ${count(soFar.sessions)} paid sessions.`),
  });
  if (asJson) say(JSON.stringify({ summary }));
  else {
    say(
      `${count(summary.sessions)} paid sessions: ${dollars(summary.paidCents)} paid, ${dollars(summary.purchasedCents)} in the ledger;`,
    );
    say(`${dollars(summary.returnedCents)} went back, ${dollars(summary.reversedCents)} in the ledger.`);
    say(summary.differences === 0 ? 'No differences found.' : `${count(summary.differences)} differences found.`);
  }
  return summary.differences === 0;
}

/** Stripe's own, or those of the sandbox beside the running app, which keeps its key in its folder. */
async function stripeSettings(config: Config): Promise<StripeSettings> {
  if (config.stripe) return config.stripe;
  const host = config.host === '::1' ? '[::1]' : '127.0.0.1';
  const keys = await readFile(join(config.dataDir, 'sandbox', 'stripe', 'keys.json'), 'utf8').catch(() => {
    throw new UsageError(
      `There is no payment processor in ${config.dataDir}: start the app once, or set STRIPE_SECRET_KEY.`,
    );
  });
  const { secretKey } = JSON.parse(keys) as { secretKey: string };
  return { secretKey, webhookSecret: null, baseUrl: `http://${host}:${config.port}/__sandbox/stripe` };
}

function wordsOf({ subject, userId, what }: LedgerDifference): string {
  return `${subject}${userId === null ? '' : ` of ${userId}`}: ${what}`;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

function instant(name: string, value: string): Date {
  const found = parseInstant(value);
  if (found) return found;
  throw new UsageError(`${name} must be an instant such as 2026-03-10 or 2026-03-10T09:00:00Z; it is '${value}'.`);
}
