import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountCommands, accountHistory } from '../../test/support/account-histories.js';
import { entriesOf, revenueOf } from '../../test/support/book-entries.js';
import { anyRules, NEW_RULES, OLD_RULES, START, WrittenHistory } from '../../test/support/written-history.js';
import { DAY_MS } from '../contract/durations.js';
import { type AccountState } from '../credits/account/state.js';
import { AccountRevenue } from '../revenue/index.js';
import { AccountBooks, isBooked, lotsOf } from './account-books.js';
import { ACCOUNT, CHART } from './chart-of-accounts.js';
import { type BookEntryTable } from './tables.js';

const NAMES = new Map(Object.entries(ACCOUNT).map(([name, number]) => [number, name]));

class History extends WrittenHistory {
  reverse(lotId: string, cents: number, revoked: number, debt: number, cause = 'dispute'): this {
    return this.add('PurchaseReversed', { lotId, reversalId: 'du_1', cause, amountCents: cents, revoked, debt });
  }
  lines(): BookEntryTable[] {
    return [...entriesOf('user_1', this.events, this.rules)];
  }
  /** The lines of the last event as short strings. */
  last(): string[] {
    return this.lines()
      .filter(({ version }) => version === this.events.length - 1)
      .map(({ account, cents, credits }) => `${NAMES.get(account)} ${cents}${credits === 0 ? '' : ` (${credits})`}`);
  }
}

