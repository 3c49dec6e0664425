import { describe, expect, it } from '@jest/globals';
import { orphansOf } from './orphans.js';

const folders = Array.from({ length: 20 }, (_, index) => `folder-${index}`);

describe('orphansOf', () => {
  it('returns the folders that are not used', () => {
    expect(orphansOf(['a', 'b'], new Set(['a']))).toEqual(['b']);
    expect(orphansOf(['a', 'b'], new Set())).toEqual(['a', 'b']);
    expect(orphansOf(folders, new Set(['folder-0']))).toHaveLength(19);
  });

  it('returns null for many folders of which none is used', () => {
    expect(orphansOf(folders, new Set())).toBeNull();
  });
});
