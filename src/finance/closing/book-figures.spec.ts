import { describe, expect, it } from '@jest/globals';
import { FIGURES } from '../../contract/formats.js';
import { CHART } from '../chart-of-accounts.js';
import { type AccountAt } from '../reads/trial-balance.js';
import { changesOf, figuresText } from './book-figures.js';

const at = (number: number, cents: number | null, credits: number | null = null): AccountAt => ({
  account: CHART.find(({ account }) => account === number)!,
  cents,
  credits,
});

describe('figuresText', () => {
  it('states each known account, and the parts of the creators’ share', () => {
    const creatorShare = { pending_cents: 60, payable_cents: 0, debt_cents: 10 };
    const accounts = [at(1010, 150), at(1040, null), at(2000, -100, -10), at(2100, -50)];
    const text = figuresText({ accounts, creatorShare });
    expect(text).toBe('1010:150:0;2000:-100:-10;2100:-50:0;1200:10:0;2110:-60:0;2120:0:0');
    expect(text).toMatch(FIGURES);
  });
});

describe('changesOf', () => {
  it('finds none in the same figures', () => {
    expect(changesOf('1010:150:0;2000:-150:-15', '2000:-150:-15;1010:150:0')).toEqual([]);
  });

  it('names each account whose cents, credits or knowledge changed, in the order of the accounts', () => {
    const changes = changesOf(
      '2110:-60:0;1010:150:0;2000:-150:-15;1040:5:0',
      '2110:-50:0;1010:150:0;2000:-150:-14;5300:0:0',
    );
    const none = { seen_credits: 0, found_credits: 0 };
    expect(changes).toEqual([
      { account: 1040, name: 'Processor cash: fees withheld', seen_cents: 5, found_cents: null, ...none },
      {
        account: 2000,
        name: 'Customer credits (deferred revenue)',
        seen_cents: -150,
        found_cents: -150,
        seen_credits: -15,
        found_credits: -14,
      },
      { account: 2110, name: 'Creator share: pending', seen_cents: -60, found_cents: -50, ...none },
      { account: 5300, name: 'Processor fees', seen_cents: null, found_cents: 0, ...none },
    ]);
  });
});
