import { describe, expect, it } from '@jest/globals';
import type { StatementEntry } from '../../../../../src/contract/audit.js';
import { allocationsOf, chainOf } from './event-chain.js';

const line = (version: number | null, type: string, reference: string): StatementEntry => ({
  at: '2026-11-20T09:00:00.000Z',
  what: type,
  reference,
  amount: 0,
  balance: 0,
  version,
  hash: null,
  seal: null,
});
const LINES = [
  line(7, 'DeductionSettled', 'd1'),
  line(6, 'CreditsDeducted', 'd2'),
  line(5, 'CreditsDeducted', 'd1'),
  line(null, 'lapsed', 'daily:1'),
  line(4, 'PurchaseReversed', 'cs_1'),
  line(3, 'CreditsPurchased', 'cs_1'),
  line(2, 'CreditsGranted', 'daily:1'),
];
const lot = (lotId: string, amount: number) => ({ lotId, kind: 'paid', amount, unitPriceCents: 10 });
const versions = (data: object): unknown[] =>
  chainOf(data, LINES).map((link) => ('lotId' in link ? link.lotId : link.version));

describe('chainOf', () => {
  it('begins with the purchase of the credits and ends with the end of the deduction', () => {
    expect(versions({ deductionId: 'd1', allocations: [lot('cs_1', 10)] })).toEqual([3, 5, 7]);
  });

  it('begins with every lot, those of other pages by their ids', () => {
    const allocations = [lot('daily:1', 3), lot('signup', 2), lot('cs_1', 5)];
    expect(versions({ deductionId: 'd2', allocations })).toEqual(['signup', 2, 3, 6]);
  });

  it('has no links for an event without a deduction', () => {
    expect(versions({ lotId: 'cs_1' })).toEqual([]);
  });
});

describe('allocationsOf', () => {
  it('returns the lots of an event, and none for other content', () => {
    expect(allocationsOf({ allocations: [lot('cs_1', 5)] })).toEqual([lot('cs_1', 5)]);
    expect(allocationsOf({ restorations: [lot('cs_2', 1)] })).toEqual([lot('cs_2', 1)]);
    expect(allocationsOf({ allocations: 'x' })).toEqual([]);
    expect(allocationsOf({})).toEqual([]);
  });
});
