import { describe, expect, it } from '@jest/globals';
import { isIncluded } from './merkle-proof.js';
import { MerkleRoot } from './merkle-root.js';

describe('MerkleRoot', () => {
  it('proves every leaf of trees of all sizes, and nothing else', () => {
    for (let leaves = 1; leaves <= 20; leaves += 1) {
      const names = Array.from({ length: leaves }, (_, index) => `leaf ${index}`);
      const tree = new MerkleRoot();
      for (const name of names) tree.add(name);
      const root = tree.root();
      for (const [index, name] of names.entries()) {
        const prover = new MerkleRoot();
        for (const other of names) prover.add(other, other === name);
        const proof = prover.proof();
        if (!proof) throw new Error('There is no proof.');
        expect(proof.index).toBe(index);
        expect(isIncluded(name, proof, { leaves, root })).toBe(true);
        expect(isIncluded('another leaf', proof, { leaves, root })).toBe(false);
        expect(isIncluded(name, { ...proof, index: index + 1 }, { leaves, root })).toBe(false);
        expect(isIncluded(name, { ...proof, path: [...proof.path, root] }, { leaves, root })).toBe(false);
        if (leaves > 1) expect(isIncluded(name, { ...proof, path: proof.path.slice(1) }, { leaves, root })).toBe(false);
      }
    }
  });

  it('makes no proof of a leaf that the tree lacks', () => {
    const prover = new MerkleRoot();
    prover.add('leaf', false);
    expect(prover.proof()).toBeNull();
  });
});
