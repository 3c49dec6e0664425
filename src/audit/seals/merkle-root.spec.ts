import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MerkleRoot, type MerkleState } from './merkle-root.js';

const rootOf = (leaves: string[]): string => {
  const tree = new MerkleRoot();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
};

/** The definition of RFC 6962, section 2.1. */
const defined = (leaves: string[]): Buffer => {
  const sha256 = (...parts: (Buffer | string)[]): Buffer => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.from([0]), leaves[0] ?? '');
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.from([1]), defined(leaves.slice(0, split)), defined(leaves.slice(split)));
};

describe('MerkleRoot', () => {
  it('computes the root of RFC 6962 for any number of leaves', () => {
    for (let size = 0; size <= 70; size += 1) {
      const leaves = Array.from({ length: size }, (_, index) => `leaf ${index}`);
      expect(rootOf(leaves)).toBe(defined(leaves).toString('hex'));
    }
  });

  it('computes the same root when the tree is saved and restored after any leaf', () => {
    const leaves = Array.from({ length: 21 }, (_, index) => `leaf ${index}`);
    for (let cut = 0; cut <= leaves.length; cut += 1) {
      const first = new MerkleRoot();
      for (const leaf of leaves.slice(0, cut)) first.add(leaf);
      const second = new MerkleRoot(JSON.parse(JSON.stringify(first.save())) as MerkleState);
      for (const leaf of leaves.slice(cut)) second.add(leaf);
      expect(second.root()).toBe(rootOf(leaves));
    }
  });
});
