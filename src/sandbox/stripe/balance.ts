import type Stripe from 'stripe';
import { newId } from './ids.js';
import { newBalanceTransaction, newPayout } from './objects.js';
import { invalid, noSuch } from './problem.js';
import { type Store } from './store.js';

const DAY_SECONDS = 24 * 60 * 60;
/** Days after which a payment is available. */
const SETTLEMENT_DAYS = 2;

/** Stripe's usual fees: of a payment 2.9 % and 30 cents, of a dispute 15 dollars. */
const SHARE_OF_PAYMENT = 0.029;
const FIXED_CENTS = 30;
const DISPUTE_CENTS = 1500;

/** The movements of money by their reporting category. A negative sign takes money from the balance. */
const MOVEMENTS = {
  charge: { type: 'charge', sign: 1 },
  refund: { type: 'refund', sign: -1 },
  refund_failure: { type: 'refund_failure', sign: 1 },
  dispute: { type: 'adjustment', sign: -1 },
  dispute_reversal: { type: 'adjustment', sign: 1 },
  payout: { type: 'payout', sign: -1 },
  payout_reversal: { type: 'payout_failure', sign: 1 },
} as const;

type Category = keyof typeof MOVEMENTS;

/** Cents. */
function feeOf(category: Category, amount: number): number {
  if (category === 'charge') return Math.round(amount * SHARE_OF_PAYMENT) + FIXED_CENTS;
  return category === 'dispute' ? DISPUTE_CENTS : 0;
}

/**
 * The merchant's balance: a transaction for each movement of money, and automatic payouts to the bank at midnight, UTC.
 * Methods that book must be called within a transaction of the store.
 */
export class BalanceLedger {
  constructor(
    private readonly store: Store,
    /** Milliseconds since the epoch. */
    private readonly now: () => number,
  ) {}

  /** Books the money that an object has moved, such as a refund. @param created seconds; by default now */
  book(
    category: Category,
    { id, amount, currency }: Pick<Stripe.Payout, 'id' | 'amount' | 'currency'>,
    created = Math.floor(this.now() / 1000),
  ): Stripe.BalanceTransaction {
    const { type, sign } = MOVEMENTS[category];
    const availableOn = category === 'charge' ? startOfDay(created) + SETTLEMENT_DAYS * DAY_SECONDS : created;
    const object = newBalanceTransaction({
      amount: sign * amount,
      available_on: availableOn,
      created,
      currency,
      fee: feeOf(category, amount),
      reporting_category: category,
      source: id,
      type,
    });
    const midnight = startOfDay(availableOn) + (availableOn % DAY_SECONDS === 0 ? 0 : DAY_SECONDS);
    const payOutAt = category === 'payout' ? null : midnight;
    this.store.put('balanceTransaction', { id: object.id, object, payOutAt });
    return object;
  }

  /** All transactions, latest first. */
  transactions(): Stripe.BalanceTransaction[] {
    const { now } = this;
    const status = (each: Stripe.BalanceTransaction): string =>
      each.available_on * 1000 <= now() ? 'available' : 'pending';
    const all = this.store.latest('balanceTransaction').map(({ object }) => ({ ...object, status: status(object) }));
    // A payout of an earlier midnight is made when the balance is read. The sort keeps the order of the same second.
    return all.sort((a, b) => b.created - a.created);
  }

  balance(): Stripe.Balance {
    this.payOutDue();
    const all = this.transactions();
    const sums = (status: string): { amount: number; currency: string }[] => {
      const found = new Map<string, number>([['usd', 0]]);
      for (const each of all)
        if (each.status === status) found.set(each.currency, (found.get(each.currency) ?? 0) + each.net);
      return [...found].map(([currency, amount]) => ({ amount, currency }));
    };
    return { object: 'balance', available: sums('available'), livemode: false, pending: sums('pending') };
  }

  /** Makes the payouts of all midnights that have passed. */
  payOutDue(): void {
    const waiting = this.store.latest('balanceTransaction').filter(({ payOutAt }) => payOutAt !== null);
    const currencies = new Set(waiting.map(({ object }) => object.currency));
    this.store.transact(() => {
      for (const currency of currencies) {
        const open = new Map(
          waiting.filter(({ object }) => object.currency === currency).map((row) => [row.id, row] as const),
        );
        const today = startOfDay(this.now() / 1000);
        for (let day = earliest(open.values()); day <= today; day = earliest(open.values(), day + DAY_SECONDS)) {
          const dueRows = [...open.values()].filter(({ payOutAt }) => payOutAt !== null && payOutAt <= day);
          const amount = dueRows.reduce((total, { object }) => total + object.net, 0);
          // An amount that is not positive waits for the next midnight with money.
          if (amount <= 0) continue;
          for (const row of dueRows) {
            this.store.put('balanceTransaction', { ...row, payOutAt: null });
            open.delete(row.id);
          }
          this.payOut(amount, currency, day);
        }
      }
    });
  }

  /** The bank returns a payout. @throws StripeProblem when it does not exist, or was returned before */
  failPayout(id: string): Stripe.Payout {
    const row = this.store.get('payout', id);
    if (!row) throw noSuch('payout', id);
    const { object } = row;
    if (object.status === 'failed') throw invalid('This payout has failed already.');
    const returned = this.book('payout_reversal', object);
    const failed: Stripe.Payout = {
      ...object,
      status: 'failed',
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed.',
      failure_balance_transaction: returned.id,
    };
    this.store.put('payout', { id, object: failed });
    return failed;
  }

  private payOut(amount: number, currency: string, created: number): void {
    const id = newId('po');
    const { id: transaction } = this.book('payout', { id, amount, currency }, created);
    const object = newPayout({ id, amount, balance_transaction: transaction, created, currency });
    this.store.put('payout', { id, object });
  }
}

/** The first midnight from `from` on (seconds) at which one of these can be paid out; Infinity when there is none. */
function earliest(rows: Iterable<{ readonly payOutAt: number | null }>, from = 0): number {
  let first = Infinity;
  for (const { payOutAt } of rows) if (payOutAt !== null && payOutAt >= from && payOutAt < first) first = payOutAt;
  return first;
}

function startOfDay(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
}
