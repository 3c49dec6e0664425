import { createHash, hash as digest } from 'node:crypto';
import { nodeHash } from '../seals/merkle-root.js';

/** Hashes of a full tile, and the width of a step between two levels of tiles (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
/** Levels of the tree in a tile. */
export const TILE_HEIGHT = Math.log2(TILE_WIDTH);
/** Hashes of a group: a full tile has 16 groups. */
export const GROUP_WIDTH = 16;
/** Levels of the tree in a group. */
export const GROUP_HEIGHT = Math.log2(GROUP_WIDTH);
export const HASH_BYTES = 32;

/**
 * Hashes of one level of tiles: level 0 has the hashes of the leaves, level l + 1 the tree hash of each full tile of
 * level l. `from` is included, `to` is not.
 */
export interface HashRange {
  readonly level: number;
  readonly from: number;
  readonly to: number;
}

/** The kept hashes of a full tile, so that roots, tiles and proofs need not be computed from all leaves. */
export interface LogNode {
  /** From 1: the level that has the tree hash of the tile. */
  readonly level: number;
  readonly index: number;
  /** The tree hash of the tile. */
  readonly hash: Buffer;
  /** The tree hashes of the tile's groups, one after the other. */
  readonly groups: Buffer;
}

/** Returns a hash of a level. @throws Error when it was not read */
export type HashAt = (level: number, index: number) => Buffer;

/** The number of hashes that a level has in a tree of this size. */
export function levelSize(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The hashes from which the root of a tree can be computed: the partial tile at the end of each level. */
export function rangesOfRoot(size: number): HashRange[] {
  const ranges: HashRange[] = [];
  for (let level = 0; levelSize(size, level) > 0; level += 1) {
    const to = levelSize(size, level);
    ranges.push({ level, from: to - (to % TILE_WIDTH), to });
  }
  return ranges;
}

/** A complete subtree: leaves `from` to `from + width`, where the width is a power of 2. */
export interface Subtree {
  readonly from: number;
  readonly width: number;
}

/** The complete subtrees of a range, the largest first. */
export function subtreesOf({ from, to }: { readonly from: number; readonly to: number }): Subtree[] {
  const parts: Subtree[] = [];
  for (let start = from; start < to;) {
    let width = 1;
    while (width * 2 <= to - start) width *= 2;
    parts.push({ from: start, width });
    start += width;
  }
  return parts;
}

/** The root of a tree (RFC 6962, section 2.1). */
export function rootOf(size: number, hashAt: HashAt): Buffer {
  if (size === 0) return createHash('sha256').digest();
  const hashes = subtreesOf({ from: 0, to: size }).map(({ from, width }) => {
    // Each level of tiles has the subtrees of 1 to 128 times its width.
    const level = Math.floor(Math.log2(width) / TILE_HEIGHT);
    const step = TILE_WIDTH ** level;
    const parts = Array.from({ length: width / step }, (_, offset) => hashAt(level, from / step + offset));
    return layerOf(layersOf(Buffer.concat(parts)), Math.log2(parts.length));
  });
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** A tree to which leaves are added. Keeps the partial tile at the end of each level. */
export class GrowingTree {
  private readonly ends: Buffer[][];

  /** @param hashAt returns the hashes of `rangesOfRoot(size)` */
  constructor(
    public size: number,
    hashAt: HashAt,
  ) {
    this.ends = rangesOfRoot(size).map(({ level, from, to }) =>
      Array.from({ length: to - from }, (_, offset) => hashAt(level, from + offset)),
    );
  }

  /** Adds the hash of a leaf. @returns the nodes of the tiles that it completes */
  add(leaf: Buffer): LogNode[] {
    const nodes: LogNode[] = [];
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const end = (this.ends[level] ??= []);
      end.push(hash);
      if (end.length < TILE_WIDTH) break;
      const layers = layersOf(Buffer.concat(end.splice(0)));
      const groups = layerOf(layers, GROUP_HEIGHT);
      hash = layerOf(layers, TILE_HEIGHT);
      nodes.push({ level: level + 1, index: levelSize(this.size, level + 1), hash, groups });
    }
    this.size += 1;
    return nodes;
  }
}

/** Consecutive hashes with all hashes above them: layer 0 has the hashes, each next layer half as many. */
export function layersOf(hashes: Buffer): readonly Buffer[] {
  let layer = hashes;
  const layers = [layer];
  const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);
  while (layer.length >= 2 * HASH_BYTES) {
    const next = Buffer.alloc(Math.floor(layer.length / (2 * HASH_BYTES)) * HASH_BYTES);
    for (let at = 0; at < next.length; at += HASH_BYTES) {
      layer.copy(node, 1, 2 * at, 2 * at + 2 * HASH_BYTES);
      writeHash(node, next, at);
    }
    layers.push(next);
    layer = next;
  }
  return layers;
}

function layerOf(layers: readonly Buffer[], height: number): Buffer {
  const layer = layers[height];
  if (!layer) throw new RangeError(`There are no hashes of height ${height}.`);
  return layer;
}

/** Writes the SHA-256 of some bytes. As text, because a buffer for each hash takes three times as long. */
export function writeHash(bytes: Buffer, target: Buffer, at: number): void {
  target.write(digest('sha256', bytes, 'hex'), at, 'hex');
}
