import { describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fingerprintOfPem } from './key-copy.js';

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const fingerprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

describe('fingerprintOfPem', () => {
  it('returns the fingerprint that seals have of the key', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    expect(await fingerprintOfPem(pemOf(publicKey))).toBe(fingerprintOf(publicKey));
    expect(await fingerprintOfPem(pemOf(publicKey).replace(/\n/g, '\r\n'))).toBe(fingerprintOf(publicKey));
  });

  it('returns null for text that is no such key', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const armour = (content: string): string => `-----BEGIN PUBLIC KEY-----\n${content}\n-----END PUBLIC KEY-----\n`;
    for (const text of ['', 'no key', armour('AAAA'), armour('A=A=A'), pemOf(rsa)]) {
      expect(await fingerprintOfPem(text)).toBeNull();
    }
  });
});
