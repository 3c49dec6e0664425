import { open, stat } from 'node:fs/promises';
import { type KeyObject } from 'node:crypto';
import { accountStream } from '../../credits/index.js';
import { isIncluded } from './merkle-proof.js';
import { type InclusionProof, MerkleRoot } from './merkle-root.js';
import { parseHead, parseSeal, type SealedHead, type SealManifest } from './seal-file.js';
import { lastLineOf, linesOf, parseObject, signatureProblem } from './signed-file.js';

/** Bytes of a seal's file read at once. */
const BYTES_PER_READ = 256 * 1024;

/** Proves offline that a seal contains the head of an account. */
export interface HeadProof extends InclusionProof {
  /** Line of the head in the seal. */
  readonly head: string;
  /** Signed last line of the seal. */
  readonly seal: string;
}

/** Makes the proof of an account from the file of a seal. Null when the seal does not contain the account. */
export async function proveHead(file: string, userId: string): Promise<HeadProof | null> {
  const seal = await lastLineOf(file);
  const tree = new MerkleRoot();
  let head: string | null = null;
  for await (const line of linesOf(file)) {
    const text = line.toString('utf8');
    if (text === seal) break;
    const isProven = parseHead(text)?.stream === accountStream(userId);
    if (isProven) head = text;
    tree.add(line, isProven);
  }
  const proof = tree.proof();
  return head !== null && proof ? { head, ...proof, seal } : null;
}

/** A proof that holds. */
export interface ProvenHead {
  readonly head: Omit<SealedHead, 'seal'>;
  readonly manifest: SealManifest;
}

/** Checks a proof without a database. @returns the problem as a sentence when it does not hold */
export function checkHeadProof(text: string, publicKeys: readonly KeyObject[]): ProvenHead | string {
  const proof = parseObject(text) as Partial<HeadProof> | null;
  const { head: line, index, path, seal } = proof ?? {};
  if (typeof line !== 'string' || typeof index !== 'number' || typeof seal !== 'string' || !isPath(path)) {
    return 'The file is not a proof.';
  }
  const signed = parseSeal(seal);
  const head = parseHead(line);
  if (!signed || !head) return 'The file is not a proof: it lacks the signed line of a seal, or a head.';
  const wrong = signatureProblem(signed, publicKeys);
  if (wrong !== null) return wrong;
  const { streams: leaves, merkleRoot: root } = signed.manifest;
  if (!isIncluded(line, { index, path }, { leaves, root })) return 'The seal does not contain this head.';
  return { head, manifest: signed.manifest };
}

function isPath(path: unknown): path is string[] {
  return Array.isArray(path) && path.every((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash));
}

/** Complete lines of a file from a byte on, and the byte after them; null at the end of the file. */
export async function linesFrom(
  file: string,
  offset: number,
): Promise<{ readonly lines: readonly string[]; readonly next: number | null }> {
  const { size } = await stat(file);
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BYTES_PER_READ), 0, BYTES_PER_READ, offset);
    const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    const lines = buffer.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    return { lines, next: end === 0 || offset + end >= size ? null : offset + end };
  } finally {
    await handle.close();
  }
}
