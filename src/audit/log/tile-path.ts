import { levelSize, TILE_WIDTH, type HashRange } from './tree-hashes.js';

/** A tile as its address names it. */
interface Tile extends HashRange {
  /** The entries themselves instead of their hashes; the level is 0. */
  readonly entries: boolean;
}

/** More levels than a tree of 2^53 leaves has. */
const LEVEL = /^(?:0|[1-9]\d?)$/;

/**
 * Reads the address of a tile behind `/ledger/tile/`, such as `0`, `x001`, `067.p`, `112`; null when it is none (C2SP
 * tlog-tiles). Each tile has exactly one address.
 */
export function parseTilePath(level: string, path: readonly string[]): Tile | null {
  const entries = level === 'entries';
  if (!entries && !LEVEL.test(level)) return null;
  const partial = /^(.*)\.p\/([1-9]\d{0,2})$/.exec(path.join('/'));
  const width = partial ? Number(partial[2]) : TILE_WIDTH;
  if (partial && width >= TILE_WIDTH) return null;
  const groups = (partial?.[1] ?? path.join('/')).split('/');
  const last = groups.pop() ?? '';
  if (groups.length > 4 || !/^\d{3}$/.test(last) || !groups.every((group) => /^x\d{3}$/.test(group))) return null;
  // Without leading groups of zeros: each tile has one address.
  if (groups[0] === 'x000') return null;
  const number = Number(groups.map((group) => group.slice(1)).join('') + last);
  const from = number * TILE_WIDTH;
  return { entries, level: entries ? 0 : Number(level), from, to: from + width };
}

/** Whether a tree of this size has all hashes of a tile. */
export function isWithin({ level, to }: HashRange, size: number): boolean {
  return to <= levelSize(size, level);
}

/** The content of a tile of entries: each with its length in front, big-endian, two bytes. */
export function entriesTile(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}
