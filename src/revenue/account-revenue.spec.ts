import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyAccount } from '../credits/account/state.js';
import {
  accountCommands,
  accountHistory,
  type AccountCommand,
  type AccountPrices,
} from '../../test/support/account-histories.js';
import { revenueOf } from '../../test/support/book-entries.js';
import { anyRules, NEW_RULES, OLD_RULES, START, WrittenHistory } from '../../test/support/written-history.js';
import { DAY_MS } from '../contract/durations.js';
import { AccountRevenue, isRevenueEvent, type LedgerEvent, type RevenueRules, timeOf } from './account-revenue.js';
import { monthsOf } from './reads/revenue-projection.js';
import type { EarningRow } from './tables.js';

class History extends WrittenHistory {
  reverse(lotId: string, reversalId: string, debt: number): this {
    const money = { cause: 'refund', amountCents: 1, revoked: 0 };
    return this.add('PurchaseReversed', { lotId, reversalId, ...money, debt });
  }
  repay(owedForLotId: string, amount: number, lotId = 'cs_other'): this {
    return this.add('DebtRepaid', { lotId, owedForLotId, amount });
  }
  rows(): EarningRow[] {
    return [...revenueOf('user_1', this.events, this.rules)];
  }
  /** The rows as short strings. */
  summary(): string[] {
    return this.rows().map(
      ({ kind, deduction_id: id, credits, creator_cents: creator, platform_cents: platform, reversal_id: reversal }) =>
        `${kind} ${id} ${credits}: ${creator} + ${platform}${reversal === null ? '' : ` for ${reversal}`}`,
    );
  }
}

describe('earnings of a delivered image', () => {
  it('splits the price of the paid credits between creator and platform', () => {
    expect(new History().settle('g1', { cs_1: 10 }).rows()).toEqual([
      {
        user_id: 'user_1',
        version: 0,
        line: 0,
        kind: 'earning',
        creator_id: 'ada',
        deduction_id: 'g1',
        lot_id: 'cs_1',
        reversal_id: null,
        credits: 10,
        unit_price_cents: 10,
        own_generation: false,
        creator_cents: 50,
        platform_cents: 50,
        occurred_at: new Date(START),
        month: '2026-03',
        payable_at: new Date(START + 30 * DAY_MS),
      },
    ]);
  });

  it('makes a row for each purchase and gives half a cent to the platform', () => {
    expect(new History().settle('g1', { cs_1: 3, cs_2: 4 }, { price: 7 }).summary()).toEqual([
      'earning g1 3: 10 + 11',
      'earning g1 4: 14 + 14',
    ]);
  });

  it('ignores free credits', () => {
    const allocations = [
      { lotId: 'signup', kind: 'bonus', amount: 6, unitPriceCents: 0, expiresAt: null },
      { lotId: 'cs_1', kind: 'paid', amount: 4, unitPriceCents: 10, expiresAt: null },
    ];
    const history = new History().add('DeductionSettled', {
      deductionId: 'g1',
      creatorId: 'ada',
      amount: 10,
      allocations,
    });
    expect(history.summary()).toEqual(['earning g1 4: 20 + 20']);
  });

  it('shares every cent of a purchase whose price does not divide', () => {
    const history = new History().buy('cs_1', 100, 1099);
    for (const [index, credits] of [10, 40, 50].entries()) history.settle(`g${index}`, { cs_1: credits });
    expect(history.summary()).toEqual([
      'earning g0 10: 54 + 55',
      'earning g1 40: 220 + 220',
      'earning g2 50: 275 + 275',
    ]);
  });

  it('pays for credits that cost less than a cent each', () => {
    const history = new History().buy('cs_1', 750, 749);
    for (let n = 0; n < 3; n += 1) history.settle(`g${n}`, { cs_1: 250 }, { price: 0 });
    expect(history.summary()).toEqual([
      'earning g0 250: 124 + 125',
      'earning g1 250: 125 + 125',
      'earning g2 250: 125 + 125',
    ]);
  });

  it('gives the creator nothing for an own generation, and counts it as no paid generation', () => {
    const history = new History().buy('cs_1', 100, 1099).settle('g1', { cs_1: 10 });
    history.settle('g2', { cs_1: 10 }, { ownGeneration: true }).settle('g3', { cs_1: 30 });
    expect(history.summary()).toEqual(['earning g1 10: 54 + 55', 'earning g2 10: 0 + 110', 'earning g3 30: 165 + 165']);
    expect(history.rows().map((row) => row.own_generation)).toEqual([false, true, false]);
    expect(monthsOf(history.rows())).toEqual([
      expect.objectContaining({ paid_generations: 2, paid_credits: 50, creator_cents: 219, platform_cents: 330 }),
    ]);
  });

  it('continues beyond the credits bought when another purchase paid the debt', () => {
    const history = new History().buy('cs_1', 10, 109).settle('g1', { cs_1: 10 }).settle('g2', { cs_1: 5 });
    expect(history.summary()).toEqual(['earning g1 10: 54 + 55', 'earning g2 5: 27 + 27']);
  });

  it('posts to the UTC month of the event', () => {
    const history = new History();
    history.settle('g', {});
    const months = [21.6, 0.05].map((days, n) => history.later(days).settle(`g${n}`, { cs_1: 1 }).rows().at(-1)?.month);
    expect(months).toEqual(['2026-03', '2026-04']);
  });

  it('makes no row when credits are deducted, refunded or revoked unspent', () => {
    const history = new History();
    history.add('PurchaseReversed', {
      lotId: 'cs_1',
      reversalId: 're_1',
      cause: 'refund',
      amountCents: 100,
      revoked: 10,
      debt: 0,
    });
    history.add('CreditsRefunded', {
      deductionId: 'g1',
      creatorId: 'ada',
      reason: 'timeout',
      amount: 0,
      restorations: [],
    });
    expect(history.rows()).toEqual([]);
  });
});

