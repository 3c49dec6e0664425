import { type InclusionProof, leafHash, nodeHash } from './merkle-root.js';

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
