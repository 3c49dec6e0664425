/**
 * The files that `npm run mutate` changes, and the specs that must then fail. The files are pure rules, and the code
 * that records payments in Postgres.
 * Do not list specs that do not test the file: they only slow down every mutant.
 *
 * @typedef {object} MutationTarget
 * @property {string} name the argument of `npm run mutate -- <name>`
 * @property {string} file
 * @property {string[]} specs
 * @property {string[]} [functions] mutate these functions only
 * @property {boolean} [slow] needs Postgres and takes hours: runs only with `--slow` or by its name
 */

const ACCOUNT = 'src/credits/account';
const ACCOUNT_PROPERTIES = `${ACCOUNT}/state.properties.spec.ts`;
const PAYMENT_SUITES = ['fulfilment', 'reversals', 'webhooks', 'reconcile'].map(
  (name) => `test/integration/payments-${name}.spec.ts`,
);

/** Pure rules: `npm run mutate -- --rules` makes every change in them. The rest of `src` is sampled. */
export const RULE_FILES = [
  ...below(ACCOUNT, ['decide', 'decide-purchases', 'debt', 'state', 'upcast', 'errors', 'events', 'constants']),
  'src/credits/policy/decide.ts',
  ...below('src/payments', ['judge-session', 'standing', 'return-urls']),
  ...below('src/finance', ['payouts/decide', 'payouts/state', 'payouts/payout-entries']),
  ...below('src/revenue', ['account-revenue', 'creator-months', 'months']),
  ...below('src/finance', ['account-books', 'earnings/shares', 'processor/transactions', 'processor/differences']),
  ...below('src/platform/http', ['access-guard']),
  ...below('src/generation', ['steps/next-step', 'limits', 'predictions/judge-prediction']),
  ...below('src/generation/prompts', ['sanitise-prompt', 'search-term']),
  ...below('src/generation/moderation', ['blocked-terms', 'foreign-matcher', 'foreign-terms', 'normalise-text']),
  ...below('src/generation/moderation', ['policy-terms', 'prompt-hash', 'rule-moderator', 'term-finder']),
  ...below('src/generation/moderation', ['term-folding', 'listed-words']),
];

/** @type {MutationTarget[]} */
export const MUTATION_TARGETS = [
  // Hosts, addresses and tokens
  withOwnSpec('loopback', 'src/platform/http/loopback'),
  { ...withOwnSpec('own-addresses', 'src/platform/config/load-config'), functions: ['sealUrl', 'origin'] },
  {
    ...withOwnSpec('metrics-access', 'src/platform/metrics/serve-metrics'),
    functions: ['refusalOfMetrics', 'isLoopbackAddress'],
  },
  { ...withOwnSpec('fetch-output', 'src/generation/providers/fetch-output'), functions: ['allowed'] },
  withOwnSpec('provider-user', 'src/identity/providers/provider-user'),
  withOwnSpec('session-tokens', 'src/identity/providers/session-tokens'),
  withOwnSpec('safe-redirect', 'web/src/features/identity/safe-redirect'),

  // Sanitisers
  withOwnSpec('sanitise', 'web/src/lib/sanitise'),
  withOwnSpec('search-text', 'web/src/features/creators/search-text'),
  withOwnSpec('sanitise-prompt', 'src/generation/prompts/sanitise-prompt'),

  // Payments
  withOwnSpec('return-urls', 'src/payments/return-urls'),
  withOwnSpec('standing', 'src/payments/standing'),
  withOwnSpec('judge-session', 'src/payments/judge-session'),
  { ...withOwnSpec('refund-price', 'src/payments/use-cases/refund-purchase'), functions: ['priceOf'] },

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
  withOwnSpec('account-revenue', 'src/revenue/account-revenue'),

  // Records of payments in Postgres
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
function withOwnSpec(name, path) {
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

/**
 * @param {string} folder
 * @param {string[]} names without `.ts`
 */
function below(folder, names) {
  return names.map((name) => `${folder}/${name}.ts`);
}
