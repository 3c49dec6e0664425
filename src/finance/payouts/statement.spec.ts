import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type FixedSum, type PeriodSums, StatementDiffersError, statementSums } from './statement.js';

const sum = fc.record({ count: fc.nat(1000), cents: fc.nat(1_000_000) });
const period = fc
  .record({ earnings: sum, corrections: sum, restorations: sum })
  .map(({ corrections, ...rest }): PeriodSums => ({
    ...rest,
    corrections: { ...corrections, cents: 0 - corrections.cents },
  }));

function changeOf({ earnings, corrections, restorations }: PeriodSums): number {
  return earnings.cents + corrections.cents + restorations.cents;
}

describe('the sums of a statement', () => {
  it('opens the first statement with nothing', () => {
    const part = { count: 1, cents: 5_000 };
    const sums = statementSums({ payableCents: 5_000, paidCents: 0 }, null, {
      earnings: part,
      corrections: { count: 0, cents: 0 },
      restorations: { count: 0, cents: 0 },
    });
    expect(sums).toEqual({ openingCents: 0, paidCents: 0, amountCents: 5_000 });
  });

  it('opens with the amount before, and adds up to its own amount, through any chain of statements', () => {
    const chain = fc.array(fc.tuple(period, fc.integer({ min: -10_000, max: 1_000_000 })), { maxLength: 12 });
    fc.assert(
      fc.property(chain, (steps) => {
        let previous: FixedSum | null = null;
        let opening = 0;
        for (const [change, paid] of steps) {
          const before: FixedSum = previous ?? { payableCents: 0, paidCents: -paid };
          const fixed: FixedSum = {
            payableCents: before.payableCents + changeOf(change),
            paidCents: before.paidCents + paid,
          };
          const sums = statementSums(fixed, previous, change);
          expect(sums.openingCents).toBe(opening);
          expect(sums.openingCents + changeOf(change) - sums.paidCents).toBe(sums.amountCents);
          expect(sums.amountCents).toBe(fixed.payableCents - fixed.paidCents);
          opening = sums.amountCents;
          previous = fixed;
        }
      }),
    );
  });

  it('refuses books with another sum than the payout', () => {
    fc.assert(
      fc.property(period, fc.integer({ min: 1, max: 1000 }), (change, difference) => {
        const fixed = { payableCents: changeOf(change) + difference, paidCents: 0 };
        expect(() => statementSums(fixed, null, change)).toThrow(StatementDiffersError);
      }),
    );
  });
});
