import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { systemActor } from '../../platform/acts/actor.js';
import { priceOf, RefundPurchase, RefundPurchaseHandler } from './refund-purchase.js';

/** Converts returned money into credits as the ledger does: rounded down over the total. */
const creditsFor = (cents: number, credits: number, amountCents: number): number =>
  Math.floor((cents * credits) / amountCents);

describe('RefundPurchase', () => {
  it('refuses a request id that belongs to the refund of another session', async () => {
    const earlier = { id: 'request_1', session_id: 'cs_1', status: 'done', last_error: null };
    const refunds = { find: () => Promise.resolve({ checkout: { user_id: 'user_1' }, earlier }) };
    const dependencies = [{}, refunds, {}, {}, {}] as unknown as ConstructorParameters<typeof RefundPurchaseHandler>;
    const refund = (sessionId: string): Promise<unknown> => {
      const request = { sessionId, credits: 10, reason: 'Asked for it.', requestId: 'request_1' };
      return new RefundPurchaseHandler(...dependencies).execute(
        new RefundPurchase({ admin: systemActor('admin_1'), ...request }),
      );
    };
    await expect(refund('cs_1')).resolves.toBe(earlier);
    await expect(refund('cs_2')).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('priceOf', () => {
  it('returns the price that was paid for the credits', () => {
    const purchase = { credits: 250, amountCents: 2500, reversedCredits: 0, reversedCents: 0 };
    expect(priceOf(100, purchase)).toBe(1000);
    expect(priceOf(250, purchase)).toBe(2500);
  });

  it('makes the ledger take back exactly these credits, and never sends back more than was paid', () => {
    const purchases = fc.record({
      credits: fc.integer({ min: 1, max: 2_000 }),
      centsPerCredit: fc.double({ min: 1, max: 40, noNaN: true }),
      parts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(purchases, ({ credits, centsPerCredit, parts }) => {
        const amountCents = Math.ceil(credits * centsPerCredit);
        let purchase = { credits, amountCents, reversedCredits: 0, reversedCents: 0 };
        for (const part of parts) {
          const wanted = Math.max(1, Math.floor(part * (credits - purchase.reversedCredits)));
          if (purchase.reversedCredits + wanted > credits) return;
          const reversedCents = purchase.reversedCents + priceOf(wanted, purchase);
          expect(reversedCents).toBeLessThanOrEqual(amountCents);
          expect(creditsFor(reversedCents, credits, amountCents)).toBe(purchase.reversedCredits + wanted);
          purchase = { ...purchase, reversedCents, reversedCredits: purchase.reversedCredits + wanted };
        }
      }),
    );
  });
});
