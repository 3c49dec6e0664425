import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isIncluded } from '../seals/merkle-proof.js';
import { leafHash, nodeHash } from '../seals/merkle-root.js';
import { InclusionProofs } from './inclusion-proofs.js';
import { GrowingTree, type HashAt, type HashRange, rangesOfRoot, rootOf } from './tree-hashes.js';

const MOST = 1_500;
const entries = Array.from({ length: MOST }, (_, index) => createHash('sha256').update(`${index}`).digest());

/** RFC 6962, section 2.1, word by word. */
function mth(list: readonly Buffer[]): Buffer {
  const [first] = list;
  if (!first) return createHash('sha256').digest();
  if (list.length === 1) return leafHash(first);
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  return nodeHash(mth(list.slice(0, k)), mth(list.slice(k)));
}

/** The hashes of a tree that grew in steps of this many leaves; only those of `allowed` can be read. */
function grown(size: number, step: number): Map<string, Buffer> {
  const known = new Map<string, Buffer>();
  const read: HashAt = (level, index) => known.get(`${level} ${index}`) ?? Buffer.alloc(0);
  for (let from = 0; from < size; from += step) {
    const tree = new GrowingTree(from, read);
    for (let index = from; index < Math.min(from + step, size); index += 1) {
      const leaf = leafHash(entries[index] as Buffer);
      known.set(`0 ${index}`, leaf);
      for (const node of tree.add(leaf)) known.set(`${node.level} ${node.index}`, node.hash);
    }
  }
  return known;
}

function onlyOf(known: ReadonlyMap<string, Buffer>, ranges: ReturnType<typeof rangesOfRoot>): HashAt {
  return (level, index) => {
    const hash = known.get(`${level} ${index}`);
    const isRead = ranges.some((range) => range.level === level && index >= range.from && index < range.to);
    if (!hash || !isRead) throw new Error(`Hash ${index} of level ${level} was not read.`);
    return hash;
  };
}

const sizes = fc.oneof(fc.integer({ min: 1, max: MOST }), fc.constantFrom(1, 255, 256, 257, 511, 512, 513, 1024));

describe('GrowingTree', () => {
  it('has the root of RFC 6962 at every size, from the ends of its levels alone', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 700 }), (size, step) => {
        const hashAt = onlyOf(grown(size, step), rangesOfRoot(size));
        expect(rootOf(size, hashAt)).toEqual(mth(entries.slice(0, size)));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the root of every earlier size', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, part) => {
        const before = part % (size + 1);
        expect(rootOf(before, onlyOf(grown(size, 300), rangesOfRoot(before)))).toEqual(mth(entries.slice(0, before)));
      }),
      { numRuns: 30 },
    );
  });
});

describe('InclusionProofs', () => {
  it('proves each leaf of a growing tree, and no other entry or index', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(sizes, fc.nat()), { minLength: 1, maxLength: 4 }), async (steps) => {
        const known = grown(MOST, 400);
        // Tiles of leaves are read as entries.
        const proofs = new InclusionProofs((tiles) => Promise.resolve(tiles.map((tile) => contentOf(known, tile))));
        for (const [size, place] of steps.sort(([a], [b]) => a - b)) {
          const index = place % size;
          const from = index - (index % 256);
          const tile = Buffer.concat(entries.slice(from, Math.min(from + 256, size)));
          const path = await proofs.path({ index, tile }, size);
          const proof = { index, path: path.map((hash) => hash.toString('hex')) };
          const tree = { leaves: size, root: mth(entries.slice(0, size)).toString('hex') };
          const other = createHash('sha256').update('other').digest();
          expect(isIncluded(entries[index] as Buffer, proof, tree)).toBe(true);
          expect(isIncluded(other, proof, tree)).toBe(false);
          expect(isIncluded(entries[index] as Buffer, { ...proof, index: (index + 1) % size }, tree)).toBe(size === 1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('says which tile lacks hashes', async () => {
    const proofs = new InclusionProofs((tiles) => Promise.resolve(tiles.map(() => Buffer.alloc(0))));
    const tile = Buffer.concat(entries.slice(0, 256));
    await expect(proofs.path({ index: 3, tile }, 600)).rejects.toThrow('The log lacks hashes of tile');
  });
});

function contentOf(known: ReadonlyMap<string, Buffer>, { level, from, to }: HashRange): Buffer {
  if (level === 0) return Buffer.concat(entries.slice(from, to));
  const hashes = Array.from({ length: to - from }, (_, place) => known.get(`${level} ${from + place}`));
  return Buffer.concat(hashes.filter((hash) => hash !== undefined));
}
