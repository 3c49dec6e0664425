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

interface Booking {
  readonly amount: number;
  readonly fee?: number;
  readonly type: Stripe.BalanceTransaction.Type;
  readonly category: string;
  readonly source: string;
  readonly currency: string;
  readonly created?: number;
  /** Days until it is available; 0: at once. */
  readonly settlesIn?: number;
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

  charged({ id, amount, currency }: Stripe.Charge): Stripe.BalanceTransaction {
    const fee = Math.round(amount * SHARE_OF_PAYMENT) + FIXED_CENTS;
    const booking = { source: id, amount, fee, currency, type: 'charge', category: 'charge' } as const;
    return this.book({ ...booking, settlesIn: SETTLEMENT_DAYS });
  }

  refunded({ id, amount, currency }: Stripe.Refund): Stripe.BalanceTransaction {
    return this.book({ source: id, amount: 0 - amount, currency, type: 'refund', category: 'refund' });
  }

  refundFailed({ id, amount, currency }: Stripe.Refund): Stripe.BalanceTransaction {
    return this.book({ source: id, amount, currency, type: 'refund_failure', category: 'refund_failure' });
  }

  disputeWithdrawn({ id, amount, currency }: Stripe.Dispute): Stripe.BalanceTransaction {
    const booking = { source: id, amount: 0 - amount, fee: DISPUTE_CENTS, currency } as const;
    return this.book({ ...booking, type: 'adjustment', category: 'dispute' });
  }

  disputeReinstated({ id, amount, currency }: Stripe.Dispute): Stripe.BalanceTransaction {
    return this.book({ source: id, amount, currency, type: 'adjustment', category: 'dispute_reversal' });
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
          const due = [...open.values()].filter(({ payOutAt }) => payOutAt !== null && payOutAt <= day);
          const amount = due.reduce((total, { object }) => total + object.net, 0);
          // An amount that is not positive waits for the next midnight with money.
          if (amount <= 0) continue;
          for (const row of due) {
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
    const { amount, currency } = object;
    const returned = this.book({
      source: id,
      amount,
      currency,
      type: 'payout_failure',
      category: 'payout_reversal',
    });
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
    const booking = { source: id, amount: 0 - amount, currency, created, type: 'payout', category: 'payout' } as const;
    const { id: transaction } = this.book(booking);
    this.store.put('payout', { id, object: newPayout({ id, amount, currency, created, transaction }) });
  }

  private book({ created = this.now() / 1000, settlesIn = 0, ...booking }: Booking): Stripe.BalanceTransaction {
    const at = Math.floor(created);
    const availableOn = settlesIn === 0 ? at : startOfDay(at) + settlesIn * DAY_SECONDS;
    const object = newBalanceTransaction({ ...booking, fee: booking.fee ?? 0, created: at, availableOn });
    const midnight = startOfDay(availableOn) + (availableOn % DAY_SECONDS === 0 ? 0 : DAY_SECONDS);
    this.store.put('balanceTransaction', {
      id: object.id,
      object,
      payOutAt: booking.type === 'payout' ? null : midnight,
    });
    return object;
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
