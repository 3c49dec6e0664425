import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { leafHash } from '../seals/merkle-root.js';
import { openCheckpoint, signedCheckpoint } from './checkpoint.js';
import { InclusionProofs } from './inclusion-proofs.js';
import { verifierKey } from './signed-note.js';
import { parseTilePath } from './tile-path.js';
import { GrowingTree, type HashAt, type HashRange, rootOf } from './tree-hashes.js';

/** Made with `golang.org/x/mod/sumdb`, which shares nothing with this code. */
interface Vectors {
  readonly leafHashes: Readonly<Record<string, string>>;
  readonly roots: Readonly<Record<string, string>>;
  readonly inclusion: readonly { readonly size: number; readonly index: number; readonly proof: readonly string[] }[];
  readonly tilesOf70000: Readonly<Record<string, string>>;
  readonly checkpoint: string;
  readonly vkey: string;
  readonly tlogProof: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/support/tlog-vectors.json', import.meta.url), 'utf8'),
) as Vectors;
const SIZE = 70_000;
const ORIGIN = 'localhost:3000/ledger';

const entry = (index: number): Buffer => createHash('sha256').update(`event ${index}`).digest();
const seed = createHash('sha256').update('fanvas test vector key').digest();
const key: KeyObject = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
});

let hashAt: HashAt;
const contentOf = ({ level, from, to }: HashRange): Buffer =>
  Buffer.concat(
    Array.from({ length: to - from }, (_, place) => (level === 0 ? entry(from + place) : hashAt(level, from + place))),
  );
const proofs = new InclusionProofs((tiles) => Promise.resolve(tiles.map(contentOf)));
const groups: Buffer[] = [];
const leafAt = (index: number, size: number): Parameters<InclusionProofs['path']>[0] => {
  const tile = Math.floor(index / 256);
  const from = index - (index % 16);
  if ((tile + 1) * 256 > size) return { index, around: null };
  const entries = contentOf({ level: 0, from, to: from + 16 });
  return { index, around: { entries, groups: groups[tile] ?? Buffer.alloc(0) } };
};

beforeAll(() => {
  const levels: Buffer[][] = [[]];
  const tree = new GrowingTree(0, () => Buffer.alloc(0));
  for (let index = 0; index < SIZE; index += 1) {
    const leaf = leafHash(entry(index));
    levels[0]?.push(leaf);
    for (const node of tree.add(leaf)) {
      (levels[node.level] ??= [])[node.index] = node.hash;
      if (node.level === 1) groups[node.index] = node.groups;
    }
  }
  hashAt = (level, index) => levels[level]?.[index] ?? Buffer.alloc(0);
});

describe('log of the ledger', () => {
  it('makes the leaf hashes of an independent implementation', () => {
    for (const [index, hash] of Object.entries(vectors.leafHashes)) {
      expect(leafHash(entry(Number(index))).toString('base64')).toBe(hash);
    }
  });

  it('makes the roots of an independent implementation', () => {
    for (const [size, root] of Object.entries(vectors.roots)) {
      expect({ size, root: rootOf(Number(size), hashAt).toString('base64') }).toEqual({ size, root });
    }
  });

  it('makes the inclusion proofs of an independent implementation', async () => {
    for (const { size, index, proof } of vectors.inclusion) {
      const path = await proofs.path(leafAt(index, size), size);
      expect(path.map((hash) => hash.toString('base64'))).toEqual(proof);
    }
  });

  it('makes the tiles of an independent implementation', () => {
    for (const [path, expected] of Object.entries(vectors.tilesOf70000)) {
      const [level = '', ...rest] = path.split('/').slice(1);
      const tile = parseTilePath(level, rest);
      if (!tile) throw new Error(`${path} is no tile.`);
      const hashes = Array.from({ length: tile.to - tile.from }, (_, place) => hashAt(tile.level, tile.from + place));
      const bytes = Buffer.concat(hashes);
      expect(`${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`).toBe(expected);
    }
  });

  it('signs checkpoints and writes keys as an independent implementation does', () => {
    expect(verifierKey(ORIGIN, key)).toBe(vectors.vkey);
    const root = rootOf(SIZE, hashAt);
    expect(signedCheckpoint({ origin: ORIGIN, size: SIZE, root }, key)).toBe(vectors.checkpoint);
    expect(openCheckpoint(vectors.checkpoint, [createPublicKey(key)])).toEqual({ origin: ORIGIN, size: SIZE, root });
  });

  it('writes proofs as an independent implementation does', async () => {
    const found = await proofs.prove(leafAt(43_210, SIZE), { size: SIZE, note: vectors.checkpoint });
    expect(found).toBe(vectors.tlogProof);
  });
});
