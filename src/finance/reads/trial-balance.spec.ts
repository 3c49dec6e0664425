import { expect, it } from '@jest/globals';
import { ACCOUNT } from '../chart-of-accounts.js';
import { toSides } from './trial-balance.js';

it('puts each balance on its side, and adds up both without what is unknown', () => {
  const account = (number: number) => ({ account: number, name: `Account ${number}`, kind: 'asset' }) as never;
  const sides = toSides([
    { account: account(ACCOUNT.receipts), cents: 1_500, credits: null },
    { account: account(ACCOUNT.creatorPayable), cents: -1_200, credits: -40 },
    { account: account(ACCOUNT.creatorDebt), cents: -300, credits: null },
    { account: account(1100), cents: null, credits: null },
  ]);
  expect(sides).toMatchObject({ debit_cents: 1_500, credit_cents: 1_500 });
  expect(sides.accounts).toMatchObject([
    { debit_cents: 1_500, credit_cents: 0, credits: null },
    { debit_cents: 0, credit_cents: 1_200, credits: 40 },
    { debit_cents: 0, credit_cents: 300, credits: null },
    { debit_cents: null, credit_cents: null, credits: null },
  ]);
});
