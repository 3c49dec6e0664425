import { leafHash, nodeHash } from './merkle-root.js';

/** Proves that a tree contains a leaf: its index, and the hashes next to its way to the root (RFC 6962, 2.1.1). */
export interface InclusionProof {
  readonly index: number;
  /** Lower-case hex, from the leaf to the root. */
  readonly path: readonly string[];
}

/** A complete subtree. */
interface Subtree {
  readonly hash: Buffer;
  /** The path of the leaf within the subtree; null when the subtree does not contain it. */
  readonly path: string[] | null;
}

/** Computes the proof of one leaf incrementally. Keeps one hash for each level. */
export class InclusionProver {
  private readonly peaks: Subtree[] = [];
  private count = 0;
  private index: number | null = null;

  /** @param isProven true for the leaf that is to be proven */
  add(leaf: string | Buffer, isProven: boolean): void {
    let node: Subtree = { hash: leafHash(leaf), path: isProven ? [] : null };
    if (isProven) this.index = this.count;
    for (let size = this.count; size % 2 === 1; size = (size - 1) / 2) node = joined(this.peaks.pop() as Subtree, node);
    this.peaks.push(node);
    this.count += 1;
  }

  /** Null when no leaf was to be proven. */
  proof(): InclusionProof | null {
    const last = this.peaks.at(-1);
    if (this.index === null || !last) return null;
    const { path } = this.peaks.slice(0, -1).reduceRight((right, left) => joined(left, right), last);
    return path && { index: this.index, path };
  }
}

/** Whether a proof shows that the tree with this root and number of leaves contains a leaf (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: string | Buffer,
  { index, path }: InclusionProof,
  { leaves, root }: { readonly leaves: number; readonly root: string },
): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= leaves) return false;
  let own = index;
  let last = leaves - 1;
  let hash = leafHash(leaf);
  for (const next of path) {
    if (last === 0) return false;
    const sibling = Buffer.from(next, 'hex');
    if (own % 2 === 1 || own === last) {
      hash = nodeHash(sibling, hash);
      while (own % 2 === 0 && own !== 0) [own, last] = [own / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, sibling);
    [own, last] = [Math.floor(own / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.toString('hex') === root;
}

function joined(left: Subtree, right: Subtree): Subtree {
  const hash = nodeHash(left.hash, right.hash);
  if (left.path) return { hash, path: [...left.path, right.hash.toString('hex')] };
  return { hash, path: right.path && [...right.path, left.hash.toString('hex')] };
}
