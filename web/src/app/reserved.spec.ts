import { describe, expect, it } from '@jest/globals';
import { isReservedSegment, withoutAt } from './reserved.js';

describe('isReservedSegment', () => {
  it.each([
    'sign-in',
    'Credits',
    'my-creations',
    'purchase-credits',
    'payment-success',
    'payment-canceled',
    'faq',
    'termsofuse',
    'creator',
    'creator-terms',
    'admin',
    'generation',
    'ledger',
    'rest',
    'v1',
    'media',
    'ledger',
    'v1',
    '__clerk',
    'favicon.ico',
  ])('reserves /%s for the product', (segment) => {
    expect(isReservedSegment(segment)).toBe(true);
  });

  it.each(['junoabara', 'admin2', 'creators', 'kit_hanamori', 'mara-solveig'])(
    'accepts /%s as a username',
    (segment) => {
      expect(isReservedSegment(segment)).toBe(false);
    },
  );
});

describe('withoutAt', () => {
  it.each([
    ['/@kithanamori', '/kithanamori'],
    ['/%40kithanamori', '/kithanamori'],
    ['/@kithanamori/generate/1', '/kithanamori/generate/1'],
  ])('removes the @ of %s: %s', (written, meant) => {
    expect(withoutAt(written)).toBe(meant);
  });

  it.each(['/kithanamori', '/@', '/@@kithanamori', '/@//elsewhere.example', '/kithanamori/@'])(
    'returns null for %s',
    (path) => {
      expect(withoutAt(path)).toBeNull();
    },
  );
});