/** The lines of the last event of each history, as in docs/books.md. */
describe('AccountBooks', () => {
  it('counts granted credits and values them at nothing', () => {
    const grant = { lotId: 'signup', kind: 'bonus', source: 'signup', amount: 30, expiresAt: null, reason: null };
    expect(new History().add('CreditsGranted', grant).last()).toEqual(['promotionalCredits 0 (-30)']);
  });

  it('posts a purchase as cash and as credits that are owed to the customer', () => {
    const history = new History().buy('cs_1', 100, 1099);
    expect(history.lines()).toEqual([
      expect.objectContaining({ user_id: 'user_1', version: 0, line: 0, account: 1010, cents: 1099, credits: 0 }),
      expect.objectContaining({ line: 1, account: 2000, cents: -1099, credits: -100, bought_month: '2026-03' }),
    ]);
  });

  it('posts nothing when credits are deducted or come back', () => {
    const deduction = { deductionId: 'g1', creatorId: 'ada', ownGeneration: false, amount: 10, allocations: [] };
    const history = new History().buy('cs_1', 100, 1000).add('CreditsDeducted', { ...deduction, schemaVersion: 2 });
    expect(history.last()).toEqual([]);
    history.add('CreditsRefunded', { deductionId: 'g1', creatorId: 'ada', reason: 'timeout', restorations: [] });
    expect(history.last()).toEqual([]);
    expect(history.add('DeductionVoided', { deductionId: 'g2', reason: 'timeout' }).last()).toEqual([]);
  });

  it('recognises revenue when the image is delivered, and counts its free credits', () => {
    const history = new History().buy('cs_1', 100, 1099).settle('g1', { cs_1: 10 }, { free: 4 });
    expect(history.last()).toEqual([
      'promotionalCredits 0 (4)',
      'customerCredits 109 (10)',
      'platformRevenue -55 (-10)',
      'creatorShare -54',
    ]);
    expect(history.lines().at(-1)).toMatchObject({
      lot_id: 'cs_1',
      deduction_id: 'g1',
      creator_id: 'ada',
      payable_at: new Date(START + 30 * DAY_MS),
    });
  });

  it('gives the creator nothing for an own generation', () => {
    const history = new History().buy('cs_1', 100, 1000).settle('g1', { cs_1: 10 }, { ownGeneration: true });
    expect(history.last()).toEqual(['customerCredits 100 (10)', 'platformRevenue -100 (-10)']);
  });

  it('posts the cents that the old rules give to no credit as the remainder of the price', () => {
    const history = new History(OLD_RULES).buy('cs_1', 100, 1099).settle('g1', { cs_1: 100 });
    expect(history.last()).toEqual([
      'customerCredits 1099 (100)',
      'platformRevenue -500 (-100)',
      'creatorShare -500',
      'priceRemainders -99',
    ]);
  });

  it('rounds the value of unspent credits up also when cents times credits are not a safe integer', () => {
    const history = new History().buy('cs_1', 10_000_001, 1_000_000_000).settle('g1', { cs_1: 1 });
    expect(history.last()).toEqual(['customerCredits 99 (1)', 'platformRevenue -50 (-1)', 'creatorShare -49']);
    const cheap = new History().buy('cs_1', 1_000_000_000, 999_999_937).settle('g1', { cs_1: 1 });
    expect(cheap.last()).toEqual(['customerCredits 0 (1)', 'platformRevenue 0 (-1)']);
  });

  it('posts lapsed credits by their count', () => {
    const lapse = { lotId: 'daily:2026-03-10', kind: 'daily', amount: 10, expiresAt: '2026-03-11T00:00:00.000Z' };
    expect(new History().add('CreditsExpired', lapse).last()).toEqual(['promotionalCredits 0 (10)']);
  });

  it('pays a refund of unspent credits from the customer credits', () => {
    const history = new History().buy('cs_1', 100, 1000).reverse('cs_1', 400, 40, 0, 'refund');
    expect(history.last()).toEqual(['refundsPaid -400', 'customerCredits 400 (40)']);
  });

  it('takes earnings back after a chargeback of spent credits, and the rest is a loss', () => {
    const history = new History(OLD_RULES).buy('cs_1', 100, 1000).settle('g1', { cs_1: 20 });
    history.later(31).settle('g2', { cs_1: 30 }).reverse('cs_1', 1000, 50, 50);
    expect(history.last()).toEqual([
      'disputesTaken -1000',
      'customerCredits 500 (50)',
      'platformRevenue 150 (30)',
      'creatorShare 150',
      'chargebackLosses 200',
    ]);
  });

  it('brings the money of a won dispute back, and repays the debt with it', () => {
    const history = new History(OLD_RULES).buy('cs_1', 100, 1000).settle('g1', { cs_1: 20 });
    history.later(31).settle('g2', { cs_1: 30 }).reverse('cs_1', 1000, 50, 50);
    history.add('PurchaseReinstated', { lotId: 'cs_1', reversalId: 'du_1', amount: 100 });
    expect(history.last()).toEqual(['disputesTaken 1000', 'customerCredits -1000 (-100)']);
    history.add('DebtRepaid', { lotId: 'cs_1', owedForLotId: 'cs_1', amount: 50 });
    expect(history.last()).toEqual([
      'customerCredits 500 (50)',
      'platformRevenue -150 (-30)',
      'creatorShare -150',
      'chargebackLosses -200',
    ]);
  });

  it('restores earnings when a later purchase repays the debt of a refund', () => {
    const history = new History().buy('cs_1', 10, 100).settle('g1', { cs_1: 10 }).reverse('cs_1', 100, 0, 10, 'refund');
    expect(history.last()).toEqual(['refundsPaid -100', 'platformRevenue 50 (10)', 'creatorShare 50']);
    history.buy('cs_2', 20, 220).add('DebtRepaid', { lotId: 'cs_2', owedForLotId: 'cs_1', amount: 10 });
    expect(history.last()).toEqual([
      'customerCredits 110 (10)',
      'platformRevenue -50 (-10)',
      'creatorShare -50',
      'refundLosses -10',
    ]);
  });

  it('takes an image back that is delivered after the chargeback of its credits', () => {
    const history = new History().buy('cs_1', 10, 100).reverse('cs_1', 100, 0, 10);
    expect(history.last()).toEqual(['disputesTaken -100', 'chargebackLosses 100']);
    expect(history.settle('g1', { cs_1: 10 }).last()).toEqual([
      'customerCredits 100 (10)',
      'platformRevenue -50 (-10)',
      'creatorShare -50',
      'platformRevenue 50 (10)',
      'creatorShare 50',
      'chargebackLosses -100',
    ]);
  });

  it('posts credits that an admin removes, or that their owner gives up, as forfeited', () => {
    const parts = [
      { lotId: 'signup', kind: 'bonus', amount: 6, unitPriceCents: 0, expiresAt: null },
      { lotId: 'cs_1', kind: 'paid', amount: 4, unitPriceCents: 10, expiresAt: null },
    ];
    const history = new History().buy('cs_1', 10, 100);
    history.add('CreditsAdjusted', { adjustmentId: 'a1', amount: 10, reason: 'Mistake', allocations: parts });
    const due = ['promotionalCredits 0 (6)', 'customerCredits 40 (4)', 'forfeitedCredits -40'];
    expect(history.last()).toEqual(due);
    history.add('CreditsWaived', { waiverId: 'w1', amount: 4, allocations: parts.slice(1) });
    expect(history.last()).toEqual(due.slice(1));
  });

  it('counts a reversal that it does not know as a refund of nothing', () => {
    const history = new History().buy('cs_1', 10, 100);
    history.add('PurchaseReinstated', { lotId: 'cs_1', reversalId: 'du_9', amount: 5 });
    expect(history.last()).toEqual(['customerCredits -50 (-5)', 'refundLosses 50']);
    history.add('DebtRepaid', { lotId: 'cs_1', owedForLotId: 'cs_2', amount: 3 });
    expect(history.last()).toEqual(['customerCredits 30 (3)', 'refundLosses -30']);
  });

  it('names the purchase, its month and the reversal in each line', () => {
    const history = new History().buy('cs_1', 3, 100).later(40).reverse('cs_1', 100, 3, 0);
    const about = history.lines().map((line) => [line.account, line.lot_id, line.bought_month, line.reversal_id]);
    expect(about).toEqual([
      [ACCOUNT.receipts, 'cs_1', null, null],
      [ACCOUNT.customerCredits, 'cs_1', '2026-03', null],
      [ACCOUNT.disputesTaken, 'cs_1', null, 'du_1'],
      [ACCOUNT.customerCredits, 'cs_1', '2026-03', null],
    ]);
  });

  it('values credits of a stored purchase without a price at nothing', () => {
    const books = new AccountBooks('user_1');
    const unknown = { user_id: 'user_1', lot_id: 'cs_1', credits: null, amount_cents: null, bought_month: null };
    books.restore({ ...unknown, unspent: 5, reversals: [] });
    const history = new History().add('CreditsExpired', { lotId: 'cs_1', kind: 'paid', amount: 5, expiresAt: '' });
    const [expired] = history.events;
    if (!expired) throw new Error('There is no event.');
    expect(books.add(expired, [])).toMatchObject([{ account: ACCOUNT.customerCredits, cents: 0, credits: 5 }]);
    expect([...books.purchases()]).toEqual([{ ...unknown, unspent: 0, reversals: [] }]);
  });

  it('names every account once, in the order of the numbers', () => {
    const numbers = CHART.map(({ account }) => account);
    expect(numbers).toEqual(Object.values(ACCOUNT).sort((a, b) => a - b));
  });
});

