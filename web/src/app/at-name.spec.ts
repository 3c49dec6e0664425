import { describe, expect, it } from '@jest/globals';
import { withoutAt } from './at-name.js';

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
