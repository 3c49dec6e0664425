import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { balancesAt, emptyAccount, evolve, remainingOf, type AccountState } from './state.js';
import { AdjustmentRefusedError, InsufficientCreditsError, PurchaseRefusedError } from './errors.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from './decide-purchases.js';
import { creditsFor } from './debt.js';
import { adjustCredits, deductCredits, openAccount, refundDeduction, settleDeduction } from './decide.js';
import type { CreditEvent } from './events.js';

const NOW = new Date('2026-03-10T09:00:00Z');

/** An account that commands are sent to; answers with the events of each. */
class Account {
  readonly state: AccountState = emptyAccount();

  buy(
    sessionId: string,
    { credits = 100, cents = 1000, bundle = 'basic', paymentIntent = 'pi_1' } = {},
  ): CreditEvent[] {
    const command = { sessionId, bundleId: bundle, credits, amountCents: cents, paymentIntentId: paymentIntent };
    return this.apply(purchaseCredits(command, this.state, NOW));
  }
  reverse(sessionId: string, reversalId: string, cents: number, cause: 'refund' | 'dispute' = 'refund'): CreditEvent[] {
    const command = { sessionId, reversalId, cause, amountCents: cents };
    return this.apply(reversePurchase(command, this.state, NOW));
  }
  reinstate(sessionId: string, reversalId: string): CreditEvent[] {
    return this.apply(reinstatePurchase({ sessionId, reversalId }, this.state, NOW));
  }
  adjust(adjustmentId: string, amount: number, reason = 'Granted by mistake'): CreditEvent[] {
    return this.apply(adjustCredits({ adjustmentId, amount, reason }, this.state, NOW));
  }
  deduct(id: string, amount: number): CreditEvent[] {
    return this.apply(deductCredits({ deductionId: id, amount, creatorId: 'creator_1' }, this.state, NOW));
  }
  refund(id: string): CreditEvent[] {
    return this.apply(refundDeduction({ deductionId: id, reason: 'generation_failed' }, this.state, NOW));
  }
  /** Spends the sign-up bonus, so that what follows is paid. */
  spendBonus(): this {
    this.deduct('bonus', 30);
    return this;
  }
  spend(id: string, amount: number): void {
    this.deduct(id, amount);
    this.apply(settleDeduction({ deductionId: id }, this.state, NOW));
  }
  get total(): number {
    return balancesAt(this.state, NOW.getTime()).total;
  }
  debtOf(sessionId: string): number | undefined {
    return this.state.purchases.get(sessionId)?.debt;
  }

  private apply(events: CreditEvent[]): CreditEvent[] {
    for (const event of events) evolve(this.state, event, NOW);
    return events;
  }
}

const repaid = (lotId: string, owedForLotId: string, amount: number): CreditEvent => ({
  type: 'DebtRepaid',
  data: { schemaVersion: 1, lotId, owedForLotId, amount },
});

