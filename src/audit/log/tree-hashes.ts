import { createHash } from 'node:crypto';
import { nodeHash } from '../seals/merkle-root.js';

/** Hashes of a full tile, and the width of a step between two levels of tiles (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
/** Hashes of a group: a full tile has 16 groups. */
export const GROUP_WIDTH = 16;

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

/** The root of a tree (RFC 6962, section 2.1). */
export function rootOf(size: number, hashAt: HashAt): Buffer {
  return size === 0 ? createHash('sha256').digest() : rangeHash(0, size, hashAt);
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
      const groups = groupsOf(end.splice(0));
      hash = treeHash(groups);
      nodes.push({ level: level + 1, index: levelSize(this.size, level + 1), hash, groups: Buffer.concat(groups) });
    }
    this.size += 1;
    return nodes;
  }
}

/** The tree hashes of the groups of a full tile. */
function groupsOf(tile: readonly Buffer[]): Buffer[] {
  return Array.from({ length: TILE_WIDTH / GROUP_WIDTH }, (_, group) =>
    treeHash(tile.slice(group * GROUP_WIDTH, (group + 1) * GROUP_WIDTH)),
  );
}

/** The tree hash of consecutive hashes. @param hashes at least one */
function treeHash(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (hashes.length === 1 && first) return first;
  const half = largestPowerBelow(hashes.length);
  return nodeHash(treeHash(hashes.slice(0, half)), treeHash(hashes.slice(half)));
}

/**
 * The tree hash of leaves `from` to `to` (not included), where `from` is a multiple of the width's largest power of 2.
 */
function rangeHash(from: number, to: number, hashAt: HashAt): Buffer {
  // Complete subtrees, the largest first. Each level of tiles has those of 1 to 128 times its width.
  const subtrees: Buffer[] = [];
  let start = from;
  while (start < to) {
    const width = largestPowerWithin(to - start);
    const level = Math.floor(Math.log2(width) / 8);
    const step = TILE_WIDTH ** level;
    const hashes = Array.from({ length: width / step }, (_, offset) => hashAt(level, start / step + offset));
    subtrees.push(treeHash(hashes));
    start += width;
  }
  return subtrees.reduceRight((right, left) => nodeHash(left, right));
}

function largestPowerWithin(count: number): number {
  let power = 1;
  while (power * 2 <= count) power *= 2;
  return power;
}

function largestPowerBelow(count: number): number {
  return largestPowerWithin(count - 1);
}
