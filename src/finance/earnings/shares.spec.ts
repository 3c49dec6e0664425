import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { earningEventId, earningReference } from './events.js';
import { type SharePosting, sharesOf } from './shares.js';

const EVENT = '019cd6f1-1b90-7c04-8a9e-6f1d2f3b7a01';
const posting = (fields: Partial<SharePosting>): SharePosting => ({
  creator_id: 'ada',
  kind: 'earning',
  creator_cents: 54,
  occurred_at: new Date('2026-11-02T09:00:00Z'),
  payable_at: new Date('2026-12-02T09:00:00Z'),
  ...fields,
});

describe('sharesOf', () => {
  it('records an earning at the times of its posting', () => {
    expect(sharesOf(EVENT, [posting({})])).toEqual([
      {
        creatorId: 'ada',
        event: {
          type: 'EarningPosted',
          data: {
            schemaVersion: 1,
            reference: earningReference(EVENT, 0),
            kind: 'earning',
            cents: 54,
            earnedAt: '2026-11-02T09:00:00.000Z',
            payableAt: '2026-12-02T09:00:00.000Z',
          },
        },
      },
    ]);
  });

  it('records a correction and a restoration with their cents', () => {
    const postings = [
      posting({ kind: 'correction', creator_cents: -20 }),
      posting({ kind: 'restoration', creator_cents: 7 }),
    ];
    const shares = sharesOf(EVENT, postings).map(({ event: { data } }) => [data.kind, data.cents]);
    expect(shares).toEqual([
      ['correction', -20],
      ['restoration', 7],
    ]);
  });

  it('gives each share a reference and an id of its own, in any order of the lines', () => {
    const lines = fc.array(
      fc.record({
        creator_id: fc.constantFrom('ada', 'bob'),
        kind: fc.constantFrom('earning' as const, 'restoration' as const),
        creator_cents: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(lines, (made) => {
        const shares = sharesOf(EVENT, made.map(posting));
        expect(new Set(shares.map(({ event }) => event.data.reference)).size).toBe(made.length);
        expect(new Set(shares.map(({ event }) => earningEventId(event))).size).toBe(made.length);
        expect(sharesOf(EVENT, made.map(posting).reverse())).toEqual(shares);
      }),
    );
  });

  it('refers to the event and the place of the share in it, and to nothing else', () => {
    const due = createHash('sha256').update(`${EVENT} 1`).digest('hex');
    const shares = sharesOf(EVENT, [posting({ creator_id: 'bob' }), posting({})]);
    expect(shares.map(({ creatorId }) => creatorId)).toEqual(['ada', 'bob']);
    expect(shares[1]?.event.data.reference).toBe(due);
    expect(earningEventId(shares[1]?.event ?? fail())).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });

  it('records nothing for a posting that gives the creator nothing, and leaves it out of the places', () => {
    expect(sharesOf(EVENT, [posting({ creator_cents: 0, creator_id: 'aaron' })])).toEqual([]);
    const shares = sharesOf(EVENT, [posting({ creator_cents: 0, creator_id: 'aaron' }), posting({})]);
    expect(shares.map(({ event }) => event.data.reference)).toEqual([earningReference(EVENT, 0)]);
  });
});

function fail(): never {
  throw new Error('There is no second share.');
}