/** Adds up lines, a few at a time. */
class Ledger {
  private readonly sums = new Map<number, { cents: number; credits: number }>();

  add(lines: readonly BookEntryTable[]): this {
    for (const { account, cents, credits } of lines) {
      const sum = this.sums.get(account) ?? { cents: 0, credits: 0 };
      this.sums.set(account, { cents: sum.cents + cents, credits: sum.credits + credits });
    }
    return this;
  }
  balance(name: keyof typeof ACCOUNT): { readonly cents: number; readonly credits: number } {
    return this.sums.get(ACCOUNT[name]) ?? { cents: 0, credits: 0 };
  }
}

/** Credits of the account that are unspent or in open deductions: free ones together, paid ones by purchase. */
function heldCredits({ lots, open }: AccountState): { free: number; paid: Map<string, number> } {
  const held = { free: 0, paid: new Map<string, number>() };
  const inLots = lots.map(({ lotId, kind, remaining: amount }) => ({ lotId, kind, amount }));
  const inGenerations = [...open.values()].flatMap(({ allocations }) => allocations);
  for (const { lotId, kind, amount } of [...inLots, ...inGenerations]) {
    if (kind === 'paid') held.paid.set(lotId, (held.paid.get(lotId) ?? 0) + amount);
    else held.free += amount;
  }
  return held;
}

describe('isBooked', () => {
  it.each([
    ['CreditsGranted', true],
    ['CreditsPurchased', true],
    ['CreditsDeducted', false],
    ['DeductionSettled', true],
    ['CreditsRefunded', false],
    ['DeductionVoided', false],
    ['CreditsExpired', true],
    ['PurchaseReversed', true],
    ['PurchaseReinstated', true],
    ['DebtRepaid', true],
    ['CreditsAdjusted', true],
    ['ClockRepaired', false],
    ['CreditsWaived', true],
  ])('says of %s: %s', (type, booked) => {
    expect(isBooked({ type })).toBe(booked);
  });
});

describe('lotsOf', () => {
  const allocations = [
    { lotId: 'signup', kind: 'bonus', amount: 6, unitPriceCents: 0, expiresAt: null },
    { lotId: 'cs_1', kind: 'paid', amount: 4, unitPriceCents: 10, expiresAt: null },
  ];

  it.each<[string, object, string[]]>([
    ['CreditsGranted', { lotId: 'signup' }, []],
    ['CreditsPurchased', { lotId: 'cs_1' }, ['cs_1']],
    ['PurchaseReversed', { lotId: 'cs_1' }, ['cs_1']],
    ['PurchaseReinstated', { lotId: 'cs_1' }, ['cs_1']],
    ['DebtRepaid', { lotId: 'cs_2', owedForLotId: 'cs_1' }, ['cs_2', 'cs_1']],
    ['CreditsExpired', { lotId: 'cs_1', kind: 'paid' }, ['cs_1']],
    ['CreditsExpired', { lotId: 'daily:2026-03-10', kind: 'daily' }, []],
    ['CreditsDeducted', { schemaVersion: 2, allocations }, []],
    ['DeductionSettled', { schemaVersion: 2, allocations }, ['cs_1']],
    ['CreditsAdjusted', { allocations }, ['cs_1']],
    ['CreditsWaived', { allocations }, ['cs_1']],
  ])('returns the purchases of %s %j', (type, data, lots) => {
    expect(new History().add(type, data).events.map(lotsOf)).toStrictEqual([lots]);
  });
});

