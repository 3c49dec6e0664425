import { nodeHash } from '../seals/merkle-root.js';
import { tlogProof } from './checkpoint.js';
import { LedgerLogError, type LeafSurroundings } from './log-store.js';
import {
  GROUP_HEIGHT,
  GROUP_WIDTH,
  HASH_BYTES,
  type HashRange,
  layersOf,
  levelSize,
  type Subtree,
  subtreesOf,
  TILE_HEIGHT,
  TILE_WIDTH,
  writeHash,
} from './tree-hashes.js';

/** Kept tiles, 16 kB each. Those above the leaves of 16 million events. */
const MOST_TILES = 256;

/** A leaf that is to be proven. */
interface ProvenLeaf {
  readonly index: number;
  /** Null when the tree does not have the whole tile of the leaf. */
  readonly around: LeafSurroundings | null;
}

/** A tile in a tree of some size. */
interface Tile {
  readonly level: number;
  readonly tile: number;
  /** Its hashes. */
  readonly count: number;
}

/** A hash of a tile: that of the complete subtree of this height at this place. Undefined when it is not known. */
type TileHash = (index: number, height: number) => Buffer | undefined;

/**
 * Makes inclusion proofs. A proof reads and hashes only the group of its own leaf and the groups of its tile. Tiles
 * above the leaves are few and never change, and the tile at the end of a tree is the same for all its proofs. They are
 * kept with all their hashes.
 */
export class InclusionProofs {
  private readonly tiles = new Map<string, TileHash>();

  /** @param readTiles returns the hashes of tiles, or the entries of those of level 0, in order */
  constructor(private readonly readTiles: (tiles: readonly HashRange[]) => Promise<readonly (Buffer | null)[]>) {}

  /**
   * The proof that a checkpoint has a leaf, as a `.tlog-proof`. Reads nothing when the other tiles are known.
   * @throws LedgerLogError when hashes are missing
   */
  async prove(leaf: ProvenLeaf, { size, note }: { readonly size: number; readonly note: string }): Promise<string> {
    return tlogProof(leaf.index, await this.path(leaf, size), note);
  }

  /** The hashes of a proof, from the sibling of the leaf upwards (RFC 6962, section 2.1.1). */
  async path({ index, around }: ProvenLeaf, size: number): Promise<Buffer[]> {
    const siblings = siblingsOf(index, size).map((range) => subtreesOf(range));
    const own = tileOf(0, Math.floor(index / TILE_WIDTH), size);
    const tiles = new Map<string, TileHash>();
    // A tile that the tree has only in part is at its end, and is kept like the others.
    if (own.count === TILE_WIDTH) tiles.set(nameOf(own), hashesAround(index, around));
    await this.read(siblings.flat(), size, tiles);
    const hashOf = ({ from, width }: Subtree): Buffer => {
      const { level, tile, index: indexInTile, height } = hashPosition(from, width);
      const hash = tiles.get(nameOf(tileOf(level, tile, size)))?.(indexInTile, height);
      if (hash?.length === HASH_BYTES) return hash;
      throw hashesMissing(level, tile);
    };
    return siblings.map((parts) => parts.map(hashOf).reduceRight((right, left) => nodeHash(left, right)));
  }

  /** Adds the tiles of these subtrees: the kept ones, and the others from the database. */
  private async read(subtrees: readonly Subtree[], size: number, tiles: Map<string, TileHash>): Promise<void> {
    const missing = new Map<string, Tile>();
    for (const { from, width } of subtrees) {
      const position = hashPosition(from, width);
      const tile = tileOf(position.level, position.tile, size);
      const name = nameOf(tile);
      const kept = tiles.get(name) ?? this.tiles.get(name);
      if (kept) tiles.set(name, kept);
      else missing.set(name, tile);
    }
    if (missing.size === 0) return;
    const contents = await this.readTiles([...missing.values()].map(rangeOf));
    for (const [index, [name, { level, tile, count }]] of [...missing].entries()) {
      const content = contents[index];
      if (content?.length !== count * HASH_BYTES) throw hashesMissing(level, tile);
      const hashes = hashesOf(level === 0 ? leafHashes(content) : content);
      if (this.tiles.size >= MOST_TILES) this.tiles.clear();
      this.tiles.set(name, hashes);
      tiles.set(name, hashes);
    }
  }
}

/** The ranges of a proof, from the sibling of the leaf upwards. */
function siblingsOf(index: number, size: number): { from: number; to: number }[] {
  const siblings: { from: number; to: number }[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    let half = 1;
    while (half * 2 < to - from) half *= 2;
    const middle = from + half;
    siblings.unshift(index < middle ? { from: middle, to } : { from, to: middle });
    [from, to] = index < middle ? [from, middle] : [middle, to];
  }
  return siblings;
}

/** The tile that has a subtree's hashes, and its place there: the first of 2 to the power of `height` hashes. */
function hashPosition(from: number, width: number): { level: number; tile: number; index: number; height: number } {
  const height = Math.log2(width);
  const level = Math.floor(height / TILE_HEIGHT);
  const index = from / TILE_WIDTH ** level;
  return {
    level,
    tile: Math.floor(index / TILE_WIDTH),
    index: index % TILE_WIDTH,
    height: height - level * TILE_HEIGHT,
  };
}

function tileOf(level: number, tile: number, size: number): Tile {
  return { level, tile, count: Math.min(TILE_WIDTH, levelSize(size, level) - tile * TILE_WIDTH) };
}

function nameOf({ level, tile, count }: Tile): string {
  return `${level} ${tile} ${count}`;
}

function rangeOf({ level, tile, count }: Tile): HashRange {
  return { level, from: tile * TILE_WIDTH, to: tile * TILE_WIDTH + count };
}

/** The hashes of a full tile that prove one of its leaves: those within its group, and those of groups. */
function hashesAround(index: number, around: LeafSurroundings | null): TileHash {
  const isComplete =
    around?.entries.length === GROUP_WIDTH * HASH_BYTES &&
    around.groups.length === (TILE_WIDTH / GROUP_WIDTH) * HASH_BYTES;
  if (!isComplete) throw hashesMissing(0, Math.floor(index / TILE_WIDTH));
  const withinGroup = hashesOf(leafHashes(around.entries));
  const ofGroups = hashesOf(around.groups);
  const group = Math.floor((index % TILE_WIDTH) / GROUP_WIDTH);
  return (indexInTile, height) => {
    if (height >= GROUP_HEIGHT) return ofGroups(indexInTile / GROUP_WIDTH, height - GROUP_HEIGHT);
    return Math.floor(indexInTile / GROUP_WIDTH) === group ? withinGroup(indexInTile % GROUP_WIDTH, height) : undefined;
  };
}

function hashesMissing(level: number, tile: number): LedgerLogError {
  return new LedgerLogError(`The log lacks hashes of tile ${tile} of level ${level}: its tables were changed.`);
}

/** The hashes of leaves with these entries. */
function leafHashes(entries: Buffer): Buffer {
  const hashes = Buffer.alloc(entries.length);
  const leaf = Buffer.alloc(1 + HASH_BYTES);
  for (let at = 0; at < entries.length; at += HASH_BYTES) {
    entries.copy(leaf, 1, at, at + HASH_BYTES);
    writeHash(leaf, hashes, at);
  }
  return hashes;
}

/** The hashes of a tile or a group, with all hashes above them. */
function hashesOf(hashes: Buffer): TileHash {
  const layers = layersOf(hashes);
  return (index, height) => {
    const start = (index >> height) * HASH_BYTES;
    return layers[height]?.subarray(start, start + HASH_BYTES);
  };
}
