import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AccountRevenue, revenueOf, type LedgerEvent } from './account-revenue.js';
import { monthsOf } from './reads/revenue-projection.js';
import type { EarningRow } from './tables.js';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-10T09:00:00Z');

/** A history of one account, an event at a time. */
class History {
  readonly events: LedgerEvent[] = [];
  private at = START;

  later(days: number): this {
    this.at += days * DAY_MS;
    return this;
  }
  /** Settles an image: credits by lot, all at this price. */
  settle(deductionId: string, lots: Record<string, number>, { price = 10, creatorId = 'ada' } = {}): this {
    const allocations = Object.entries(lots).map(([lotId, amount]) => ({
      lotId,
      kind: 'paid',
      amount,
      unitPriceCents: price,
      expiresAt: null,
    }));
    return this.add('DeductionSettled', { deductionId, creatorId, amount: 0, allocations });
  }
  reverse(lotId: string, reversalId: string, debt: number): this {
    const money = { cause: 'refund', amountCents: 1, revoked: 0 };
    return this.add('PurchaseReversed', { lotId, reversalId, ...money, debt });
  }
  repay(owedForLotId: string, amount: number): this {
    return this.add('DebtRepaid', { lotId: 'cs_other', owedForLotId, amount });
  }
  add(type: string, data: object): this {
    const metadata = { occurredAt: new Date(this.at).toISOString() };
    this.events.push({ version: this.events.length, type, data: { schemaVersion: 1, ...data }, metadata });
    return this;
  }
  rows(): EarningRow[] {
    return [...revenueOf('user_1', this.events)];
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

  it('posts to the UTC month of the event', () => {
    const history = new History();
    history.add('DeductionSettled', { deductionId: 'g', creatorId: 'ada', amount: 0, allocations: [] });
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

  it('keeps earnings that are already payable', () => {
    const history = new History().settle('g1', { cs_1: 10 }).later(20).settle('g2', { cs_1: 10 });
    expect(history.later(10).reverse('cs_1', 'du_1', 20).summary().slice(2)).toEqual([
      'correction g2 -10: -50 + -50 for du_1',
    ]);
  });

  it('posts the correction in the month of the reversal, with the payable date of the earning', () => {
    const history = new History().settle('g1', { cs_1: 10 }).later(25).reverse('cs_1', 'du_1', 10);
    expect(history.rows()[1]).toMatchObject({ month: '2026-04', payable_at: new Date(START + 30 * DAY_MS) });
    expect(monthsOf(history.rows())).toEqual([
      {
        creator_id: 'ada',
        month: '2026-03',
        paid_generations: 1,
        paid_credits: 10,
        creator_cents: 50,
        platform_cents: 50,
      },
      {
        creator_id: 'ada',
        month: '2026-04',
        paid_generations: 0,
        paid_credits: -10,
        creator_cents: -50,
        platform_cents: -50,
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
      'correction g1 -1: -3 + -4 for re_1',
      'correction g1 -1: -4 + -3 for re_2',
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

  it('covers the loss of the platform before it restores earnings', () => {
    const history = new History().settle('g1', { cs_1: 10 }).later(30).settle('g2', { cs_1: 10 });
    history.reverse('cs_1', 'du_1', 20).repay('cs_1', 10);
    expect(history.summary().slice(3)).toEqual([]);
    expect(history.repay('cs_1', 4).summary().slice(3)).toEqual(['restoration g2 4: 20 + 20 for du_1']);
  });
});

interface Op {
  readonly kind: 'settle' | 'reverse' | 'repay';
  readonly lot: string;
  readonly amount: number;
  readonly days: number;
}
const PRICES: Readonly<Record<string, number>> = { cs_1: 10, cs_2: 7 };
const ops = fc.array(
  fc.record<Op>({
    kind: fc.constantFrom('settle', 'settle', 'reverse', 'repay'),
    lot: fc.constantFrom('cs_1', 'cs_2'),
    amount: fc.integer({ min: 1, max: 12 }),
    days: fc.integer({ min: 0, max: 12 }),
  }),
  { maxLength: 40, size: 'max' },
);

/** A history that repays at most the debt, and the debt of each purchase after each event. */
function play(sequence: readonly Op[]): { history: History; debts: Map<string, number>[] } {
  const history = new History();
  const debts: Map<string, number>[] = [];
  let owed = new Map<string, number>();
  for (const { kind, lot, amount, days } of sequence) {
    const debt = owed.get(lot) ?? 0;
    if (kind === 'repay' && debt === 0) continue;
    history.later(days);
    if (kind === 'settle') history.settle(`g${history.events.length}`, { [lot]: amount }, { price: PRICES[lot] ?? 0 });
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

describe('AccountRevenue with any sequence of events', () => {
  it('splits every cent between creator and platform, and pays the creator half of the remaining credits, rounded down', () => {
    fc.assert(
      fc.property(ops, (sequence) => {
        const { history } = play(sequence);
        const rows = history.rows();
        for (const row of rows) expect(row.creator_cents + row.platform_cents).toBe(row.credits * row.unit_price_cents);
        for (const id of new Set(rows.map((row) => row.deduction_id))) {
          const ofImage = rows.filter((row) => row.deduction_id === id);
          const earned = sum(ofImage, ({ kind, credits }) => (kind === 'earning' ? credits : 0));
          const stands = sum(ofImage, ({ credits }) => credits);
          expect(stands >= 0 && stands <= earned).toBe(true);
          const price = ofImage[0]?.unit_price_cents ?? 0;
          expect(sum(ofImage, (row) => row.creator_cents)).toBe(Math.floor((stands * price) / 2));
        }
      }),
    );
  });

  it('takes back exactly the debt, limited to earnings that are not payable yet', () => {
    fc.assert(
      fc.property(ops, (sequence) => {
        const { history, debts } = play(sequence);
        const rows = history.rows();
        history.events.forEach((event, index) => {
          const soFar = rows.filter((row) => row.version <= event.version);
          const at = Date.parse(String(event.metadata.occurredAt));
          for (const [lot, debt] of debts[index] ?? []) {
            const ofLot = soFar.filter((row) => row.lot_id === lot);
            const corrected = -sum(ofLot, ({ kind, credits }) => (kind === 'earning' ? 0 : credits));
            expect(corrected >= 0 && corrected <= debt).toBe(true);
            if (event.type !== 'PurchaseReversed' || corrected === debt) continue;
            const within = ofLot.filter((row) => row.kind === 'earning' && row.payable_at.getTime() > at);
            const takeable = within.map((row) => row.deduction_id);
            if ((event.data as { lotId: string }).lotId !== lot) continue;
            expect(sum(ofLot, (row) => (takeable.includes(row.deduction_id) ? row.credits : 0))).toBe(0);
          }
        });
        for (const row of rows.filter(({ kind }) => kind === 'correction')) {
          expect(row.occurred_at.getTime()).toBeLessThan(row.payable_at.getTime());
        }
      }),
    );
  });

  it('never lowers the payable sum', () => {
    fc.assert(
      fc.property(ops, (sequence) => {
        const rows = play(sequence).history.rows();
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
      fc.property(ops, (sequence) => {
        const { history, debts } = play(sequence);
        for (const [lot, debt] of debts.at(-1) ?? []) if (debt > 0) history.repay(lot, debt);
        const rows = history.rows();
        expect(sum(rows, (row) => row.credits)).toBe(
          sum(rows, ({ kind, credits }) => (kind === 'earning' ? credits : 0)),
        );
      }),
    );
  });

  it('gives the same rows when the fold is restored from rows at any event', () => {
    fc.assert(
      fc.property(ops, fc.nat(40), (sequence, cut) => {
        const { history } = play(sequence);
        const first = new AccountRevenue('user_1');
        const before = history.events.slice(0, cut).flatMap((event) => first.add(event));
        const second = new AccountRevenue('user_1');
        for (const lot of Object.keys(PRICES)) {
          second.restore(
            lot,
            first.debtOf(lot),
            before.filter((row) => row.lot_id === lot),
          );
        }
        const after = history.events.slice(cut).flatMap((event) => second.add(event));
        expect([...before, ...after]).toEqual(history.rows());
      }),
    );
  });
});
