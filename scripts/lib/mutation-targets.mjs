/**
 * The files that `npm run mutate` changes, and the specs that must notice: the pure rules and the edges of money.
 * A spec that does not guard the file only makes every mutant slower.
 *
 * @typedef {object} MutationTarget
 * @property {string} name the argument of `npm run mutate -- <name>`
 * @property {string} file
 * @property {string[]} specs
 * @property {string[]} [functions] mutate these functions only
 * @property {boolean} [slow] needs Postgres and takes hours: runs with `--slow` or by its name
 */

const ACCOUNT = 'src/credits/account';
const ACCOUNT_PROPERTIES = `${ACCOUNT}/state.properties.spec.ts`;
const PAYMENT_SUITES = ['fulfilment', 'reversals', 'webhooks', 'reconcile'].map(
  (name) => `test/integration/payments-${name}.spec.ts`,
);

/** @type {MutationTarget[]} */
export const MUTATION_TARGETS = [
  // Hosts, addresses and tokens
  besideItsSpec('loopback', 'src/platform/http/loopback'),
  { ...besideItsSpec('own-addresses', 'src/platform/config/load-config'), functions: ['sealUrl', 'origin'] },
  {
    ...besideItsSpec('metrics-access', 'src/platform/metrics/serve-metrics'),
    functions: ['refusalOfMetrics', 'isLoopbackAddress'],
  },
  { ...besideItsSpec('fetch-output', 'src/generation/providers/fetch-output'), functions: ['allowed'] },
  besideItsSpec('provider-user', 'src/identity/providers/provider-user'),
  besideItsSpec('session-tokens', 'src/identity/providers/session-tokens'),
  besideItsSpec('safe-redirect', 'web/src/features/identity/safe-redirect'),

  // Sanitisers
  besideItsSpec('sanitise', 'web/src/lib/sanitise'),
  besideItsSpec('search-text', 'web/src/features/creators/search-text'),
  besideItsSpec('sanitise-prompt', 'src/generation/sanitise-prompt'),

  // Payments
  besideItsSpec('return-urls', 'src/payments/return-urls'),
  besideItsSpec('standing', 'src/payments/standing'),
  besideItsSpec('judge-session', 'src/payments/judge-session'),
  { ...besideItsSpec('refund-price', 'src/payments/use-cases/refund-purchase'), functions: ['priceOf'] },

  // Credits and revenue
  { name: 'debt', file: `${ACCOUNT}/debt.ts`, specs: [`${ACCOUNT}/decide-purchases.spec.ts`, ACCOUNT_PROPERTIES] },
  {
    name: 'decide-purchases',
    file: `${ACCOUNT}/decide-purchases.ts`,
    specs: [`${ACCOUNT}/decide-purchases.spec.ts`, ACCOUNT_PROPERTIES],
  },
  { name: 'decide', file: `${ACCOUNT}/decide.ts`, specs: [`${ACCOUNT}/decide.spec.ts`, ACCOUNT_PROPERTIES] },
  {
    name: 'state',
    file: `${ACCOUNT}/state.ts`,
    specs: [`${ACCOUNT}/decide.spec.ts`, `${ACCOUNT}/decide-purchases.spec.ts`, ACCOUNT_PROPERTIES],
  },
  besideItsSpec('account-revenue', 'src/revenue/account-revenue'),

  // The edges of money
  onPostgres('reversal-rows', 'src/payments/reversal-rows'),
  onPostgres('payment-inbox', 'src/payments/workers/payment-inbox'),
  onPostgres('settle-payment', 'src/payments/use-cases/settle-payment'),
  onPostgres('reconcile-payments', 'src/payments/workers/reconcile-payments'),
];

/**
 * @param {string} name
 * @param {string} path without `.ts`
 * @returns {MutationTarget}
 */
function besideItsSpec(name, path) {
  return { name, file: `${path}.ts`, specs: [`${path}.spec.ts`] };
}

/**
 * @param {string} name
 * @param {string} path without `.ts`
 * @returns {MutationTarget}
 */
function onPostgres(name, path) {
  return { name, file: `${path}.ts`, specs: PAYMENT_SUITES, slow: true };
}
