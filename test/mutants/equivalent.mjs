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
];
