import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openText, sealText } from './sealed-text.js';

const key = randomBytes(32);

describe('openText', () => {
  it('returns the text with the same key and context', () => {
    const sealed = sealText('a key, ä', key, 'name');
    expect(openText(sealed, key, 'name')).toBe('a key, ä');
    expect(sealText('a key, ä', key, 'name').equals(sealed)).toBe(false);
  });

  it('returns null with another key or context, and for changed or cut bytes', () => {
    const sealed = sealText('a key', key, 'name');
    expect(openText(sealed, randomBytes(32), 'name')).toBeNull();
    expect(openText(sealed, key, 'another name')).toBeNull();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(openText(changed, key, 'name')).toBeNull();
      expect(openText(sealed.subarray(0, at), key, 'name')).toBeNull();
    }
  });
});
