import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AccountRevenue, monthsOf, type EarningRow, type RevenuePurchaseTable } from '../../revenue/index.js';
import { RevenueMonths } from '../../../test/support/revenue-months.js';
import { RevenueAudit } from './revenue-audit.js';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');

interface Event {
  readonly version: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: { readonly occurredAt: string };
}
interface Revenue {
  readonly rows: readonly EarningRow[];
  readonly purchases: readonly RevenuePurchaseTable[];
  readonly months: readonly unknown[];
}
type Fold = (events: readonly Event[], cumulativeFrom: Date | null) => Revenue;

const byLot = (rows: Iterable<RevenuePurchaseTable>): RevenuePurchaseTable[] =>
  [...rows].sort((a, b) => (a.lot_id < b.lot_id ? -1 : 1));

const byMonth = <Month extends { readonly creator_id: string; readonly month: string }>(
  months: Iterable<Month>,
): Month[] =>
  [...months].sort((a, b) =>
    JSON.stringify([a.creator_id, a.month]) < JSON.stringify([b.creator_id, b.month]) ? -1 : 1,
  );

const ofProjection: Fold = (events, cumulativeFrom) => {
  const fold = new AccountRevenue('fan', { cumulativeFrom });
  const rows = events.flatMap((event) => fold.add(event));
  return { rows, purchases: byLot(fold.purchases()), months: byMonth(monthsOf(rows)) };
};
const ofAudit: Fold = (events, cumulativeFrom) => {
  const fold = new RevenueAudit('fan', cumulativeFrom);
  const rows = events.flatMap((event) => fold.add(event));
  const sums = new RevenueMonths();
  for (const row of rows) sums.add(row);
  return { rows, purchases: byLot(fold.purchases()), months: byMonth(sums.months()) };
};

const lot = fc.constantFrom('cs_1', 'cs_2', 'cs_3');
const credits = fc.integer({ min: 1, max: 60 });
const allocation = fc.record({
  kind: fc.constantFrom('paid', 'paid', 'paid', 'bonus'),
  lotId: lot,
  amount: credits,
  unitPriceCents: fc.integer({ min: 0, max: 12 }),
});
const step = fc.oneof(
  fc.record({
    type: fc.constant('CreditsPurchased'),
    lotId: lot,
    amount: fc.integer({ min: 1, max: 900 }),
    amountCents: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.constant(2 ** 52)),
  }),
  fc.record({
    type: fc.constant('DeductionSettled'),
    creatorId: fc.constantFrom('ada', 'ben'),
    ownGeneration: fc.boolean(),
    allocations: fc.array(allocation, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('PurchaseReversed'),
    lotId: lot,
    reversalId: fc.constantFrom('re_1', 're_2', 'du_1'),
    debt: fc.integer({ min: 0, max: 80 }),
  }),
  fc.record({ type: fc.constant('DebtRepaid'), lotId: lot, owedForLotId: lot, amount: credits }),
);

/** Any history of one account in which debt is repaid only when it exists. */
const history = fc.array(fc.tuple(step, fc.integer({ min: 0, max: 20 })), { maxLength: 40 }).map((steps): Event[] => {
  const debts = new Map<string, number>();
  const events: Event[] = [];
  let at = START;
  for (const [{ type, ...data }, days] of steps as [Record<string, unknown> & { type: string }, number][]) {
    at += days * DAY_MS;
    const version = events.length;
    const owed = debts.get(String(data['owedForLotId'])) ?? 0;
    if (type === 'PurchaseReversed') {
      const reversed = data['lotId'] as string;
      debts.set(reversed, (debts.get(reversed) ?? 0) + (data['debt'] as number));
    }
    if (type === 'DebtRepaid') {
      if (owed === 0) continue;
      data['amount'] = Math.min(owed, data['amount'] as number);
      debts.set(data['owedForLotId'] as string, owed - (data['amount'] as number));
    }
    const known = { schemaVersion: type === 'DeductionSettled' ? 2 : 1, deductionId: `image_${version}` };
    events.push({
      version,
      type,
      data: { ...data, ...known },
      metadata: { occurredAt: new Date(at).toISOString() },
    });
  }
  return events;
});
const adopted = fc.option(
  fc.integer({ min: -1, max: 200 }).map((days) => new Date(START + days * DAY_MS)),
  { nil: null },
);

/** Both folds make the same rows. */
const agree = (one: Fold, other: Fold): ReturnType<typeof fc.property<[Event[], Date | null]>> =>
  fc.property(history, adopted, (events, cumulativeFrom) => {
    expect(one(events, cumulativeFrom)).toEqual(other(events, cumulativeFrom));
  });

describe('RevenueAudit', () => {
  it('makes the rows of the projection for every history', () => {
    fc.assert(agree(ofAudit, ofProjection), { numRuns: 400 });
  });

  const changed =
    (change: (event: Event) => Event): Fold =>
    (events, cumulativeFrom) =>
      ofProjection(events.map(change), cumulativeFrom);
  it.each<[string, Fold]>([
    ['the old rules hold forever', (events) => ofProjection(events, null)],
    ['own generations earn', changed((event) => ({ ...event, data: { ...event.data, ownGeneration: false } }))],
    [
      'debt is never repaid',
      (events, from) =>
        ofProjection(
          events.filter(({ type }) => type !== 'DebtRepaid'),
          from,
        ),
    ],
    [
      'debt takes nothing back',
      changed((event) => ({
        ...event,
        ...(event.type === 'PurchaseReversed' && { data: { ...event.data, debt: 0 } }),
      })),
    ],
    [
      'debt does not pass on to the purchases that were paid for',
      changed((event) => ({
        ...event,
        ...(event.type === 'DebtRepaid' && { data: { ...event.data, lotId: event.data['owedForLotId'] } }),
      })),
    ],
    [
      'halves are rounded up',
      (events, from) => {
        const made = ofProjection(events, from);
        const rows = made.rows.map((row) => {
          const odd = (row.creator_cents + row.platform_cents) % 2 === 1 && row.creator_cents < row.platform_cents;
          return odd ? { ...row, creator_cents: row.creator_cents + 1, platform_cents: row.platform_cents - 1 } : row;
        });
        return { ...made, rows };
      },
    ],
  ])('differs from a fold in which %s', (_case, faulty) => {
    expect(fc.check(agree(ofAudit, faulty), { numRuns: 400 }).failed).toBe(true);
  });
});