describe('buying credits', () => {
  it('opens a lot of its own with the price of a credit and the ids of the processor', () => {
    const account = new Account();
    expect(account.buy('cs_1', { credits: 250, cents: 2500, bundle: 'popular' })).toEqual([
      {
        type: 'CreditsPurchased',
        data: {
          schemaVersion: 1,
          lotId: 'cs_1',
          bundleId: 'popular',
          paymentIntentId: 'pi_1',
          amount: 250,
          amountCents: 2500,
          unitPriceCents: 10,
        },
      },
    ]);
    expect(balancesAt(account.state, NOW.getTime())).toEqual({ daily: 0, bonus: 0, paid: 250, total: 250 });
  });

  it('[F9.10] never expires: a hundred years later every credit is there, and nothing has lapsed', () => {
    const account = new Account();
    account.buy('cs_1', { credits: 250, cents: 2500, bundle: 'popular' });
    const later = new Date('2126-03-10T09:00:00Z');
    expect(balancesAt(account.state, later.getTime())).toEqual({ daily: 0, bonus: 0, paid: 250, total: 250 });
    // The account opens with the sign-up bonus of 30, which is spent first and stays as well.
    const deduction = { deductionId: v7({ msecs: later.getTime() }), amount: 280, creatorId: 'creator_1' };
    const events = deductCredits(deduction, account.state, later);
    expect(events.map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsDeducted']);
    expect(events.at(-1)).toMatchObject({
      data: {
        allocations: [
          { lotId: 'signup', amount: 30 },
          { lotId: 'cs_1', amount: 250 },
        ],
      },
    });
  });

  it('rounds the price of a credit down, and keeps the cents that were paid', () => {
    const [event] = new Account().buy('cs_1', { credits: 7, cents: 100 });
    expect(event?.data).toMatchObject({ amount: 7, amountCents: 100, unitPriceCents: 14 });
  });

  it('changes nothing the second time, also after it was reversed', () => {
    const account = new Account();
    account.buy('cs_1');
    expect(account.buy('cs_1')).toEqual([]);
    account.reverse('cs_1', 're_1', 1000);
    expect(account.buy('cs_1')).toEqual([]);
    expect(account.total).toBe(0);
  });

  it.each([
    ['credits', { credits: 101 }],
    ['money', { cents: 999 }],
    ['bundle', { bundle: 'popular' }],
    ['payment', { paymentIntent: 'pi_2' }],
  ])('is refused when the session comes again with other %s', (_, other) => {
    const account = new Account();
    account.buy('cs_1');
    expect(() => account.buy('cs_1', other)).toThrow(PurchaseRefusedError);
  });

  it.each(['', 'signup', 'daily:2026-03-10', 'grant:g1'])('is refused for a session named %p, a lot of ours', (id) => {
    expect(() => new Account().buy(id)).toThrow(PurchaseRefusedError);
  });

  it.each([
    { credits: 0 },
    { credits: -1 },
    { credits: 1.5 },
    { credits: 2_000_000_000 },
    { cents: -1 },
    { cents: 0.5 },
    { cents: Number.NaN },
  ])('is refused for %p', (amounts) => {
    expect(() => new Account().buy('cs_1', amounts)).toThrow(PurchaseRefusedError);
  });

  it('is spent after given credits, the oldest purchase first', () => {
    const account = new Account();
    account.buy('cs_1', { credits: 5 });
    account.buy('cs_2');
    const deducted = account.deduct('g1', 40).at(-1);
    expect(deducted).toMatchObject({
      data: {
        allocations: [
          { lotId: 'signup', amount: 30 },
          { lotId: 'cs_1', kind: 'paid', amount: 5, unitPriceCents: 200 },
          { lotId: 'cs_2', kind: 'paid', amount: 5, unitPriceCents: 10 },
        ],
      },
    });
  });
});

describe('money that went back', () => {
  it('takes the credits out of what is left of the purchase', () => {
    const account = new Account();
    account.buy('cs_1');
    expect(account.reverse('cs_1', 're_1', 400)).toEqual([
      {
        type: 'PurchaseReversed',
        data: {
          schemaVersion: 1,
          lotId: 'cs_1',
          reversalId: 're_1',
          cause: 'refund',
          amountCents: 400,
          revoked: 40,
          debt: 0,
        },
      },
    ]);
    expect(account.total).toBe(60);
  });

  it('leaves as debt what had been spent, and touches no other credits', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 60);
    account.buy('cs_2');
    expect(account.reverse('cs_1', 'dp_1', 1000, 'dispute').at(0)?.data).toMatchObject({ revoked: 40, debt: 60 });
    expect(account.total).toBe(100);
    expect(account.debtOf('cs_1')).toBe(60);
  });

  it('rounds down over all reversals together, so that the last cent takes the last credit', () => {
    const account = new Account();
    account.buy('cs_1', { credits: 3, cents: 100 });
    const taken = [33, 1, 32, 33, 1].map((cents, n) => account.reverse('cs_1', `re_${n}`, cents)[0]?.data);
    expect(taken.map((data) => (data as { revoked: number }).revoked)).toEqual([0, 1, 0, 1, 1]);
    expect(account.total).toBe(0);
  });

  it('takes no more than was bought, however much the processor says went back', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 're_1', 900);
    expect(account.reverse('cs_1', 'dp_1', 5000, 'dispute').at(0)?.data).toMatchObject({ revoked: 10, debt: 0 });
    expect(account.reverse('cs_1', 'dp_2', 5000, 'dispute').at(0)?.data).toMatchObject({ revoked: 0, debt: 0 });
  });

  it('takes all of a purchase that had cost nothing', () => {
    const account = new Account();
    account.buy('cs_1', { cents: 0 });
    account.reverse('cs_1', 're_1', 1);
    expect(account.total).toBe(0);
  });

  it('is exact where a product of credits and cents is beyond 2^53', () => {
    expect(creditsFor({ credits: 999_999_999, amountCents: 999_999_998 }, 999_999_997)).toBe(999_999_997);
    expect(creditsFor({ credits: 900_000_001, amountCents: 1_000_000_000 }, 999_999_999)).toBe(900_000_000);
  });

  it('changes nothing the second time, also after it was undone', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 're_1', 400);
    expect(account.reverse('cs_1', 're_1', 400)).toEqual([]);
    account.reinstate('cs_1', 're_1');
    expect(account.reverse('cs_1', 're_1', 400)).toEqual([]);
    expect(account.total).toBe(100);
  });

  it('is refused for an unknown purchase, an impossible amount, and an id that was used with other content', () => {
    const account = new Account();
    account.buy('cs_1');
    account.buy('cs_2');
    account.reverse('cs_1', 're_1', 400);
    expect(() => account.reverse('cs_9', 're_2', 400)).toThrow('is not known');
    for (const cents of [0, -5, 1.5])
      expect(() => account.reverse('cs_1', 're_2', cents)).toThrow(PurchaseRefusedError);
    expect(() => account.reverse('cs_1', 're_1', 401)).toThrow('other content');
    expect(() => account.reverse('cs_1', 're_1', 400, 'dispute')).toThrow('other content');
    expect(() => account.reverse('cs_2', 're_1', 400)).toThrow('other content');
  });
});

