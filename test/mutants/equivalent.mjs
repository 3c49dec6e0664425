/**
 * Changes of `npm run mutate -- --rules` and `--sample` that mean the same, so that no test can find them.
 *
 * @typedef {object} EquivalentMutant
 * @property {string} file
 * @property {string} from the changed code as the report prints it
 * @property {string} [to] what replaces it; nothing if not given
 * @property {string} [line] a part of its line, if the file contains the code more than once
 * @property {string} reason
 */

const ACCOUNT = 'src/credits/account';
const PAYOUTS = 'src/finance/payouts/decide.ts';
const REVENUE = 'src/revenue/account-revenue.ts';
const SANITISE = 'src/generation/prompts/sanitise-prompt.ts';
const BLOCKED = 'src/generation/moderation/blocked-terms.ts';
const FOREIGN = 'src/generation/moderation/foreign-matcher.ts';
const FINDER = 'src/generation/moderation/term-finder.ts';
const RULES = 'src/generation/moderation/rule-moderator.ts';
const ONLY_A_KEY = 'The name only has to differ from the other one.';
const SAVES_TIME = 'The result is the same; the condition only saves time.';
const NO_CHANGE_WITHOUT_DEBT = 'Without debt the balance of purchases changes nothing: the sum only saves the work.';
const NO_EVENT_FOR_ZERO = 'A purchase without debt pays an amount of 0, which makes no event.';