describe('corrections after a reversal', () => {
  it('takes back the latest earnings of the purchase first, up to the debt', () => {
    const history = new History().settle('g1', { cs_1: 10 }).settle('other', { cs_2: 10 }).settle('g2', { cs_1: 10 });
    expect(history.reverse('cs_1', 'du_1', 15).summary().slice(3)).toEqual([
      'correction g2 -10: -50 + -50 for du_1',
      'correction g1 -5: -25 + -25 for du_1',
    ]);
  });

  it('takes back earnings that are already payable, and counts the correction at once', () => {
    const history = new History().settle('g1', { cs_1: 10 }).later(20).settle('g2', { cs_1: 10 });
    expect(history.later(100).reverse('cs_1', 'du_1', 20).summary().slice(2)).toEqual([
      'correction g2 -10: -50 + -50 for du_1',
      'correction g1 -10: -50 + -50 for du_1',
    ]);
    const at = new Date(START + 120 * DAY_MS);
    expect(history.rows().slice(2)).toEqual([
      expect.objectContaining({ occurred_at: at, payable_at: at }),
      expect.objectContaining({ occurred_at: at, payable_at: at }),
    ]);
  });

  it('splits a correction like the image, also after own generations', () => {
    const history = new History().buy('cs_1', 100, 1099).settle('g1', { cs_1: 10 });
    history.settle('g2', { cs_1: 10 }, { ownGeneration: true }).settle('g3', { cs_1: 30 }).later(50);
    expect(history.reverse('cs_1', 'du_1', 45).repay('cs_1', 20).summary().slice(3)).toEqual([
      'correction g3 -30: -165 + -165 for du_1',
      'correction g2 -10: 0 + -110 for du_1',
      'correction g1 -5: -27 + -28 for du_1',
      'restoration g1 5: 27 + 28 for du_1',
      'restoration g2 10: 0 + 110 for du_1',
      'restoration g3 5: 27 + 28 for du_1',
    ]);
  });

  it('posts the correction in the month of the reversal, with the payable date of the earning', () => {
    const history = new History().settle('g1', { cs_1: 10 }).later(25).reverse('cs_1', 'du_1', 10);
    expect(history.rows()[1]).toMatchObject({ month: '2026-04', payable_at: new Date(START + 30 * DAY_MS) });
    expect(monthsOf(history.rows())).toMatchObject([
      {
        creator_id: 'ada',
        month: '2026-03',
        paid_generations: 1,
        paid_credits: 10,
        creator_cents: 50,
        platform_cents: 50,
        correction_cents: 0,
        changes: 0,
      },
      {
        creator_id: 'ada',
        month: '2026-04',
        paid_generations: 0,
        paid_credits: -10,
        creator_cents: -50,
        platform_cents: -50,
        correction_cents: -50,
        changes: 1,
      },
    ]);
  });

  it('takes back earnings of a pending image that is delivered after the reversal', () => {
    const history = new History().settle('g1', { cs_1: 10 }).reverse('cs_1', 'du_1', 20).settle('g2', { cs_1: 10 });
    expect(history.summary().slice(2)).toEqual(['earning g2 10: 50 + 50', 'correction g2 -10: -50 + -50 for du_1']);
  });

  it('keeps the sum of partial corrections exact for an odd price', () => {
    const history = new History().settle('g1', { cs_1: 3 }, { price: 7 }).reverse('cs_1', 're_1', 1);
    history.reverse('cs_1', 're_2', 1).reverse('cs_1', 're_3', 1);
    expect(history.summary()).toEqual([
      'earning g1 3: 10 + 11',
      'correction g1 -1: -4 + -3 for re_1',
      'correction g1 -1: -3 + -4 for re_2',
      'correction g1 -1: -3 + -4 for re_3',
    ]);
  });

  it('restores the oldest earnings first when the debt is paid, keyed by the reversal', () => {
    const history = new History().settle('g1', { cs_1: 10 }).settle('g2', { cs_1: 10 }).reverse('cs_1', 'du_1', 20);
    history.later(40).repay('cs_1', 15);
    expect(history.summary().slice(4)).toEqual([
      'restoration g1 10: 50 + 50 for du_1',
      'restoration g2 5: 25 + 25 for du_1',
    ]);
    expect(history.rows().at(-1)).toMatchObject({ month: '2026-04', payable_at: new Date(START + 40 * DAY_MS) });
  });
});

