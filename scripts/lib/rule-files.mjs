const ACCOUNT = 'src/credits/account';

/** Pure rules: `npm run mutate -- --rules` makes every change in them. The rest of `src` is sampled. */
export const RULE_FILES = [
  ...below(ACCOUNT, ['decide', 'decide-purchases', 'debt', 'state', 'upcast', 'errors', 'events', 'constants']),
  'src/credits/policy/decide.ts',
  ...below('src/payments', ['judge-session', 'standing', 'return-urls']),
  ...below('src/finance', ['payouts/decide', 'payouts/state', 'payouts/payout-entries']),
  ...below('src/revenue', ['account-revenue', 'creator-months', 'months']),
  ...below('src/finance', ['account-books', 'earnings/shares', 'processor/transactions', 'processor/differences']),
  ...below('src/platform/http', ['access-guard', 'loopback']),
  ...below('src/identity/providers', ['provider-user', 'session-tokens']),
  ...below('src/generation', ['steps/next-step', 'limits', 'predictions/judge-prediction', 'providers/fetch-output']),
  ...below('src/generation/prompts', ['sanitise-prompt', 'search-term']),
  ...below('src/generation/moderation', ['blocked-terms', 'foreign-matcher', 'foreign-terms', 'normalise-text']),
  ...below('src/generation/moderation', ['policy-terms', 'prompt-hash', 'rule-moderator', 'term-finder']),
  ...below('src/generation/moderation', ['term-folding', 'listed-words']),
  ...below('web/src', ['features/identity/safe-redirect', 'lib/sanitise', 'features/creators/search-text']),
];

/**
 * @param {string} folder
 * @param {string[]} names without `.ts`
 */
function below(folder, names) {
  return names.map((name) => `${folder}/${name}.ts`);
}
