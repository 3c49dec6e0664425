import { describe, expect, it } from '@jest/globals';
import { isReservedSegment, withoutAt } from './reserved.js';

describe('reserved first segments', () => {
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
    'rest',
    'media',
    '__clerk',
    'favicon.ico',
  ])('keeps /%s for the product', (segment) => {
    expect(isReservedSegment(segment)).toBe(true);
  });

  it.each(['junoabara', 'admin2', 'creators', 'kit_hanamori', 'mara-solveig'])('lets /%s be a username', (segment) => {
    expect(isReservedSegment(segment)).toBe(false);
  });
});

describe('an address with an @ before the name', () => {
  it.each([
    ['/@kithanamori', '/kithanamori'],
    ['/%40kithanamori', '/kithanamori'],
    ['/@kithanamori/generate/1', '/kithanamori/generate/1'],
  ])('%s is that of %s', (written, meant) => {
    expect(withoutAt(written)).toBe(meant);
  });

  it.each(['/kithanamori', '/@', '/@@kithanamori', '/@//elsewhere.example', '/kithanamori/@'])('%s stays', (path) => {
    expect(withoutAt(path)).toBeNull();
  });
});