describe('debt between purchases', () => {
  /** cs_1 is reversed, cs_2 pays its debt, cs_3 pays that of cs_2: 20 credits each. */
  const chain = (): History => {
    const history = new History().settle('g1', { cs_1: 20 }).reverse('cs_1', 'du_1', 20).later(40);
    history.repay('cs_1', 20, 'cs_2').reverse('cs_2', 'du_2', 20).later(1);
    return history.repay('cs_2', 20, 'cs_3').reverse('cs_3', 'du_3', 20);
  };

  it('takes back what the payer had restored when the payer is reversed too', () => {
    const history = chain();
    expect(history.summary()).toEqual([
      'earning g1 20: 100 + 100',
      'correction g1 -20: -100 + -100 for du_1',
      'restoration g1 20: 100 + 100 for du_1',
      'correction g1 -20: -100 + -100 for du_2',
      'restoration g1 20: 100 + 100 for du_2',
      'correction g1 -20: -100 + -100 for du_3',
    ]);
    expect(history.rows().at(-1)).toMatchObject({ lot_id: 'cs_1', payable_at: new Date(START + 41 * DAY_MS) });
  });

  it.each(['cs_1', 'cs_2', 'cs_3'])('restores everything when the dispute about %s is won', (won) => {
    expect(chain().repay('cs_3', 20, won).summary().slice(6)).toEqual(['restoration g1 20: 100 + 100 for du_3']);
  });

  it('takes the own earnings of the payer first, then those of its latest repayment', () => {
    const history = new History().settle('g1', { cs_1: 10 }).settle('g2', { cs_2: 10 });
    history.reverse('cs_1', 'du_1', 10).reverse('cs_2', 'du_2', 10).repay('cs_1', 10, 'cs_3').repay('cs_2', 10, 'cs_3');
    history.settle('g3', { cs_3: 10 }).reverse('cs_3', 'du_3', 25);
    expect(history.summary().slice(7)).toEqual([
      'correction g3 -10: -50 + -50 for du_3',
      'correction g2 -10: -50 + -50 for du_3',
      'correction g1 -5: -25 + -25 for du_3',
    ]);
    // An image of the payer that was pending bears its part, and the oldest earning is restored.
    expect(history.settle('g4', { cs_3: 5 }).summary().slice(10)).toEqual([
      'earning g4 5: 25 + 25',
      'correction g4 -5: -25 + -25 for du_3',
      'restoration g1 5: 25 + 25 for du_3',
    ]);
  });

  it('gives the same rows when the fold is restored from tables at any event', () => {
    fc.assert(
      fc.property(accountCommands, fc.nat(60), (sequence, cut) => {
        const { events } = spend(sequence);
        expect(restoredRows(events, cut)).toEqual([...revenueOf('user_1', events, NEW_RULES)]);
      }),
      { numRuns: 400 },
    );
  });

  it('takes back a pending image for the reversal of the payer, when its own purchase has no debt', () => {
    const history = new History().settle('g1', { cs_1: 10 }).reverse('cs_1', 'du_1', 20).repay('cs_1', 20, 'cs_2');
    history.reverse('cs_2', 'du_2', 20).settle('g2', { cs_1: 10 });
    expect(history.summary().slice(3)).toEqual([
      'correction g1 -10: -50 + -50 for du_2',
      'earning g2 10: 50 + 50',
      'correction g2 -10: -50 + -50 for du_2',
    ]);
  });

  it('uses up the earnings behind the latest repayment before those behind an earlier one', () => {
    const history = new History().settle('g1', { cs_1: 10 }).settle('g2', { cs_2: 10 });
    history.reverse('cs_2', 'du_2', 10).repay('cs_2', 10, 'cs_3');
    history.reverse('cs_1', 'du_1', 15).repay('cs_1', 10, 'cs_3').reverse('cs_3', 'du_3', 10);
    expect(history.summary().slice(6)).toEqual([
      'correction g1 -5: -25 + -25 for du_3',
      'correction g2 -5: -25 + -25 for du_3',
    ]);
  });

  it('passes debt on by repayments that were restored from tables', () => {
    const { events } = chain();
    expect(restoredRows(events, 4)).toEqual([...revenueOf('user_1', events, NEW_RULES)]);
  });

  it('keeps no more than half of the money that was kept, and all of it without debt', () => {
    fc.assert(
      fc.property(accountCommands, (sequence) => {
        const { events, kept, owed } = spend(sequence);
        const rows = [...revenueOf('user_1', events, NEW_RULES)];
        const earnings = rows.filter(({ kind }) => kind === 'earning');
        expect(sum(rows, cents)).toBeLessThanOrEqual(kept);
        expect(2 * sum(rows, (row) => row.creator_cents)).toBeLessThanOrEqual(kept);
        if (owed === 0) expect(sum(rows, cents)).toBe(sum(earnings, cents));
      }),
      { numRuns: 400 },
    );
  });
});

