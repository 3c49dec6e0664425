import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { acceptKeys, replacedKeyProblem, rotationProblem, signRotation, type KeyRotation } from './key-rotation.js';
import { fingerprintOf } from './signing-key.js';

const pairs = [0, 1, 2, 3].map(() => generateKeyPairSync('ed25519'));
const [first, second, third, stranger] = pairs.map(({ privateKey }) => privateKey) as [
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
];
const publicOf = (key: KeyObject): KeyObject => pairs.find(({ privateKey }) => privateKey === key)!.publicKey;

const AT = '2026-03-10T09:00:00.000Z';
const rotate = (oldKey: KeyObject, newKey: KeyObject, number = 2): KeyRotation =>
  signRotation({ number, previous: 'hash', rotatedAt: AT }, oldKey, newKey);
const accepted = (trusted: KeyObject, rotations: KeyRotation[]): { keys: string[]; words: string[] } => {
  const words: string[] = [];
  const { keys } = acceptKeys([publicOf(trusted)], rotations, (sentence) => words.push(sentence));
  return { keys: keys.map(fingerprintOf).sort(), words };
};
const fingerprints = (...keys: KeyObject[]): string[] => keys.map(fingerprintOf).sort();

describe('acceptKeys', () => {
  const chain = [rotate(second, third, 5), rotate(first, second)];

  it.each([first, second, third])('accepts every key of a chain of rotations, from any of its keys', (trusted) => {
    expect(accepted(trusted, chain)).toEqual({ keys: fingerprints(first, second, third), words: [] });
  });

  it('ignores rotations of keys that no trusted key is connected with', () => {
    expect(accepted(stranger, chain).keys).toEqual(fingerprints(stranger));
  });

  it.each<[string, KeyRotation]>([
    ['the old key has not signed', { ...rotate(first, second), oldSignature: rotate(stranger, second).oldSignature }],
    ['the new key has not signed', { ...rotate(first, second), newSignature: rotate(first, stranger).newSignature }],
    ['whose new key was changed', { ...rotate(first, second), newPublicKey: rotate(first, third).newPublicKey }],
    ['whose number was changed', { ...rotate(first, second), number: 3 }],
    ['whose key is none', { ...rotate(first, second), newPublicKey: 'x' }],
    ['without signatures', { ...rotate(first, second), oldSignature: null as never }],
  ])('refuses a rotation that %s', (_case, rotation) => {
    expect(accepted(first, [rotation]).keys).toEqual(fingerprints(first));
  });

  it('names a key that was replaced by two different keys', () => {
    const { words } = accepted(first, [rotate(first, second), rotate(first, stranger, 3)]);
    expect(words).toEqual([expect.stringContaining('was replaced by two different keys, by seal 2 and seal 3.')]);
  });
});

describe('rotationProblem', () => {
  const rotation = rotate(first, second);
  const seal = { number: 2, previous: 'hash', keyFingerprint: fingerprintOf(first), rotation };

  it('accepts the rotation of this seal', () => {
    expect(rotationProblem(seal)).toBeNull();
  });

  it.each([{ number: 3 }, { previous: null }, { keyFingerprint: fingerprintOf(third) }])(
    'refuses a rotation in another seal: %j',
    (change) => {
      expect(rotationProblem({ ...seal, ...change })).toContain('belongs to another seal');
    },
  );
});

describe('replacedKeyProblem', () => {
  const keys = acceptKeys([publicOf(first)], [rotate(first, second)], () => undefined);
  const file = (key: KeyObject, startedAt: string): { keyFingerprint: string; startedAt: string } => ({
    keyFingerprint: fingerprintOf(key),
    startedAt,
  });

  it('names a file that the old key signed after its replacement', () => {
    expect(replacedKeyProblem(file(first, '2026-03-10T09:00:00.001Z'), keys)).toContain('that seal 2 had replaced at');
  });

  it('accepts older files of the old key, and all files of the new key', () => {
    expect(replacedKeyProblem(file(first, AT), keys)).toBeNull();
    expect(replacedKeyProblem(file(second, '2026-04-01T00:00:00.000Z'), keys)).toBeNull();
  });
});
