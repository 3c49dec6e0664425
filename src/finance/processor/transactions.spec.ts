import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ProcessorTransaction } from '../../payments/index.js';
import { type ProcessorEvent, processorEventId } from './events.js';
import { type CashLine, disownedOf, isShopless, kindOf, matchOf, processorLines, recordOf } from './transactions.js';

const AT = new Date('2026-11-02T09:00:00Z');

function transaction(change: Partial<ProcessorTransaction>): ProcessorTransaction {
  const grossCents = change.grossCents ?? 1000;
  const feeCents = change.feeCents ?? 0;
  return {
    id: 'txn_1',
    type: 'charge',
    category: 'charge',
    grossCents,
    feeCents,
    netCents: grossCents - feeCents,
    sourceId: 'ch_1',
    paymentIntentId: 'pi_1',
    adminRefundId: null,
    checkoutId: null,
    createdAt: AT,
    availableOn: AT,
    ...change,
  };
}

const match = (matchedCents: number) => ({ sessionId: 'cs_1', reversalId: null, matchedCents });
const posted = (event: ProcessorEvent): (readonly [number, number])[] =>
  processorLines(event).map(({ account, cents }) => [account, cents]);

describe('kindOf', () => {
  it.each([
    ['charge', 'charge', 'charge'],
    ['payment', 'charge', 'charge'],
    ['refund', 'refund', 'refund'],
    ['payment_refund', 'refund', 'refund'],
    ['refund_failure', 'refund_failure', 'refundFailed'],
    ['adjustment', 'dispute', 'dispute'],
    ['adjustment', 'dispute_reversal', 'disputeReversed'],
    ['adjustment', 'other_adjustment', 'other'],
    ['stripe_fee', 'fee', 'fee'],
    ['stripe_fx_fee', 'fee', 'fee'],
    ['tax_fee', 'tax', 'fee'],
    ['payout', 'payout', 'payout'],
    ['payout_failure', 'payout_reversal', 'payoutReturned'],
    ['payout_cancel', 'payout_reversal', 'payoutReturned'],
    ['topup', 'topup', 'other'],
    ['a type of the future', 'unknown', 'other'],
  ])('takes the type %s with the category %s for %s', (type, category, kind) => {
    expect(kindOf({ type, category })).toBe(kind);
  });
});

describe('isShopless', () => {
  it.each([
    ['fee', 'stripe_fee', true],
    ['payout', 'payout', true],
    ['payoutReturned', 'payout_failure', true],
    ['other', 'topup', true],
    ['other', null, true],
    ['other', 'reserve_transfer', true],
    ['other', 'transfer', false],
    ['other', 'application_fee_refund', false],
    ['charge', 'charge', false],
    ['refund', 'refund', false],
    ['refundFailed', 'refund_failure', false],
    ['dispute', 'adjustment', false],
    ['disputeReversed', 'adjustment', false],
  ] as const)('says of a %s of the type %s without a payment: %s', (kind, type, expected) => {
    expect(isShopless(kind, type)).toBe(expected);
  });
});

describe('matchOf', () => {
  const line = (account: number, cents: number, reversal_id: string | null = null): CashLine => ({
    account,
    cents,
    reversal_id,
    lot_id: 'cs_1',
  });
  const lines = [line(1010, 1000), line(1020, -400, 're_1'), line(1020, 400, 're_1'), line(1030, -600, 'du_1')];

  it('finds the purchase of a charge with any amount', () => {
    expect(matchOf('charge', lines, ['ch_1'])).toEqual(match(1000));
  });

  it('finds a refund by its own id or by the order that caused it, and its failure by the sign', () => {
    const found = { sessionId: 'cs_1', reversalId: 're_1', matchedCents: -400 };
    expect(matchOf('refund', lines, ['re_1', null])).toEqual(found);
    expect(matchOf('refund', lines, ['re_9', 're_1'])).toEqual(found);
    expect(matchOf('refundFailed', lines, ['re_1'])).toEqual({ ...found, matchedCents: 400 });
    expect(matchOf('refund', lines, ['re_2'])).toBeNull();
  });

  it('finds an open dispute, and nothing for a won one that the ledger has not reinstated', () => {
    expect(matchOf('dispute', lines, ['du_1'])).toMatchObject({ matchedCents: -600 });
    expect(matchOf('disputeReversed', lines, ['du_1'])).toBeNull();
    const won = [...lines, line(1030, 600, 'du_1')];
    expect(matchOf('disputeReversed', won, ['du_1'])).toMatchObject({ matchedCents: 600 });
  });

  it('finds no line of another account, of nothing, or without a reversal', () => {
    expect(matchOf('refund', lines, ['du_1'])).toBeNull();
    expect(matchOf('charge', [line(1010, 0)], [])).toBeNull();
    expect(matchOf('refund', [line(1020, -400)], ['re_1', null])).toBeNull();
  });

  it.each(['fee', 'payout', 'payoutReturned', 'other'] as const)('compares nothing of the kind %s', (kind) => {
    expect(matchOf(kind, lines, ['re_1', 'du_1'])).toBeNull();
  });
});