describe('AccountRevenue.restore', () => {
  const purchase = {
    user_id: 'user_1',
    lot_id: 'cs_1',
    credits: null,
    amount_cents: null,
    settled_credits: 10,
    earning_credits: 10,
    debt: 0,
    reversal_id: null,
    repayments: [],
  };

  it('continues a purchase whose price is not known by the price of each image', () => {
    const history = new History().settle('g1', { cs_1: 10 }).settle('g2', { cs_1: 10 });
    expect(restoredRows(history.events, 1)).toEqual(history.rows());
  });

  it('refuses a correction without its earning, and one without a reversal', () => {
    const history = new History().settle('g1', { cs_1: 10 }).reverse('cs_1', 're_1', 4);
    const [earning, correction] = history.rows();
    if (!earning || !correction) throw new Error('There are no rows.');
    for (const rows of [[correction], [earning, { ...correction, reversal_id: null }]]) {
      expect(() => new AccountRevenue('user_1', NEW_RULES).restore(purchase, rows)).toThrow(
        'A correction of g1 has no earning.',
      );
    }
  });
});

describe('isRevenueEvent', () => {
  it('selects the events that change the state or make rows', () => {
    const types = ['CreditsPurchased', 'DeductionSettled', 'PurchaseReversed', 'DebtRepaid'];
    expect(types.filter((type) => isRevenueEvent({ type }))).toEqual(types);
    for (const type of ['CreditsGranted', 'CreditsDeducted', 'PurchaseReinstated', '']) {
      expect(isRevenueEvent({ type })).toBe(false);
    }
  });
});