describe('what is owed', () => {
  /** 60 of 100 credits of `cs_1` were spent, and all of its money went back. */
  function owing(): Account {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 60);
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    return account;
  }

  it('is paid first by the next purchase, whose rest is in the balance', () => {
    const account = owing();
    expect(account.buy('cs_2').slice(1)).toEqual([repaid('cs_2', 'cs_1', 60)]);
    expect(account.total).toBe(40);
    expect(account.debtOf('cs_1')).toBe(0);
    expect(account.state.purchases.get('cs_2')?.debtRepaid).toBe(60);
    expect(account.buy('cs_2')).toEqual([]);
  });

  it('takes all of a purchase that does not reach, and goes on with the next', () => {
    const account = owing();
    account.buy('cs_2', { credits: 50 });
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 10]);
    account.buy('cs_3', { credits: 50 });
    expect([account.total, account.debtOf('cs_1')]).toEqual([40, 0]);
  });

  it('is not paid by credits that were given', () => {
    const account = owing();
    account.refund('bonus');
    expect([account.total, account.debtOf('cs_1')]).toEqual([30, 60]);
  });

  it('is paid for the purchases in the order in which they were made', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 100);
    account.buy('cs_2');
    account.spend('g2', 100);
    account.reverse('cs_2', 're_2', 300);
    account.reverse('cs_1', 're_1', 200);
    expect(account.buy('cs_3').slice(1)).toEqual([repaid('cs_3', 'cs_1', 20), repaid('cs_3', 'cs_2', 30)]);
    expect(account.total).toBe(50);
  });

  it('is paid by a refund into the reversed purchase, which revives nothing', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.deduct('g1', 25);
    account.reverse('cs_1', 're_1', 1000);
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 25]);
    expect(account.refund('g1').map(({ type }) => type)).toEqual(['CreditsRefunded', 'DebtRepaid']);
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 0]);
    expect(account.refund('g1')).toEqual([]);
  });

  it('lets a refund through once it is paid: the fan had paid for it again', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.deduct('g1', 25);
    account.reverse('cs_1', 're_1', 1000);
    account.buy('cs_2');
    expect(account.total).toBe(75);
    expect(account.refund('g1').map(({ type }) => type)).toEqual(['CreditsRefunded']);
    expect(account.total).toBe(100);
  });

  it('is left alone by a refund into a purchase whose money is here', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 100);
    account.buy('cs_2');
    account.deduct('g2', 10);
    account.reverse('cs_1', 're_1', 1000);
    account.refund('g2');
    expect([account.total, account.debtOf('cs_1')]).toEqual([100, 100]);
  });
});

