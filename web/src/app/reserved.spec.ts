import { describe, expect, it } from '@jest/globals';
import { isReservedSegment } from './reserved.js';

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