describe('timeOf', () => {
  it('refuses an event without a valid time', () => {
    expect(timeOf({ version: 3, metadata: { occurredAt: '2026-03-10T09:00:00.000Z' } }, 'user_1')).toBe(START);
    for (const occurredAt of [undefined, 'never']) {
      expect(() => timeOf({ version: 3, metadata: { occurredAt } }, 'user_1')).toThrow(
        'Event 3 of user_1 has no valid occurredAt.',
      );
    }
  });
});

/** Restores a fold from the state and the rows of another one after some events. */
function restoredRows(events: readonly LedgerEvent[], cut: number, rules = NEW_RULES): EarningRow[] {
  const first = new AccountRevenue('user_1', rules);
  const before = events.slice(0, cut).flatMap((event) => first.add(event));
  const second = new AccountRevenue('user_1', rules);
  for (const purchase of first.purchases()) {
    second.restore(
      purchase,
      before.filter((row) => row.lot_id === purchase.lot_id),
    );
  }
  return [...before, ...events.slice(cut).flatMap((event) => second.add(event))];
}

/** Ten cents a credit, also in reversals: a rounded cent is no part of these properties. */
const EVEN: AccountPrices = {
  bundles: [10, 20, 30, 40, 50, 60].map((credits) => ({ credits, amountCents: credits * 10 })),
  reversedCents: 10,
};

/** Events of the real ledger for some commands, the cents that were kept in the end, and the credits owed. */
function spend(commands: readonly AccountCommand[]): { events: LedgerEvent[]; kept: number; owed: number } {
  let state = emptyAccount();
  const events = accountHistory(commands, (_event, then) => void (state = then), EVEN);
  const purchases = [...state.purchases.values()];
  const kept = purchases.reduce(
    (total, { amountCents, reversedCents }) => total + Math.max(0, amountCents - reversedCents),
    0,
  );
  return { events, kept, owed: purchases.reduce((total, { debt }) => total + debt, 0) };
}