describe('processorLines', () => {
  it('posts only the fee of a payment that the ledger has', () => {
    const event = recordOf(transaction({ feeCents: 59 }), match(1000));
    expect(posted(event)).toEqual([
      [1040, -59],
      [5300, 59],
    ]);
  });

  it('posts a payment that no purchase knows, and takes the lines back when the ledger has it', () => {
    expect(posted(recordOf(transaction({}), null))).toEqual([
      [1015, 1000],
      [2300, -1000],
    ]);
    const matched = { schemaVersion: 1, transactionId: 'txn_1', match: match(1000) } as const;
    expect(posted({ type: 'TransactionMatched', data: matched })).toEqual([
      [1015, -1000],
      [2300, 1000],
    ]);
  });

  it('moves what another shop earned, less its fee, to the accounts of other shops', () => {
    const record = recordOf(transaction({ grossCents: 4200, feeCents: 152 }), null);
    const sums = new Map<number, number>();
    for (const [account, cents] of [...posted(record), ...posted(disownedOf(record.data))]) {
      sums.set(account, (sums.get(account) ?? 0) + cents);
    }
    expect([...sums].filter(([, cents]) => cents !== 0)).toEqual([
      [1060, 4048],
      [2310, -4048],
    ]);
  });

  it('posts the difference when the ledger has another amount', () => {
    expect(posted(recordOf(transaction({}), match(900)))).toEqual([
      [1015, 100],
      [2300, -100],
    ]);
  });

  it('posts a refund that the ledger does not know against the unmatched receipts', () => {
    expect(posted(recordOf(transaction({ type: 'refund', grossCents: -1000 }), null))).toEqual([
      [1015, -1000],
      [2300, 1000],
    ]);
  });

  it('posts the fee of a dispute that the ledger has', () => {
    const dispute = transaction({ type: 'adjustment', category: 'dispute', grossCents: -600, feeCents: 1500 });
    expect(posted(recordOf(dispute, { sessionId: 'cs_1', reversalId: 'du_1', matchedCents: -600 }))).toEqual([
      [1040, -1500],
      [5300, 1500],
    ]);
  });

  it('posts a fee that is charged by itself', () => {
    expect(posted(recordOf(transaction({ type: 'stripe_fee', category: 'fee', grossCents: -200 }), null))).toEqual([
      [1040, -200],
      [5300, 200],
    ]);
  });

  it('moves a payout to the bank, and its return back', () => {
    expect(posted(recordOf(transaction({ type: 'payout', grossCents: -9000 }), null))).toEqual([
      [1050, -9000],
      [1100, 9000],
    ]);
    expect(posted(recordOf(transaction({ type: 'payout_failure', grossCents: 9000 }), null))).toEqual([
      [1050, 9000],
      [1100, -9000],
    ]);
  });

  const types = fc.constantFrom(
    ...([
      'charge',
      'refund',
      'refund_failure',
      'adjustment',
      'stripe_fee',
      'payout',
      'payout_failure',
      'topup',
    ] as const),
  );
  const events = fc
    .record({
      type: types,
      category: fc.constantFrom('dispute', 'dispute_reversal', 'x'),
      grossCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      feeCents: fc.integer({ min: -5000, max: 5000 }),
      matched: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 })),
    })
    .map(
      ({ matched, ...fields }) =>
        (id: number): ProcessorEvent =>
          recordOf(transaction({ id: `txn_${id}`, ...fields }), matched === null ? null : match(matched)),
    );
  const history = fc.array(events, { maxLength: 30 }).map((made) => made.map((make, id) => make(id)));

  it('makes lines that sum to zero, and cash that grows by the net amount less what the ledger has posted', () => {
    fc.assert(
      fc.property(history, (made) => {
        for (const event of made) {
          const lines = processorLines(event);
          expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
          if (event.type !== 'BalanceTransactionRecorded') continue;
          const { kind, netCents, match: found } = event.data;
          const compared = !['fee', 'payout', 'payoutReturned'].includes(kind);
          const cash = lines.reduce((sum, { account, cents }) => sum + (account < 1100 ? cents : 0), 0);
          expect(cash).toBe(netCents - (compared ? (found?.matchedCents ?? 0) : 0));
        }
      }),
    );
  });

  it('gives the same events and the same books for any order and repetition of pages', () => {
    const booksOf = (made: readonly ProcessorEvent[]): unknown => {
      // The store holds each id once.
      const stored = new Map(made.map((event) => [processorEventId(event), event]));
      const sums = new Map<number, number>();
      for (const event of stored.values()) {
        for (const { account, cents } of processorLines(event)) sums.set(account, (sums.get(account) ?? 0) + cents);
      }
      return { ids: [...stored.keys()].sort(), sums: [...sums].sort(([a], [b]) => a - b) };
    };
    const read = history.chain((made) =>
      fc.record({
        made: fc.constant(made),
        again: fc.shuffledSubarray([...made]),
        order: fc.shuffledSubarray([...made], { minLength: made.length }),
      }),
    );
    fc.assert(
      fc.property(read, ({ made, again, order }) => {
        expect(booksOf([...order, ...again])).toEqual(booksOf(made));
      }),
    );
  });
});

describe('processorEventId', () => {
  it('follows from the type and the transaction, as a UUID', () => {
    const event = recordOf(transaction({}), null);
    const id = processorEventId(event);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(processorEventId(recordOf(transaction({ grossCents: 5 }), match(5)))).toBe(id);
    expect(processorEventId(recordOf(transaction({ id: 'txn_2' }), null))).not.toBe(id);
    const matched = { schemaVersion: 1, transactionId: 'txn_1', match: match(1000) } as const;
    expect(processorEventId({ type: 'TransactionMatched', data: matched })).not.toBe(id);
  });
});
