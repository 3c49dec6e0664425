import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { creatorMoney, type CreatorSums } from './creator-money.js';

const CENTS = fc.integer({ min: 0, max: 1_000_000 });

/** Sums as events make them: payouts take what became payable, and a correction can lower it later. */
const SUMS: fc.Arbitrary<CreatorSums> = fc
  .record({ dueShare: CENTS, pending: CENTS, underWay: CENTS, paid: CENTS })
  .map(({ dueShare, pending, underWay, paid }) => ({
    earned: dueShare + pending,
    dueShare,
    taken: underWay + paid,
    paid,
  }));

describe('creatorMoney', () => {
  it('divides all that was earned, and owes back only what payouts have taken too much', () => {
    fc.assert(
      fc.property(SUMS, (sums) => {
        const money = creatorMoney(sums);
        const { pending_cents: pending, payable_cents: payable, under_way_cents: underWay } = money;
        const { paid_cents: paid, debt_cents: debt } = money;
        expect(pending + payable + underWay + paid - debt).toBe(money.earned_cents);
        expect(Math.min(pending, payable, underWay, paid, debt)).toBeGreaterThanOrEqual(0);
        expect(Math.min(payable, debt)).toBe(0);
      }),
    );
  });

  it('adds up creators to what it states of all of them, with the sum of their debts', () => {
    fc.assert(
      fc.property(fc.array(SUMS, { minLength: 1, maxLength: 5 }), (creators) => {
        const each = creators.map((sums) => creatorMoney(sums));
        const sum = <Row>(rows: readonly Row[], field: keyof Row): number =>
          rows.reduce((total, row) => total + Number(row[field]), 0);
        const all = {
          earned: sum(creators, 'earned'),
          dueShare: sum(creators, 'dueShare'),
          taken: sum(creators, 'taken'),
          paid: sum(creators, 'paid'),
        };
        const debt = sum(each, 'debt_cents');
        expect(creatorMoney(all, debt)).toEqual({
          earned_cents: sum(each, 'earned_cents'),
          pending_cents: sum(each, 'pending_cents'),
          payable_cents: sum(each, 'payable_cents'),
          under_way_cents: sum(each, 'under_way_cents'),
          paid_cents: sum(each, 'paid_cents'),
          debt_cents: debt,
        });
      }),
    );
  });
});