/** @type {EquivalentMutant[]} */
export const EQUIVALENT = [
  {
    file: `${ACCOUNT}/debt.ts`,
    from: 'cents >= amountCents',
    to: 'cents > amountCents',
    reason: 'The formula has the same result there.',
  },
  { file: `${ACCOUNT}/debt.ts`, from: 'debt > 0', to: 'true', reason: NO_EVENT_FOR_ZERO },
  { file: `${ACCOUNT}/debt.ts`, from: 'debt > 0', to: 'debt >= 0', reason: NO_EVENT_FOR_ZERO },
  {
    file: `${ACCOUNT}/debt.ts`,
    from: '[...state.purchases].filter(([, { debt }]) => debt > 0)',
    to: '[...state.purchases]',
    reason: NO_EVENT_FOR_ZERO,
  },
  {
    file: `${ACCOUNT}/debt.ts`,
    from: 'b === lotId',
    to: 'false',
    reason: 'V8 compares each later item as `a`; all lists of up to 59 purchases sort the same.',
  },
  {
    file: `${ACCOUNT}/decide.ts`,
    from: `'due'`,
    to: '""',
    line: 'signUpBonus(state,',
    reason: 'Only `none` and `undecided` are compared.',
  },
  {
    file: `${ACCOUNT}/decide.ts`,
    from: '[]',
    to: '["Stryker was here"]',
    line: 'allocate(paid, amount)',
    reason: 'The lots hold the amount, since it is their sum.',
  },
  {
    file: `${ACCOUNT}/decide.ts`,
    from: 'restored.expiresAt !== null',
    to: 'true',
    reason: 'The time of null is not a number and never lapses.',
  },
  {
    file: `${ACCOUNT}/state.ts`,
    from: 'omittedEndedUpTo !== undefined',
    to: 'true',
    reason: 'No id is at most undefined.',
  },
  { file: `${ACCOUNT}/state.ts`, from: 'a !== null', to: 'true', reason: 'Null is not above a day.' },
  { file: `${ACCOUNT}/state.ts`, from: 'a > b', to: 'a >= b', reason: 'Equal days are the same day.' },
  {
    file: `${ACCOUNT}/upcast.ts`,
    from: 'schemaVersion > target',
    to: 'schemaVersion >= target',
    reason: 'The newest version was returned before.',
  },
  {
    file: `${ACCOUNT}/upcast.ts`,
    from: 'upcasters[type]?.[version]',
    to: 'upcasters[type][version]',
    reason: 'The type is among them.',
  },
  {
    file: `${ACCOUNT}/upcast.ts`,
    from: '(value as number) >= 1',
    to: 'true',
    reason: 'No upcaster begins at a lower version, so the event is refused as well.',
  },
  { file: PAYOUTS, from: 'state.heldUntil !== null', to: 'true', reason: 'The time of null is after no instant.' },
  {
    file: PAYOUTS,
    from: 'Date.parse(state.heldUntil) > hold.until.getTime()',
    to: 'Date.parse(state.heldUntil) >= hold.until.getTime()',
    reason: 'A hold with the same end writes no event.',
  },
  { file: PAYOUTS, from: 'state.failedAt !== null', to: 'true', reason: 'No details changed before 1970.' },
  { file: PAYOUTS, from: 'details.usableFrom !== null', to: 'true', reason: 'Null is after no instant.' },
  { file: REVENUE, from: 'this.debt -= data.amount', to: 'this.debt += data.amount', reason: NO_CHANGE_WITHOUT_DEBT },
  { file: REVENUE, from: 'this.debt > 0', to: 'true', reason: NO_CHANGE_WITHOUT_DEBT },
  { file: REVENUE, from: 'this.debt > 0', to: 'this.debt >= 0', reason: NO_CHANGE_WITHOUT_DEBT },
  { file: REVENUE, from: 'default: break;', to: 'default:', reason: 'The last case ends anyway.' },
  { file: REVENUE, from: '!lot || !burden', to: 'false', reason: 'Each purchase has a burden.' },
  { file: REVENUE, from: '!lot || !burden', to: '!lot && !burden', reason: 'Each purchase has a burden.' },
  ...[
    ['a.text < b.text', 'a.text <= b.text'],
    ['a.text > b.text', 'true'],
    ['a.text > b.text', 'false'],
    ['a.text > b.text', 'a.text >= b.text'],
    ['a.text > b.text', 'a.text <= b.text'],
  ].map(([from = '', to = '']) => ({
    file: 'src/finance/earnings/shares.ts',
    from,
    to,
    reason: 'V8 asks only whether the result is negative, and equal texts are interchangeable.',
  })),
  {
    file: 'src/finance/processor/transactions.ts',
    from: 'type === null',
    to: 'false',
    reason: 'The text of null has no prefix of another product.',
  },
  {
    file: 'src/finance/processor/transactions.ts',
    from: 'cents * side.sign',
    to: 'cents / side.sign',
    reason: 'The sign is 1 or -1.',
  },
  {
    file: 'src/finance/processor/transactions.ts',
    from: 'closedUntil !== null',
    to: 'true',
    reason: 'Nothing was made before 1970, the time of null.',
  },
  {
    file: 'src/finance/account-books.ts',
    from: 'default: break;',
    to: 'default:',
    reason: 'The last case ends anyway.',
  },
  {
    file: 'src/finance/account-books.ts',
    from: '!Number.isSafeInteger(product)',
    to: 'true',
    reason: 'Large integers give the same quotient; numbers are only faster.',
  },
  {
    file: 'src/generation/providers/replicate-image-provider.ts',
    from: "'starting'",
    to: '""',
    line: "  'starting',",
    reason: 'A status that is not in the set counts as starting.',
  },
  {
    file: 'src/finance/runs/payout-ids.ts',
    from: '/^F([0-9A-F]{32})$/.exec(reference.trim().toUpperCase())?.[1]?.toLowerCase',
    to: '/^F([0-9A-F]{32})$/.exec(reference.trim().toUpperCase())?.[1].toLowerCase',
    reason: 'A match always has its group.',
  },
  {
    file: 'src/credits/reads/get-credit-breakdown.ts',
    from: "state !== 'granted'",
    to: 'false',
    reason: 'The next lines read the same balance again: the condition only saves a read.',
  },
  {
    file: 'src/platform/http/loopback.ts',
    from: "''",
    to: '"Stryker was here!"',
    reason: 'Neither text is a host.',
  },
  {
    file: 'src/identity/providers/session-tokens.ts',
    from: "typeof sub !== 'string'",
    to: 'false',
    reason: "Clerk's SDK refuses a subject that is no string before.",
  },
  {
    file: 'web/src/features/identity/safe-redirect.ts',
    from: 'decoded === reading',
    to: 'false',
    reason: 'A further round decodes the same text.',
  },
  {
    file: 'web/src/features/identity/safe-redirect.ts',
    from: "''",
    to: '"Stryker was here!"',
    line: '.split(/[?#]/, 1)',
    reason: 'The list of parts always has a first one.',
  },
  {
    file: 'web/src/features/identity/safe-redirect.ts',
    from: '!URL.canParse(text, HERE)',
    to: 'false',
    reason: 'The checks before refuse every such text.',
  },
  {
    file: 'web/src/features/identity/safe-redirect.ts',
    from: 'url.origin !== HERE',
    to: 'false',
    reason: 'The checks before refuse every such text.',
  },
  {
    file: 'web/src/features/creators/search-text.ts',
    from: "[...clean].slice(0, MAX_LENGTH).join('').trim()",
    to: "[...clean].slice(0, MAX_LENGTH).join('')",
    reason: 'The function repeats until the text no longer changes.',
  },
  {
    file: 'src/finance/workers/payout-runner.ts',
    from: 'outcomes.length > 0',
    to: 'true',
    reason: 'A list without rows updates none: the condition only saves the statement.',
  },
  {
    file: 'src/identity/providers/clerk.ts',
    from: '!user.raw',
    to: 'false',
    reason: 'Reading its fields throws then.',
  },
  {
    file: 'src/platform/event-store/postgres-appender.ts',
    from: `''`,
    to: '"Stryker was here!"',
    line: 'TRANSIENT.test(',
    reason: 'Neither text is a code of five characters.',
  },
  {
    file: 'src/platform/projections/projection-runner.ts',
    from: `''`,
    to: '"Stryker was here!"',
    line: 'projection.follows?.name',
    reason: 'No projection has either name.',
  },
  {
    file: SANITISE,
    from: '{ comment: false, quoted: false, plain: false }',
    to: '{}',
    reason: 'A field that is missing reads as false.',
  },
  {
    file: SANITISE,
    from: "'comment'",
    to: '""',
    line: "search('comment'",
    reason: ONLY_A_KEY,
  },
  {
    file: SANITISE,
    from: "'plain'",
    to: '""',
    line: "search('plain'",
    reason: ONLY_A_KEY,
  },
  {
    file: SANITISE,
    from: 'open + 2',
    to: 'open - 2',
    reason: 'The text has `<!--` at `open`, so no `-->` begins before that.',
  },
  {
    file: SANITISE,
    from: 'at < text.length',
    to: 'at <= text.length',
    reason: '`charAt` returns an empty text there.',
  },
  {
    file: SANITISE,
    from: 'text.length - 1',
    to: 'text.length + 1',
    reason: '`charAt` returns an empty text there.',
  },
  {
    file: SANITISE,
    from: "'<'",
    to: '""',
    line: 'text.includes(',
    reason: SAVES_TIME,
  },
  {
    file: SANITISE,
    from: "!text.includes('<')",
    to: 'false',
    reason: SAVES_TIME,
  },
  {
    file: SANITISE,
    from: 'text.length <= maxLength',
    to: 'false',
    reason: SAVES_TIME,
  },
  {
    file: SANITISE,
    from: 'text.length <= maxLength',
    to: 'text.length < maxLength',
    reason: SAVES_TIME,
  },
  {
    file: SANITISE,
    from: '/\\p{Cs}$/u',
    to: '/\\p{Cs}/u',
    reason: 'Only the last character can be half a pair.',
  },
  {
    file: BLOCKED,
    from: 'terms.length === 0',
    to: 'false',
    reason: SAVES_TIME,
  },
  {
    file: BLOCKED,
    from: '/[^\\p{L}\\p{N}]+/gu',
    to: '/[^\\p{L}\\p{N}]/gu',
    reason: 'All of them are removed either way.',
  },
  {
    file: BLOCKED,
    from: 'kept.size > KEPT_LISTS',
    to: 'true',
    reason: SAVES_TIME,
  },
  {
    file: BLOCKED,
    from: 'kept.size > KEPT_LISTS',
    to: 'kept.size >= KEPT_LISTS',
    reason: SAVES_TIME,
  },
  {
    file: BLOCKED,
    from: 'kept.keys().next().value ?? key',
    to: 'kept.keys().next().value && key',
    reason: SAVES_TIME,
  },
  {
    file: FOREIGN,
    from: 'language.isJoined',
    to: 'true',
    reason: 'No list of another language has a term of one character.',
  },
  {
    file: FOREIGN,
    from: 'key.length - 1',
    to: 'key.length + 1',
    line: 'this.longestBeginning',
    reason: 'No term is that long, so nothing more is found.',
  },
  {
    file: FOREIGN,
    from: 'from < text.length',
    to: 'from <= text.length',
    reason: 'No term is an empty text.',
  },
  {
    file: FOREIGN,
    from: 'Math.min(this.longestBeginning, word.length)',
    to: 'Math.max(this.longestBeginning, word.length)',
    reason: 'A longer beginning is the whole word again, or longer than all terms.',
  },
  {
    file: FINDER,
    from: "' '",
    to: '""',
    line: 'const SEPARATOR',
    reason: 'The mark only has to differ from all letters.',
  },
  {
    file: RULES,
    from: '/[^\\p{L}\\p{N}@$!*]+/u',
    to: '/[^\\p{L}\\p{N}@$!*]/u',
    reason: 'Only empty words are added.',
  },
  {
    file: 'src/generation/moderation/prompt-hash.ts',
    from: '/[^\\p{L}\\p{N}]+/gu',
    to: '/[^\\p{L}\\p{N}]/gu',
    reason: 'All of them are removed either way.',
  },
  {
    file: FINDER,
    from: '-1',
    to: '+1',
    line: 'token.slice(0, -1)',
    reason: 'Only letters of one UTF-16 unit are repeated.',
  },
];
