import { expect, it } from '@jest/globals';
import { payoutLines, stepAfter } from './payout-entries.js';

it.each([
  ['a draft', 'drafted', 'PayoutDrafted', []],
  ['a fixed payout', 'drafted', 'PayoutFixed', [2120, 2130]],
  ['a checked payout', 'fixed', 'PayoutChecked', []],
  ['a paid payout', 'checked', 'PayoutPaid', [2130, 2140]],
  ['a transfer that arrives after the bank refused it', 'failed', 'PayoutPaid', [2120, 2140]],
  ['a transfer that the bank refuses', 'checked', 'PayoutFailed', [2130, 2120]],
  ['a paid transfer that comes back', 'paid', 'PayoutFailed', [2140, 2120]],
  ['a cancelled draft', 'drafted', 'PayoutCancelled', []],
  ['a payout that is cancelled after it was fixed', 'fixed', 'PayoutCancelled', [2130, 2120]],
] as const)('posts %s', (_what, from, type, accounts) => {
  const lines = payoutLines(from, stepAfter(type), 8_000);
  expect(lines.map(({ account }) => account)).toStrictEqual([...accounts]);
  expect(lines.map(({ cents }) => cents)).toStrictEqual(accounts.length === 0 ? [] : [8_000, -8_000]);
});