describe('AccountRevenue before the instant of the policy', () => {
  const FROM: RevenueRules = { cumulativeFrom: new Date(START + 20 * DAY_MS) };

  it('gives an odd cent to the platform, earns for own generations, and leaves remaining cents to no credit', () => {
    const history = new History(OLD_RULES).buy('cs_1', 100, 1099).settle('g1', { cs_1: 50 });
    history.settle('g2', { cs_1: 50 }, { ownGeneration: true });
    expect(history.summary()).toEqual(['earning g1 50: 250 + 250', 'earning g2 50: 250 + 250']);
    expect(history.rows().map((row) => row.own_generation)).toEqual([false, false]);
  });

  it('keeps earnings that are already payable', () => {
    const history = new History(OLD_RULES).settle('g1', { cs_1: 10 }).later(20).settle('g2', { cs_1: 10 });
    expect(history.later(10).reverse('cs_1', 'du_1', 20).summary().slice(2)).toEqual([
      'correction g2 -10: -50 + -50 for du_1',
    ]);
  });

  it('covers the loss of the platform before it restores earnings', () => {
    const history = new History(OLD_RULES).settle('g1', { cs_1: 10 }).later(30).settle('g2', { cs_1: 10 });
    history.reverse('cs_1', 'du_1', 20).repay('cs_1', 10);
    expect(history.summary().slice(3)).toEqual([]);
    expect(history.repay('cs_1', 4).summary().slice(3)).toEqual(['restoration g2 4: 20 + 20 for du_1']);
  });

  it('ends with the first event at the instant, and then pays no older credit a second time', () => {
    const history = new History(FROM).buy('cs_1', 750, 749).settle('g1', { cs_1: 400 }, { price: 0 });
    history.later(20).settle('g2', { cs_1: 10 }, { price: 0 }).settle('g3', { cs_1: 340 }, { price: 0 });
    expect(history.summary()).toEqual(['earning g1 400: 0 + 0', 'earning g2 10: 5 + 5', 'earning g3 340: 170 + 170']);
  });

  it('protects its earnings also from a reversal after the instant', () => {
    const history = new History(FROM).buy('cs_1', 750, 749).settle('g1', { cs_1: 400 }, { price: 0 });
    history.later(20).settle('g2', { cs_1: 10 }, { price: 0 }).settle('g3', { cs_1: 340 }, { price: 0 });
    history.later(60).reverse('cs_1', 'du_1', 750).repay('cs_1', 500);
    expect(history.summary().slice(3)).toEqual([
      'correction g3 -340: -170 + -170 for du_1',
      'correction g2 -10: -5 + -5 for du_1',
      'restoration g2 10: 5 + 5 for du_1',
      'restoration g3 90: 45 + 45 for du_1',
    ]);
  });
});

interface Op {
  readonly kind: 'settle' | 'reverse' | 'repay';
  readonly lot: string;
  readonly amount: number;
  readonly days: number;
  readonly own: boolean;
}
/** Cents and credits of the purchases. The prices of the last two do not divide. */
const PURCHASES: Readonly<Record<string, { readonly cents: number; readonly credits: number }>> = {
  cs_1: { cents: 2500, credits: 250 },
  cs_2: { cents: 1099, credits: 100 },
  cs_3: { cents: 749, credits: 750 },
};
const LOTS = Object.keys(PURCHASES);
const priceOf = (lot: string): number => {
  const { cents = 0, credits = 1 } = PURCHASES[lot] ?? {};
  return Math.floor(cents / credits);
};
const ops = fc.array(
  fc.record<Op>({
    kind: fc.constantFrom('settle', 'settle', 'reverse', 'repay'),
    lot: fc.constantFrom(...LOTS),
    amount: fc.integer({ min: 1, max: 12 }),
    days: fc.integer({ min: 0, max: 12 }),
    own: fc.boolean(),
  }),
  { maxLength: 40, size: 'max' },
);
/** A history that repays at most the debt, and the debt of each purchase after each event. */
function play(sequence: readonly Op[], rules: RevenueRules): { history: History; debts: Map<string, number>[] } {
  const history = new History(rules);
  const debts: Map<string, number>[] = [];
  let owed = new Map<string, number>();
  for (const [lot, { credits, cents }] of Object.entries(PURCHASES)) {
    history.buy(lot, credits, cents);
    debts.push(owed);
  }
  for (const { kind, lot, amount, days, own } of sequence) {
    const debt = owed.get(lot) ?? 0;
    if (kind === 'repay' && debt === 0) continue;
    history.later(days);
    if (kind === 'settle') {
      const details = { price: priceOf(lot), ownGeneration: own };
      history.settle(`g${history.events.length}`, { [lot]: amount }, details);
    }
    if (kind === 'reverse') history.reverse(lot, `re_${history.events.length % 4}`, amount);
    if (kind === 'repay') history.repay(lot, Math.min(debt, amount));
    const change = { settle: 0, reverse: amount, repay: -Math.min(debt, amount) }[kind];
    owed = new Map(owed).set(lot, debt + change);
    debts.push(owed);
  }
  return { history, debts };
}

