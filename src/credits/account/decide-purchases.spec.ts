import { describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { balancesAt, emptyAccount, evolve, remainingOf, type AccountState } from './state.js';
import { AdjustmentRefusedError, InsufficientCreditsError, PurchaseRefusedError } from './errors.js';
import { purchaseCredits, reinstatePurchase, reversePurchase } from './decide-purchases.js';
import { creditsFor } from './debt.js';
import {
  adjustCredits,
  deductCredits,
  openAccount,
  refundDeduction,
  settleDeduction,
  waivePaidCredits,
} from './decide.js';
import type { CreditEvent } from './events.js';
import { paidSession } from '../../../test/support/paid-session.js';

const NOW = new Date('2026-03-10T09:00:00Z');

/** An account. Each method applies a command and returns its events. */
class Account {
  readonly state: AccountState = emptyAccount();

  buy(
    sessionId: string,
    { credits = 100, cents = 1000, bundle = 'basic', paymentIntent = 'pi_1' } = {},
  ): CreditEvent[] {
    const fields = { sessionId, bundleId: bundle, credits, amountCents: cents, paymentIntentId: paymentIntent };
    return this.apply(purchaseCredits(paidSession(fields), this.state, NOW));
  }
  reverse(sessionId: string, reversalId: string, cents: number, cause: 'refund' | 'dispute' = 'refund'): CreditEvent[] {
    const command = { sessionId, reversalId, cause, amountCents: cents };
    return this.apply(reversePurchase(command, this.state, NOW));
  }
  reinstate(sessionId: string, reversalId: string): CreditEvent[] {
    return this.apply(reinstatePurchase({ sessionId, reversalId }, this.state, NOW));
  }
  waive(): CreditEvent[] {
    return this.apply(waivePaidCredits({ waiverId: 'closure_1' }, this.state, NOW));
  }
  adjust(adjustmentId: string, amount: number, reason = 'Granted by mistake'): CreditEvent[] {
    return this.apply(adjustCredits({ adjustmentId, amount, reason }, this.state, NOW));
  }
  deduct(id: string, amount: number): CreditEvent[] {
    return this.apply(
      deductCredits({ deductionId: id, amount, creatorId: 'creator_1', ownGeneration: false }, this.state, NOW, 'due'),
    );
  }
  refund(id: string): CreditEvent[] {
    return this.apply(refundDeduction({ deductionId: id, reason: 'generation_failed' }, this.state, NOW));
  }
  /** Spends the sign-up bonus, so that later deductions take paid credits. */
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

describe('purchaseCredits', () => {
  it('opens a new lot with the unit price and the ids of the processor', () => {
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

  it('[F9.10] grants credits that never expire: all are left after a hundred years', () => {
    const account = new Account();
    account.buy('cs_1', { credits: 250, cents: 2500, bundle: 'popular' });
    const later = new Date('2126-03-10T09:00:00Z');
    expect(balancesAt(account.state, later.getTime())).toEqual({ daily: 0, bonus: 0, paid: 250, total: 250 });
    // The account opens with the sign-up bonus of 30, which is spent first.
    const deduction = {
      deductionId: v7({ msecs: later.getTime() }),
      amount: 280,
      creatorId: 'creator_1',
      ownGeneration: false,
    };
    const events = deductCredits(deduction, account.state, later, 'due');
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

  it('rounds the unit price down and keeps the cents that were paid', () => {
    const [event] = new Account().buy('cs_1', { credits: 7, cents: 100 });
    expect(event?.data).toMatchObject({ amount: 7, amountCents: 100, unitPriceCents: 14 });
  });

  it('returns no events for a repeat, also after a reversal', () => {
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
  ])('refuses the same session with other %s', (_, other) => {
    const account = new Account();
    account.buy('cs_1');
    expect(() => account.buy('cs_1', other)).toThrow('Purchase cs_1 was recorded with other content.');
  });

  it.each(['', 'signup', 'daily:2026-03-10', 'grant:g1'])(
    'refuses a session id of %p, which belongs to grants',
    (id) => {
      expect(() => new Account().buy(id)).toThrow(`Purchase ${id} has no valid session id.`);
    },
  );

  it.each([
    [{ credits: 0 }, 'credits: 0'],
    [{ credits: -1 }, 'credits: -1'],
    [{ credits: 1.5 }, 'credits: 1.5'],
    [{ credits: 2_000_000_000 }, 'credits: 2000000000'],
    [{ cents: -1 }, 'cents: -1'],
    [{ cents: 0.5 }, 'cents: 0.5'],
    [{ cents: Number.NaN }, 'cents: NaN'],
  ])('refuses %p and names the number', (amounts, number) => {
    const refusal = new PurchaseRefusedError('cs_1', `Purchase cs_1 has an impossible number of ${number}.`);
    expect(() => new Account().buy('cs_1', amounts)).toThrow(refusal);
  });

  it('grants credits that are spent after free ones, the oldest purchase first', () => {
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

describe('reversePurchase', () => {
  it('revokes the credits from what is left of the purchase', () => {
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

  it('turns spent credits into debt and leaves other credits alone', () => {
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

  it('takes at most the credits bought when the processor reports a larger amount', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 're_1', 900);
    expect(account.reverse('cs_1', 'dp_1', 5000, 'dispute').at(0)?.data).toMatchObject({ revoked: 10, debt: 0 });
    expect(account.reverse('cs_1', 'dp_2', 5000, 'dispute').at(0)?.data).toMatchObject({ revoked: 0, debt: 0 });
  });

  it('takes all credits of a purchase that cost nothing', () => {
    const account = new Account();
    account.buy('cs_1', { cents: 0 });
    account.reverse('cs_1', 're_1', 1);
    expect(account.total).toBe(0);
  });

  it('computes exactly when credits times cents exceed 2^53', () => {
    expect(creditsFor({ credits: 999_999_999, amountCents: 999_999_998 }, 999_999_997)).toBe(999_999_997);
    expect(creditsFor({ credits: 900_000_001, amountCents: 1_000_000_000 }, 999_999_999)).toBe(900_000_000);
  });

  it('returns no events for a repeat, also after the reinstatement', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 're_1', 400);
    expect(account.reverse('cs_1', 're_1', 400)).toEqual([]);
    account.reinstate('cs_1', 're_1');
    expect(account.reverse('cs_1', 're_1', 400)).toEqual([]);
    expect(account.total).toBe(100);
  });

  it('refuses an unknown purchase, an impossible amount and a reversal id with other content', () => {
    const account = new Account();
    account.buy('cs_1');
    account.buy('cs_2');
    account.reverse('cs_1', 're_1', 400);
    expect(() => account.reverse('cs_9', 're_2', 400)).toThrow('is not known');
    for (const cents of [0, -5, 1.5])
      expect(() => account.reverse('cs_1', 're_2', cents)).toThrow(`is reversed by ${cents} cents`);
    expect(() => account.reverse('cs_1', 're_1', 401)).toThrow('other content');
    expect(() => account.reverse('cs_1', 're_1', 400, 'dispute')).toThrow('other content');
    expect(() => account.reverse('cs_2', 're_1', 400)).toThrow('other content');
  });
});

describe('debt', () => {
  /** 60 of the 100 credits of `cs_1` were spent, then all its money was returned. */
  function owing(): Account {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 60);
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    return account;
  }

  it('takes credits of the next purchase first and leaves the rest in the balance', () => {
    const account = owing();
    expect(account.buy('cs_2').slice(1)).toEqual([repaid('cs_2', 'cs_1', 60)]);
    expect(account.total).toBe(40);
    expect(account.debtOf('cs_1')).toBe(0);
    expect(account.state.purchases.get('cs_2')?.debtRepaid).toBe(60);
    expect(account.buy('cs_2')).toEqual([]);
  });

  it('takes all credits of a small purchase and continues with the next one', () => {
    const account = owing();
    account.buy('cs_2', { credits: 50 });
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 10]);
    account.buy('cs_3', { credits: 50 });
    expect([account.total, account.debtOf('cs_1')]).toEqual([40, 0]);
  });

  it('takes no free credits', () => {
    const account = owing();
    account.refund('bonus');
    expect([account.total, account.debtOf('cs_1')]).toEqual([30, 60]);
  });

  it('takes credits in the order of the purchases', () => {
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

  it('takes the credits of a refund into the reversed purchase', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.deduct('g1', 25);
    account.reverse('cs_1', 're_1', 1000);
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 25]);
    expect(account.refund('g1').map(({ type }) => type)).toEqual(['CreditsRefunded', 'DebtRepaid']);
    expect([account.total, account.debtOf('cs_1')]).toEqual([0, 0]);
    expect(account.refund('g1')).toEqual([]);
  });

  it('leaves a refund alone after the debt was paid', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.deduct('g1', 25);
    account.reverse('cs_1', 're_1', 1000);
    account.buy('cs_2');
    expect(account.total).toBe(75);
    expect(account.refund('g1').map(({ type }) => type)).toEqual(['CreditsRefunded']);
    expect(account.total).toBe(100);
  });

  it('leaves a refund into a purchase without a reversal alone', () => {
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

describe('reinstatePurchase', () => {
  it('gives back what the reversal took', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    expect(account.reinstate('cs_1', 'dp_1')).toEqual([
      { type: 'PurchaseReinstated', data: { schemaVersion: 1, lotId: 'cs_1', reversalId: 'dp_1', amount: 100 } },
    ]);
    expect(account.total).toBe(100);
    expect(account.reinstate('cs_1', 'dp_1')).toEqual([]);
  });

  it('pays debt first: of the same purchase, then of others', () => {
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

  it('adds the credits to the lot when the debt was paid meanwhile', () => {
    const account = new Account().spendBonus();
    account.buy('cs_1');
    account.spend('g1', 60);
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    account.buy('cs_2');
    account.reinstate('cs_1', 'dp_1');
    expect(account.total).toBe(140);
    expect(remainingOf(account.state, 'cs_1')).toBe(100);
  });

  it('keeps the credits that another reversal of the same money takes', () => {
    const account = new Account();
    account.buy('cs_1');
    account.reverse('cs_1', 'dp_1', 1000, 'dispute');
    account.reverse('cs_1', 're_1', 1000);
    expect(account.reinstate('cs_1', 'dp_1')[0]?.data).toMatchObject({ amount: 0 });
    expect(account.total).toBe(0);
    account.reinstate('cs_1', 're_1');
    expect(account.total).toBe(100);
  });

  it('refuses an unknown purchase, an unknown reversal and a reversal of another purchase', () => {
    const account = new Account();
    account.buy('cs_1');
    account.buy('cs_2');
    account.reverse('cs_1', 're_1', 400);
    expect(() => account.reinstate('cs_9', 're_1')).toThrow('is not known');
    expect(() => account.reinstate('cs_1', 're_9')).toThrow('has no reversal re_9');
    expect(() => account.reinstate('cs_2', 're_1')).toThrow('has no reversal re_1');
  });
});

describe('adjustCredits', () => {
  it('takes credits in spending order and stores the reason', () => {
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

  it('returns no events for a repeat and refuses the same id with other content', () => {
    const account = new Account();
    account.buy('cs_1');
    account.adjust('a1', 10);
    expect(account.adjust('a1', 10)).toEqual([]);
    const refusal = new AdjustmentRefusedError('a1', 'Adjustment a1 was made with another amount or reason.');
    expect(() => account.adjust('a1', 11)).toThrow(refusal);
    expect(() => account.adjust('a1', 10, 'Another reason')).toThrow(refusal);
  });

  it('refuses more credits than the account holds, and an impossible amount', () => {
    const account = new Account();
    account.buy('cs_1');
    expect(() => account.adjust('a1', 101)).toThrow(InsufficientCreditsError);
    for (const amount of [0, -1, 0.5]) {
      const refusal = new AdjustmentRefusedError('a1', `${amount} is not a number of credits.`);
      expect(() => account.adjust('a1', amount)).toThrow(refusal);
    }
    expect(account.total).toBe(100);
  });
});

describe('waivePaidCredits', () => {
  it('takes all unspent paid credits and leaves free ones', () => {
    const account = new Account();
    openAccount(account.state, NOW).forEach((event) => evolve(account.state, event, NOW));
    account.buy('cs_1');
    account.buy('cs_2');
    const part = (lotId: string) => ({ lotId, kind: 'paid', amount: 100, unitPriceCents: 10, expiresAt: null });
    expect(account.waive()).toEqual([
      {
        type: 'CreditsWaived',
        data: {
          schemaVersion: 1,
          waiverId: 'closure_1',
          amount: 200,
          allocations: [part('cs_1'), part('cs_2')],
        },
      },
    ]);
    expect(account.total).toBe(30);
  });

  it('writes nothing when there is nothing left, and takes what arrives later', () => {
    const account = new Account();
    account.buy('cs_1');
    account.waive();
    expect(account.waive()).toEqual([]);
    account.buy('cs_2');
    expect(account.waive()).toMatchObject([{ data: { waiverId: 'closure_1', amount: 100 } }]);
  });

  it('lets a later dispute of a waived purchase post as debt', () => {
    const account = new Account();
    account.buy('cs_1');
    account.waive();
    expect(account.reverse('cs_1', 'dp_1', 1000)).toMatchObject([{ data: { revoked: 0, debt: 100 } }]);
  });
});
