import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { earningEventId, earningReference } from './events.js';
import { type ShareLine, sharesOf } from './shares.js';

const EVENT = '019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a01';
const line = (fields: Partial<ShareLine>): ShareLine => ({
  ...{ creator_id: 'ada', reversal_id: null, cents: -54 },
  ...{ occurred_at: new Date('2026-11-02T09:00:00Z'), payable_at: new Date('2026-12-02T09:00:00Z'), ...fields },
});

describe('sharesOf', () => {
  it('records a credit without a reversal as an earning, at the times of its line', () => {
    expect(sharesOf(EVENT, [line({})])).toEqual([
      {
        creatorId: 'ada',
        event: {
          type: 'EarningPosted',
          data: {
            ...{ schemaVersion: 1, reference: earningReference(EVENT, 0), kind: 'earning', cents: 54 },
            ...{ earnedAt: '2026-11-02T09:00:00.000Z', payableAt: '2026-12-02T09:00:00.000Z' },
          },
        },
      },
    ]);
  });

  it('records a debit as a correction, and a credit of a reversal as a restoration', () => {
    const lines = [line({ reversal_id: 're_1', cents: 20 }), line({ reversal_id: 're_1', cents: -7 })];
    const shares = sharesOf(EVENT, lines).map(({ event: { data } }) => [data.kind, data.cents]);
    expect(shares).toEqual([
      ['correction', -20],
      ['restoration', 7],
    ]);
  });

  it('gives each share a reference and an id of its own, in any order of the lines', () => {
    const lines = fc.array(
      fc.record({
        creator_id: fc.constantFrom('ada', 'bob'),
        reversal_id: fc.constantFrom(null, 're_1'),
        cents: fc.integer({ min: -60, max: -1 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(lines, (made) => {
        const shares = sharesOf(EVENT, made.map(line));
        expect(new Set(shares.map(({ event }) => event.data.reference)).size).toBe(made.length);
        expect(new Set(shares.map(({ event }) => earningEventId(event))).size).toBe(made.length);
        expect(sharesOf(EVENT, made.map(line).reverse())).toEqual(shares);
      }),
    );
  });

  it('refers to the event and the place of the share in it, and to nothing else', () => {
    const due = createHash('sha256').update(`${EVENT} 1`).digest('hex');
    const shares = sharesOf(EVENT, [line({ creator_id: 'bob' }), line({})]);
    expect(shares.map(({ creatorId }) => creatorId)).toEqual(['ada', 'bob']);
    expect(shares[1]?.event.data.reference).toBe(due);
    expect(earningEventId(shares[1]?.event ?? fail())).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });

  it.each([['creator_id'], ['payable_at']])('refuses a line without %s', (column) => {
    expect(() => sharesOf(EVENT, [line({ [column]: null })])).toThrow('names no creator, or has no time');
  });
});

function fail(): never {
  throw new Error('There is no second share.');
}
