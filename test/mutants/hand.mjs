/**
 * Faults in rules that matter, each of which passed all tests once. `npm run mutate -- --hand` puts them into copies
 * of the files, one at a time, and expects that the spec fails.
 *
 * @typedef {object} HandMutant
 * @property {string} name the argument of `npm run mutate -- --hand <name>`
 * @property {string} file
 * @property {string} from a text that the file contains once
 * @property {string} to
 * @property {'integration'} [project] `web` for a file of the web app, otherwise `unit` if not given
 * @property {string} [spec] the one next to the file if not given
 * @property {string} [test] a regular expression: only tests with such a title run
 * @property {boolean} [endless] the spec does not end with it: a run that reaches its time limit counts as found
 * @property {string} [equivalent] why no test can find the change: it is not run
 */

const PAYMENTS = 'src/payments';

/** @type {HandMutant[]} */
export const HAND_MUTANTS = [
  {
    name: 'prompt-end-of-script',
    file: 'src/generation/prompts/sanitise-prompt.ts',
    from: '  close.lastIndex = tagEnd;\n',
    to: '',
    endless: true,
  },
  {
    name: 'prompt-quote',
    file: 'src/generation/prompts/sanitise-prompt.ts',
    from: ` && text.charAt(at - 1) === '='`,
    to: '',
  },
  {
    name: 'own-case',
    file: 'src/admin/cases/use-cases/decide-moderation-case.ts',
    from: '    await this.refuseOwnRequest(input);\n',
    to: '',
  },
  {
    name: 'refund-of-another-session',
    file: `${PAYMENTS}/use-cases/refund-purchase.ts`,
    from: `    if (row.session_id !== input.sessionId) throw new DomainError('conflict', MESSAGES.refundUnderWay);\n`,
    to: '',
  },
  {
    name: 'omitted-deduction',
    file: 'src/credits/account/state.ts',
    from: 'deductionId <= omittedEndedUpTo',
    to: 'deductionId < omittedEndedUpTo',
  },
  {
    name: 'memory-of-deductions',
    file: 'src/credits/account/state.ts',
    from: 'endedAt >= horizon',
    to: 'endedAt > horizon',
    spec: 'src/credits/account/decide.spec.ts',
  },
  {
    name: 'rate-limit-expiry',
    file: 'src/platform/http/postgres-rate-limiter.ts',
    from: '        expires_at = excluded.expires_at,\n',
    to: '',
    project: 'integration',
    spec: 'test/integration/rate-limiter.spec.ts',
    test: 'deletes the keys',
  },
  {
    name: 'open-transactions',
    file: 'src/finance/closing/month-closing.ts',
    from: `, 'disputeReversed')`,
    to: ')',
    project: 'integration',
    spec: 'test/integration/closed-months.spec.ts',
    test: 'counts the transactions of the month',
  },
  {
    name: 'close-after-15-minutes',
    file: 'src/finance/closing/month-closing.ts',
    from: 'now >= end + SETTLED_AFTER_MS',
    to: 'now > end + SETTLED_AFTER_MS',
  },
  {
    name: 'last-instant-of-month',
    file: 'src/finance/closing/month-closing.ts',
    from: 'addMonths(month, 1)).getTime() - 1)',
    to: 'addMonths(month, 1)).getTime())',
  },
  {
    name: 'authenticator-failure',
    file: 'src/platform/http/access-guard.ts',
    from: ` || !isUnauthenticated(error)`,
    to: '',
  },
  {
    name: 'mismatched-checkout',
    file: `${PAYMENTS}/use-cases/settle-payment.ts`,
    from: `return this.unpaid(row, 'processing');`,
    to: `return this.unpaid(row, 'open');`,
    project: 'integration',
    spec: 'test/integration/payments-fulfilment.spec.ts',
    test: 'shows a payment whose checkout',
  },
  {
    name: 'refund-at-end-of-period',
    file: `${PAYMENTS}/workers/reconcile-ledger.ts`,
    from: 'createdAt < this.period.to',
    to: 'createdAt <= this.period.to',
    project: 'integration',
    spec: 'test/integration/payments-reconcile.spec.ts',
    test: 'compares a refund of the period',
  },
  {
    name: 'unknown-reversal',
    file: `${PAYMENTS}/workers/reconcile-ledger.ts`,
    from: 'stands(reversal) ?? true',
    to: 'stands(reversal) ?? false',
    project: 'integration',
    spec: 'test/integration/payments-reconcile.spec.ts',
    test: 'counts a reversal of an unknown state',
  },
  {
    name: 'version-of-new-gallery',
    file: 'src/gallery/use-cases/save-gallery.ts',
    from: '          and coalesce((select version from own), 0) = ${expectedVersion}\n',
    to: '',
    project: 'integration',
    spec: 'test/integration/gallery-admin.spec.ts',
    test: 'refuses a version of a gallery',
  },
  {
    name: 'spent-daily-credits',
    file: 'src/credits/reads/account-projection.ts',
    from: 'row.daily > 0 && expiresAt',
    to: 'expiresAt',
  },
  {
    name: 'details-after-failure',
    file: 'src/finance/payouts/decide.ts',
    from: 'getTime() <= state.failedAt',
    to: 'getTime() < state.failedAt',
  },
  {
    name: 'payout-of-nothing',
    file: 'src/finance/payouts/decide.ts',
    from: 'sum.amountCents <= 0 || ',
    to: '',
  },
  {
    name: 'value-of-many-credits',
    file: 'src/finance/account-books.ts',
    from: 'product / divisor + (rest > 0n ? 1n : 0n)',
    to: 'product / divisor',
  },
  {
    name: 'line-separator',
    file: 'src/platform/http/page-head.ts',
    from: String.raw`[<\u2028\u2029]`,
    to: String.raw`[<\u2028]`,
  },
  {
    name: 'unstable-stream',
    file: 'web/src/lib/follow-generation.ts',
    from: ' && Date.now() - liveSince >= STABLE_MS',
    to: '',
  },
  {
    name: 'draft-of-running-generation',
    file: 'web/src/features/generation/use-prompt-bar.ts',
    from: 'const unsent = activeGenerationId === null ? draft : null;',
    to: 'const unsent = draft;',
    spec: 'web/src/features/generation/components/prompt-bar.spec.tsx',
  },
];
