import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isPagePath, isReservedSegment, withoutAt } from './paths.js';

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
    'account',
    'closed-account',
    'exports',
    'generation',
    'ledger',
    'rest',
    'v1',
    'media',
    '__clerk',
    '__sandbox-of-tomorrow',
    '.env',
    'about',
    'favicon.ico',
  ])('reserves /%s for the product', (segment) => {
    expect(isReservedSegment(segment)).toBe(true);
  });

  it.each(['junoabara', 'admin2', 'creators', 'kit_hanamori', 'mara-solveig', 'jane.doe', 'three.js'])(
    'accepts /%s as a username',
    (segment) => {
      expect(isReservedSegment(segment)).toBe(false);
    },
  );

  it('reserves the files that the server sends from the root', () => {
    const files = readdirSync(new URL('../../web/public', import.meta.url));
    expect(files.filter((file) => !isReservedSegment(file))).toEqual([]);
  });
});

describe('isPagePath', () => {
  it.each(['/', '/faq', '/FAQ/', '/sign-in', '/sign-in/factor-one', '/admin/users/1', '/creator', '/generation/g1'])(
    'finds a page at %s',
    (path) => expect(isPagePath(path)).toBe(true),
  );

  it.each(['/faq/more', '/oauth', '/generation', '/creator/statement', '/credits/x', '/junoabara', '/a/b/c'])(
    'finds no page at %s',
    (path) => expect(isPagePath(path)).toBe(false),
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
