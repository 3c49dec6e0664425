import { hash as digest } from 'node:crypto';
import { tlogProof } from './checkpoint.js';
import { LedgerLogError, type LogLeaf } from './log-store.js';
import { type HashRange, levelSize, TILE_WIDTH } from './tree-hashes.js';

const HASH_BYTES = 32;
/** Kept tiles, 16 kB each. Those above the leaves of 16 million events. */
const MOST_TILES = 256;

/** A complete subtree: leaves `from` to `from + width`, where the width is a power of 2. */
interface Subtree {
  readonly from: number;
  readonly width: number;
}

/** A tile with all hashes above it: layer 0 has its hashes, each next layer half as many. */
type TileLayers = readonly Buffer[];

/**
 * Makes inclusion proofs. Tiles above the leaves are few and never change, so it keeps them with all hashes in them: a
 * proof then reads and hashes only the tile of its own leaf.
 */
export class InclusionProofs {
  private readonly tiles = new Map<string, TileLayers>();

  /** @param readTiles returns the hashes of tiles, or the entries of those of level 0, in order */
  constructor(private readonly readTiles: (tiles: readonly HashRange[]) => Promise<readonly Buffer[]>) {}

  /**
   * The proof that a checkpoint has a leaf, as a `.tlog-proof`. One statement, or two when tiles must be read.
   * @param leaf with the entries of its tile, as far as the checkpoint has them
   * @throws LedgerLogError when hashes are missing
   */
  async prove(
    leaf: Pick<LogLeaf, 'index'> & { readonly tile: Buffer },
    { size, note }: { readonly size: number; readonly note: string },
  ): Promise<string> {
    return tlogProof(leaf.index, await this.path(leaf, size), note);
  }

  /** The hashes of a proof, from the sibling of the leaf upwards (RFC 6962, section 2.1.1). */
  async path(leaf: Pick<LogLeaf, 'index'> & { readonly tile: Buffer }, size: number): Promise<Buffer[]> {
    const siblings = siblingsOf(leaf.index, size).map((range) => subtreesOf(range));
    const own = Math.floor(leaf.index / TILE_WIDTH);
    const tiles = new Map<string, TileLayers>([[`0 ${own} ${tileWidth(0, own, size)}`, layersOf(leaf.tile, true)]]);
    await this.read(siblings.flat(), size, tiles);
    const hashOf = ({ from, width }: Subtree): Buffer => {
      const { level, tile, place, height } = placeOf(from, width);
      const layers = tiles.get(`${level} ${tile} ${tileWidth(level, tile, size)}`);
      const start = (place >> height) * HASH_BYTES;
      const hash = layers?.[height]?.subarray(start, start + HASH_BYTES);
      if (hash?.length === HASH_BYTES) return hash;
      throw new LedgerLogError(`The log lacks hashes of tile ${tile} of level ${level}: its tables were changed.`);
    };
    return siblings.map((parts) => parts.map(hashOf).reduceRight((right, left) => nodeOf(left, right)));
  }

  /** Adds the tiles of these subtrees: the kept ones, and the others from the database. */
  private async read(subtrees: readonly Subtree[], size: number, tiles: Map<string, TileLayers>): Promise<void> {
    const missing = new Map<string, HashRange>();
    for (const { from, width } of subtrees) {
      const { level, tile } = placeOf(from, width);
      const count = tileWidth(level, tile, size);
      const name = `${level} ${tile} ${count}`;
      const kept = tiles.get(name) ?? this.tiles.get(name);
      if (kept) tiles.set(name, kept);
      else missing.set(name, { level, from: tile * TILE_WIDTH, to: tile * TILE_WIDTH + count });
    }
    if (missing.size === 0) return;
    const names = [...missing.keys()];
    for (const [place, content] of (await this.readTiles([...missing.values()])).entries()) {
      const name = names[place] ?? '';
      const layers = layersOf(content, name.startsWith('0 '));
      if (this.tiles.size >= MOST_TILES) this.tiles.clear();
      this.tiles.set(name, layers);
      tiles.set(name, layers);
    }
  }
}

/** The ranges of a proof, from the sibling of the leaf upwards. */
function siblingsOf(index: number, size: number): { from: number; to: number }[] {
  const siblings: { from: number; to: number }[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    let half = 1;
    while (half * 2 < to - from) half *= 2;
    const middle = from + half;
    siblings.unshift(index < middle ? { from: middle, to } : { from, to: middle });
    [from, to] = index < middle ? [from, middle] : [middle, to];
  }
  return siblings;
}

/** The complete subtrees of a range, the largest first. */
function subtreesOf({ from, to }: { readonly from: number; readonly to: number }): Subtree[] {
  const parts: Subtree[] = [];
  for (let start = from; start < to;) {
    let width = 1;
    while (width * 2 <= to - start) width *= 2;
    parts.push({ from: start, width });
    start += width;
  }
  return parts;
}

/** The tile that has a subtree's hashes, and its place there: the first of 2 to the power of `height` hashes. */
function placeOf(from: number, width: number): { level: number; tile: number; place: number; height: number } {
  const height = Math.log2(width);
  const level = Math.floor(height / 8);
  const place = from / TILE_WIDTH ** level;
  return { level, tile: Math.floor(place / TILE_WIDTH), place: place % TILE_WIDTH, height: height - level * 8 };
}

/** Hashes of a tile in a tree of this size. */
function tileWidth(level: number, tile: number, size: number): number {
  return Math.min(TILE_WIDTH, levelSize(size, level) - tile * TILE_WIDTH);
}

/** @param isLeaves the content has entries, which are hashed first */
function layersOf(content: Buffer, isLeaves: boolean): TileLayers {
  let layer = content;
  if (isLeaves) {
    layer = Buffer.alloc(content.length);
    const leaf = Buffer.alloc(1 + HASH_BYTES);
    for (let at = 0; at < content.length; at += HASH_BYTES) {
      content.copy(leaf, 1, at, at + HASH_BYTES);
      writeHash(leaf, layer, at);
    }
  }
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

/** Writes the SHA-256 of some bytes. As text, because a buffer for each of 511 hashes takes three times as long. */
function writeHash(bytes: Buffer, target: Buffer, at: number): void {
  target.write(digest('sha256', bytes, 'hex'), at, 'hex');
}

function nodeOf(left: Buffer, right: Buffer): Buffer {
  return digest('sha256', Buffer.concat([Buffer.of(1), left, right]), 'buffer');
}
