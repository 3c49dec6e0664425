import { hash as digest } from 'node:crypto';

/** An unfinished tree: the number of leaves, and the hash of each complete subtree in hex. */
export type MerkleState = { count: number; peaks: string[] };

/**
 * Computes the root of a Merkle tree incrementally, as RFC 6962 defines it: leaves are prefixed with a zero byte, nodes
 * with a one byte. Keeps one hash for each level, regardless of the number of leaves.
 */
export class MerkleRoot {
  /** Roots of complete subtrees, the largest first; sizes are the powers of two in `count`. */
  private readonly peaks: Buffer[];
  private count: number;

  constructor(state: MerkleState = { count: 0, peaks: [] }) {
    this.count = state.count;
    this.peaks = state.peaks.map((peak) => Buffer.from(peak, 'hex'));
  }

  /** The state from which a new instance can continue. */
  save(): MerkleState {
    return { count: this.count, peaks: this.peaks.map((peak) => peak.toString('hex')) };
  }

  add(leaf: string | Buffer): void {
    let node = leafHash(leaf);
    for (let size = this.count; size % 2 === 1; size = (size - 1) / 2) node = nodeHash(this.pop(), node);
    this.peaks.push(node);
    this.count += 1;
  }

  /** The root in lower-case hex. Without leaves it is the hash of the empty string. */
  root(): string {
    const last = this.peaks.at(-1);
    if (!last) return digest('sha256', '', 'hex');
    return this.peaks
      .slice(0, -1)
      .reduceRight((right, left) => nodeHash(left, right), last)
      .toString('hex');
  }

  private pop(): Buffer {
    const peak = this.peaks.pop();
    if (!peak) throw new Error('There is no subtree of that size.');
    return peak;
  }
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The hash of a leaf. */
export function leafHash(leaf: string | Buffer): Buffer {
  return sha256(LEAF, leaf);
}

/** The hash of a node with these children. */
export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return sha256(NODE, left, right);
}

function sha256(...parts: (string | Buffer)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return digest('sha256', Buffer.concat(bytes), 'buffer');
}