describe('a reversal that was undone', () => {
  it('gives back what it took', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    expect(account.reinstate('cs_1', 'dp_1')).toEqual([
      { type: 'PurchaseReinstated', data: { schemaVersion: 1, lotId: 'cs_1', reversalId: 'dp_1', amount: 100 } },
    ]);
    expect(account.total).toBe(100);
    expect(account.reinstate('cs_1', 'dp_1')).toEqual([]);
  });

  it('pays what is owed first: for itself, then for others', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 100);
    account.buy('cs_2');
    account.spend('g2', 60);
    account.reverse('cs_1', 're_1', 500);
    account.reverse('cs_2', 'dp_2', 1000, 'dispute');
    expect([account.debtOf('cs_1'), account.debtOf('cs_2')]).toEqual([50, 60]);
    expect(account.reinstate('cs_2', 'dp_2').slice(1)).toEqual([
      repaid('cs_2', 'cs_2', 60),
      repaid('cs_2', 'cs_1', 40),
    ]);
    expect([account.total, account.debtOf('cs_1'), account.debtOf('cs_2')]).toEqual([0, 10, 0]);
  });

  it('goes to the lot when the debt was paid meanwhile', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 60);
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    account.buy('cs_2');
    account.reinstate('cs_1', 'dp_1');
    expect(account.total).toBe(140);
    expect(remainingOf(account.state, 'cs_1')).toBe(100);
  });

  it('gives nothing back that another reversal of the same money takes', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    account.reverse('cs_1', 're_1', 1000);
    expect(account.reinstate('cs_1', 'dp_1')[0]?.data).toMatchObject({ amount: 0 });
    expect(account.total).toBe(0);
    account.reinstate('cs_1', 're_1');
    expect(account.total).toBe(100);
  });

  it('is refused for a purchase or reversal that is not known, or does not belong together', () => {
    const account = new Account();
    account.buy('cs_1');
    account.buy('cs_2');
    account.reverse('cs_1', 're_1', 400);
    expect(() => account.reinstate('cs_9', 're_1')).toThrow('is not known');
    expect(() => account.reinstate('cs_1', 're_9')).toThrow('has no reversal re_9');
    expect(() => account.reinstate('cs_2', 're_1')).toThrow('has no reversal re_1');
  });
});

describe('a correction downwards', () => {
  it('takes credits in spending order and says why', () => {
    const account = new Account();
    openAccount(account.state, NOW).forEach((event) => evolve(account.state, event, NOW));
    account.buy('cs_1');
    expect(account.adjust('a1', 40)).toEqual([
      {
        type: 'CreditsAdjusted',
        data: {
          schemaVersion: 1,
          adjustmentId: 'a1',
          amount: 40,
          reason: 'Granted by mistake',
          allocations: [
            { lotId: 'signup', kind: 'bonus', amount: 30, unitPriceCents: 0, expiresAt: null },
            { lotId: 'cs_1', kind: 'paid', amount: 10, unitPriceCents: 10, expiresAt: null },
          ],
        },
      },
    ]);
    expect(account.total).toBe(90);
  });

  it('is made once, and refused when its id comes with other content', () => {
    const account = new Account();
    account.buy('cs_1');
    account.adjust('a1', 10);
    expect(account.adjust('a1', 10)).toEqual([]);
    expect(() => account.adjust('a1', 11)).toThrow(AdjustmentRefusedError);
    expect(() => account.adjust('a1', 10, 'Another reason')).toThrow(AdjustmentRefusedError);
  });

  it('is refused for more than there is, and for what is no number of credits', () => {
    const account = new Account();
    account.buy('cs_1');
    expect(() => account.adjust('a1', 101)).toThrow(InsufficientCreditsError);
    for (const amount of [0, -1, 0.5]) expect(() => account.adjust('a1', amount)).toThrow(AdjustmentRefusedError);
    expect(account.total).toBe(100);
  });
});