const sum = (rows: readonly EarningRow[], value: (row: EarningRow) => number): number =>
  rows.reduce((total, row) => total + value(row), 0);

const isOld = (row: EarningRow, { cumulativeFrom }: RevenueRules, rows: readonly EarningRow[]): boolean => {
  const earning = rows.find(({ kind, deduction_id: id }) => kind === 'earning' && id === row.deduction_id);
  return cumulativeFrom === null || (earning ?? row).occurred_at < cumulativeFrom;
};
/** Cents that all settled credits of a purchase have earned: the share of its price, rounded down. */
const shareOf = (lot: string, credits: number, part = 1): number => {
  const purchase = PURCHASES[lot] ?? { cents: 0, credits: 1 };
  return Math.floor((credits * purchase.cents) / (part * purchase.credits));
};
const cents = (row: EarningRow): number => row.creator_cents + row.platform_cents;

describe('AccountRevenue with any sequence of events', () => {
  it('shares exactly the price of each purchase under the new rules, and half of it among the creators', () => {
    const images = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.boolean()), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(...LOTS), images, (lot, sizes) => {
        const { credits = 0, cents: paid = 0 } = PURCHASES[lot] ?? {};
        const history = new History().buy(lot, credits, paid);
        let left = credits;
        for (const [size, own] of [...sizes, [credits, false] as const]) {
          if (left === 0) break;
          const amount = Math.min(left, size);
          left -= amount;
          history.settle(`g${left}`, { [lot]: amount }, { price: priceOf(lot), ownGeneration: own });
        }
        const rows = history.rows();
        let settled = 0;
        let earning = 0;
        rows.forEach((row, index) => {
          settled += row.credits;
          earning += row.own_generation ? 0 : row.credits;
          expect(sum(rows.slice(0, index + 1), cents)).toBe(shareOf(lot, settled));
          expect(sum(rows.slice(0, index + 1), ({ creator_cents: creator }) => creator)).toBe(shareOf(lot, earning, 2));
        });
        expect(sum(rows, cents)).toBe(paid);
      }),
    );
  });

  it('changes no cent at ten cents a credit', () => {
    fc.assert(
      fc.property(ops, (sequence) => {
        const tenCents = sequence.filter(({ lot, kind }) => lot === 'cs_1' && kind === 'settle');
        const strangers = tenCents.map((op) => ({ ...op, own: false }));
        const old = play(strangers, OLD_RULES);
        const now = play(strangers, NEW_RULES);
        expect(now.history.rows()).toEqual(old.history.rows());
      }),
    );
  });

  it('leaves rows before the instant as they were, and continues a purchase where its settled credits end', () => {
    fc.assert(
      fc.property(ops, fc.integer({ min: 0, max: 240 }), (sequence, days) => {
        const rules = { cumulativeFrom: new Date(START + days * DAY_MS) };
        const rows = play(sequence, rules).history.rows();
        const before = (row: EarningRow): boolean => row.occurred_at < rules.cumulativeFrom;
        expect(rows.filter(before)).toEqual(play(sequence, OLD_RULES).history.rows().filter(before));
        const earnings = rows.filter(({ kind }) => kind === 'earning');
        for (const lot of LOTS) {
          const ofLot = earnings.filter((row) => row.lot_id === lot);
          const settled = sum(ofLot, ({ credits }) => credits);
          const old = sum(ofLot.filter(before), ({ credits }) => credits);
          const lost = shareOf(lot, old) - old * priceOf(lot);
          expect(sum(ofLot, cents)).toBe(shareOf(lot, settled) - lost);
        }
      }),
    );
  });

  it('splits the rest of each image so that parts add up, and never below zero for the creator', () => {
    fc.assert(
      fc.property(ops, anyRules, (sequence, rules) => {
        const rows = play(sequence, rules).history.rows();
        for (const earning of rows.filter(({ kind }) => kind === 'earning')) {
          const ofImage = rows.filter((row) => row.deduction_id === earning.deduction_id);
          const stands = sum(ofImage, ({ credits }) => credits);
          expect(stands >= 0 && stands <= earning.credits).toBe(true);
          const share = (allCents: number): number => Math.floor((allCents * stands) / earning.credits);
          const creator = isOld(earning, rules, rows)
            ? Math.floor((stands * earning.unit_price_cents) / 2)
            : share(earning.creator_cents);
          expect(sum(ofImage, (row) => row.creator_cents)).toBe(creator);
          expect(sum(ofImage, cents)).toBe(share(cents(earning)));
        }
      }),
    );
  });

  it('takes back exactly the debt, limited to settled credits and to old earnings that are not payable yet', () => {
    fc.assert(
      fc.property(ops, anyRules, (sequence, rules) => {
        const { history, debts } = play(sequence, rules);
        const rows = history.rows();
        history.events.forEach((event, index) => {
          const soFar = rows.filter((row) => row.version <= event.version);
          const at = Date.parse(String(event.metadata.occurredAt));
          for (const [lot, debt] of debts[index] ?? []) {
            const ofLot = soFar.filter((row) => row.lot_id === lot);
            const corrected = -sum(ofLot, ({ kind, credits }) => (kind === 'earning' ? 0 : credits));
            expect(corrected >= 0 && corrected <= debt).toBe(true);
            if (event.type !== 'PurchaseReversed' || corrected === debt) continue;
            if ((event.data as { lotId: string }).lotId !== lot) continue;
            const takeable = ofLot
              .filter((row) => row.kind === 'earning')
              .filter((row) => !isOld(row, rules, rows) || row.payable_at.getTime() > at)
              .map((row) => row.deduction_id);
            expect(sum(ofLot, (row) => (takeable.includes(row.deduction_id) ? row.credits : 0))).toBe(0);
          }
        });
        for (const row of rows.filter(({ kind }) => kind === 'correction')) {
          if (isOld(row, rules, rows)) expect(row.occurred_at.getTime()).toBeLessThan(row.payable_at.getTime());
          else expect(row.occurred_at.getTime()).toBeLessThanOrEqual(row.payable_at.getTime());
        }
      }),
    );
  });

  it('never lowers the payable sum under the old rules', () => {
    fc.assert(
      fc.property(ops, (sequence) => {
        const rows = play(sequence, OLD_RULES).history.rows();
        const since = rows.map((row) => Math.max(row.occurred_at.getTime(), row.payable_at.getTime()));
        const instants = [...new Set(since)].sort((a, b) => a - b);
        const payable = instants.map((at) =>
          sum(rows, (row) =>
            row.occurred_at.getTime() <= at && row.payable_at.getTime() <= at ? row.creator_cents : 0,
          ),
        );
        expect(payable).toEqual([...payable].sort((a, b) => a - b));
      }),
    );
  });

  it('restores all earnings once no debt remains', () => {
    fc.assert(
      fc.property(ops, anyRules, (sequence, rules) => {
        const { history, debts } = play(sequence, rules);
        for (const [lot, debt] of debts.at(-1) ?? []) if (debt > 0) history.repay(lot, debt);
        const rows = history.rows();
        const earnings = rows.filter(({ kind }) => kind === 'earning');
        for (const value of [cents, (row: EarningRow) => row.credits, (row: EarningRow) => row.creator_cents]) {
          expect(sum(rows, value)).toBe(sum(earnings, value));
        }
      }),
    );
  });

  it('gives the same rows when the fold is restored from tables at any event', () => {
    fc.assert(
      fc.property(ops, anyRules, fc.nat(40), (sequence, rules, cut) => {
        const { history } = play(sequence, rules);
        expect(restoredRows(history.events, cut, rules)).toEqual(history.rows());
      }),
    );
  });
});
