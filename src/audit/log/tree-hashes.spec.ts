import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isIncluded } from '../seals/merkle-proof.js';
import { leafHash, nodeHash } from '../seals/merkle-root.js';
import { InclusionProofs } from './inclusion-proofs.js';
import { LedgerLogError } from './log-store.js';
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

/** The path of a leaf, RFC 6962, section 2.1.1, word by word. */
function pathOf(m: number, list: readonly Buffer[]): Buffer[] {
  if (list.length === 1) return [];
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  if (m < k) return [...pathOf(m, list.slice(0, k)), mth(list.slice(k))];
  return [...pathOf(m - k, list.slice(k)), mth(list.slice(0, k))];
}

/** The leaf with what the database has around it, when the checkpoint of this size was published last. */
function leafIn(size: number, index: number): Parameters<InclusionProofs['path']>[0] {
  const tile = index - (index % 256);
  const group = index - (index % 16);
  if (tile + 256 > size) return { index, around: null };
  const groups = Array.from({ length: 16 }, (_, n) => mth(entries.slice(tile + n * 16, tile + n * 16 + 16)));
  return { index, around: { entries: Buffer.concat(entries.slice(group, group + 16)), groups: Buffer.concat(groups) } };
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
      for (const node of tree.add(leaf)) {
        known.set(`${node.level} ${node.index}`, node.hash);
        known.set(`groups ${node.level} ${node.index}`, node.groups);
      }
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

describe('GrowingTree and groups', () => {
  it('adds the tree hashes of all groups with the tile that they complete, however it grew', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 700 }), (size, step) => {
        const found = [...grown(size, step)].filter(([name]) => name.startsWith('groups'));
        const expected = Array.from({ length: Math.floor(size / 256) }, (_, tile) => [
          ...[`groups 1 ${tile}`, leafIn(size, tile * 256).around?.groups],
        ]);
        expect(found).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('adds the hashes of the groups of higher tiles', () => {
    const tree = new GrowingTree(0, () => Buffer.alloc(0));
    const leaf = leafHash('the same');
    const nodes = Array.from({ length: 256 ** 2 }, () => tree.add(leaf)).flat();
    let hash = leaf;
    for (let height = 0; height < 12; height += 1) hash = nodeHash(hash, hash);
    expect(nodes).toHaveLength(257);
    expect(nodes.at(-1)).toMatchObject({ level: 2, index: 0 });
    expect(nodes.at(-1)?.groups).toEqual(Buffer.concat(Array.from({ length: 16 }, () => hash)));
  });
});

describe('InclusionProofs', () => {
  it('gives the path of RFC 6962 for every leaf at every size, from few hashes', async () => {
    const known = grown(MOST, 400);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(sizes, fc.nat()), { minLength: 1, maxLength: 4 }), async (steps) => {
        const proofs = new InclusionProofs((tiles) => Promise.resolve(tiles.map((tile) => contentOf(known, tile))));
        for (const [size, place] of steps) {
          const leaf = leafIn(size, place % size);
          expect(await proofs.path(leaf, size)).toEqual(pathOf(leaf.index, entries.slice(0, size)));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('reads the tiles above and at the end of a tree once, and the leaves of no other tile', async () => {
    const known = grown(MOST, 400);
    const read: string[] = [];
    const proofs = new InclusionProofs((tiles) => {
      read.push(...tiles.map(({ level, from, to }) => `${level}: ${from} to ${to}`));
      return Promise.resolve(tiles.map((tile) => contentOf(known, tile)));
    });
    for (const index of [0, 300, 255, 1023, 1024, 1029]) await proofs.path(leafIn(1030, index), 1030);
    expect(read.sort()).toEqual(['0: 1024 to 1030', '1: 0 to 4']);
    for (const index of [1040, 0]) await proofs.path(leafIn(1060, index), 1060);
    expect(read.slice(2)).toEqual(['0: 1024 to 1060']);
  });

  it('proves each leaf of a growing tree, and no other entry or index', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(sizes, fc.nat()), { minLength: 1, maxLength: 4 }), async (steps) => {
        const known = grown(MOST, 400);
        // Tiles of leaves are read as entries.
        const proofs = new InclusionProofs((tiles) => Promise.resolve(tiles.map((tile) => contentOf(known, tile))));
        for (const [size, place] of steps.sort(([a], [b]) => a - b)) {
          const index = place % size;
          const path = await proofs.path(leafIn(size, index), size);
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
    const known = grown(MOST, 400);
    const inTiles = (change: (content: Buffer) => Buffer | null): InclusionProofs =>
      new InclusionProofs((tiles) => Promise.resolve(tiles.map((tile) => change(contentOf(known, tile)))));
    const leaf = leafIn(600, 3);
    const short = (content: Buffer): Buffer => content.subarray(32);
    for (const change of [short, () => Buffer.alloc(0), () => null]) {
      const above = /^The log lacks hashes of tile 0 of level 1/;
      const atEnd = /^The log lacks hashes of tile 2 of level 0/;
      await expect(inTiles(change).path(leaf, 600)).rejects.toThrow(above);
      await expect(inTiles(change).path(leafIn(600, 599), 600)).rejects.toThrow(atEnd);
    }
    const { entries: ofGroup = Buffer.alloc(0), groups = Buffer.alloc(0) } = leaf.around ?? {};
    for (const around of [
      { entries: short(ofGroup), groups },
      { entries: ofGroup, groups: short(groups) },
      { entries: ofGroup, groups: Buffer.alloc(0) },
      null,
    ]) {
      const missing = /^The log lacks hashes of tile 0 of level 0/;
      await expect(inTiles((content) => content).path({ index: 3, around }, 600)).rejects.toThrow(missing);
    }
  });

  it('forgets a tile with missing hashes, so that the next proof reads it again', async () => {
    const known = grown(MOST, 400);
    let isBroken = true;
    const proofs = new InclusionProofs((tiles) =>
      Promise.resolve(tiles.map((tile) => (isBroken ? null : contentOf(known, tile)))),
    );
    await expect(proofs.path(leafIn(600, 3), 600)).rejects.toThrow(LedgerLogError);
    isBroken = false;
    expect(await proofs.path(leafIn(600, 3), 600)).toEqual(pathOf(3, entries.slice(0, 600)));
  });
});

function contentOf(known: ReadonlyMap<string, Buffer>, { level, from, to }: HashRange): Buffer {
  if (level === 0) return Buffer.concat(entries.slice(from, to));
  const hashes = Array.from({ length: to - from }, (_, place) => known.get(`${level} ${from + place}`));
  return Buffer.concat(hashes.filter((hash) => hash !== undefined));
}
