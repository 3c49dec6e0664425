import { hash as digest } from 'node:crypto';

/** An unfinished tree: the number of leaves, and the hash of each complete subtree in hex. */
export type MerkleState = { count: number; peaks: string[] };

/** Proves that a tree contains a leaf: its index, and the hashes next to its way to the root (RFC 6962, 2.1.1). */
export interface InclusionProof {
  readonly index: number;
  /** Lower-case hex, from the leaf to the root. */
  readonly path: readonly string[];
}

/** A complete subtree. */
interface Subtree {
  readonly hash: Buffer;
  /** The path of the leaf that is to be proven within the subtree; null when the subtree does not contain it. */
  readonly path: readonly string[] | null;
}

/**
 * Computes the root of a Merkle tree incrementally, as RFC 6962 defines it: leaves are prefixed with a zero byte, nodes
 * with a one byte. Can prove one leaf. Keeps one hash for each level, regardless of the number of leaves.
 */
export class MerkleRoot {
  /** Complete subtrees, the largest first; sizes are the powers of two in `count`. */
  private readonly peaks: Subtree[];
  private count: number;
  private proven: number | null = null;

  constructor(state: MerkleState = { count: 0, peaks: [] }) {
    this.count = state.count;
    this.peaks = state.peaks.map((peak) => ({ hash: Buffer.from(peak, 'hex'), path: null }));
  }

  /** The state from which a new instance can continue. It has no proof. */
  save(): MerkleState {
    return { count: this.count, peaks: this.peaks.map(({ hash }) => hash.toString('hex')) };
  }

  /** @param isProven true for the leaf that is to be proven */
  add(leaf: string | Buffer, isProven = false): void {
    let node: Subtree = { hash: leafHash(leaf), path: isProven ? [] : null };
    if (isProven) this.proven = this.count;
    for (let size = this.count; size % 2 === 1; size = (size - 1) / 2) node = joined(this.pop(), node);
    this.peaks.push(node);
    this.count += 1;
  }

  /** The root in lower-case hex. Without leaves it is the hash of the empty string. */
  root(): string {
    return this.joinedPeaks()?.hash.toString('hex') ?? digest('sha256', '', 'hex');
  }

  /** Null when no leaf was to be proven. */
  proof(): InclusionProof | null {
    const path = this.joinedPeaks()?.path;
    return path && this.proven !== null ? { index: this.proven, path } : null;
  }

  private joinedPeaks(): Subtree | undefined {
    const last = this.peaks.at(-1);
    return last && this.peaks.slice(0, -1).reduceRight((right, left) => joined(left, right), last);
  }

  private pop(): Subtree {
    const peak = this.peaks.pop();
    if (!peak) throw new Error('There is no subtree of that size.');
    return peak;
  }
}

function joined(left: Subtree, right: Subtree): Subtree {
  const hash = nodeHash(left.hash, right.hash);
  if (left.path) return { hash, path: [...left.path, right.hash.toString('hex')] };
  return { hash, path: right.path && [...right.path, left.hash.toString('hex')] };
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The hash of a leaf. */
export function leafHash(leaf: string | Buffer): Buffer {
  return digest('sha256', Buffer.concat([LEAF, typeof leaf === 'string' ? Buffer.from(leaf) : leaf]), 'buffer');
}

/** The hash of a node with these children. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return digest('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}