describe('AccountBooks with the events of the real ledger', () => {
  it('posts lines of zero cents in all for each event, and balances that are those of the account', () => {
    fc.assert(
      fc.property(accountCommands, anyRules, (commands, rules) => {
        const revenue = new AccountRevenue('user_1', rules);
        const books = new AccountBooks('user_1');
        const all: BookEntryTable[] = [];
        const ledger = new Ledger();
        const events = accountHistory(commands, (event, state) => {
          const lines = books.add(event, revenue.add(event));
          for (const line of lines) all.push(line);
          ledger.add(lines);
          const held = heldCredits(state);
          let deferred = 0;
          for (const [lotId, credits] of held.paid) {
            const { amountCents, credits: bought } = state.purchases.get(lotId) ?? { amountCents: 0, credits: 1 };
            deferred += Math.ceil((credits * amountCents) / bought);
          }
          const paid = [...held.paid.values()].reduce((sum, credits) => sum + credits, 0);
          const purchases = [...state.purchases.values()].reduce((sum, { amountCents }) => sum + amountCents, 0);
          const returned = (wanted: string): number =>
            [...state.reversals.values()]
              .filter(({ cause, reinstated }) => cause === wanted && !reinstated)
              .reduce((sum, { amountCents }) => sum + amountCents, 0);
          expect({
            event: lines.reduce((sum, { cents }) => sum + cents, 0),
            customerCredits: ledger.balance('customerCredits'),
            promotionalCredits: ledger.balance('promotionalCredits'),
            receipts: ledger.balance('receipts').cents,
            refundsPaid: ledger.balance('refundsPaid').cents,
            disputesTaken: ledger.balance('disputesTaken').cents,
          }).toEqual({
            event: 0,
            customerCredits: { cents: 0 - deferred, credits: 0 - paid },
            promotionalCredits: { cents: 0, credits: 0 - held.free },
            receipts: purchases,
            refundsPaid: 0 - returned('refund'),
            disputesTaken: 0 - returned('dispute'),
          });
        });
        const rows = [...revenueOf('user_1', events, rules)];
        const earned = all.filter(({ account }) => account === ACCOUNT.platformRevenue);
        expect(earned.map(({ version, cents, credits }) => [version, 0 - cents, 0 - credits])).toEqual(
          rows.map((row) => [row.version, row.platform_cents, row.credits]),
        );
        const shares = all.filter(({ account }) => account === ACCOUNT.creatorShare);
        expect(shares.map((line) => [line.version, line.creator_id, 0 - line.cents, line.payable_at])).toEqual(
          rows
            .filter((row) => row.creator_cents !== 0)
            .map((row) => [row.version, row.creator_id, row.creator_cents, row.payable_at]),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('posts no remainder under the new rules, and no loss without a refund or chargeback', () => {
    fc.assert(
      fc.property(accountCommands, (commands) => {
        const peaceful = commands.filter(({ kind }) => !['reverse', 'adjust', 'waive'].includes(kind));
        const ledger = new Ledger().add([...entriesOf('user_1', accountHistory(peaceful), NEW_RULES)]);
        for (const name of ['priceRemainders', 'refundLosses', 'chargebackLosses', 'forfeitedCredits'] as const) {
          expect(ledger.balance(name).cents).toBe(0);
        }
      }),
    );
  });

  it('continues from the stored purchases after any event', () => {
    fc.assert(
      fc.property(accountCommands, anyRules, fc.nat(60), (commands, rules, place) => {
        const events = accountHistory(commands);
        const cut = place % (events.length + 1);
        const revenue = new AccountRevenue('user_1', rules);
        const first = new AccountBooks('user_1');
        const second = new AccountBooks('user_1');
        const before = events.slice(0, cut).flatMap((event) => first.add(event, revenue.add(event)));
        for (const purchase of first.purchases()) second.restore(purchase);
        const after = events.slice(cut).flatMap((event) => second.add(event, revenue.add(event)));
        expect([...before, ...after]).toEqual([...entriesOf('user_1', events, rules)]);
      }),
      { numRuns: 100 },
    );
  });
});
