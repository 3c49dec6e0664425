import { type KeyObject } from 'node:crypto';
import { openNote, signNote } from './signed-note.js';

/** The root of the tree at a size. */
export interface Checkpoint {
  /** Name of the log and of its key: an address without a scheme. */
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  readonly root: Buffer;
}

/** The origin of the log of a site. @param publicUrl its address, such as `https://fanvas.example` */
export function originOf(publicUrl: string): string {
  return `${new URL(publicUrl).host}/ledger`;
}

/** A checkpoint as a signed note (C2SP tlog-checkpoint). */
export function signedCheckpoint({ origin, size, root }: Checkpoint, key: KeyObject): string {
  return signNote(`${origin}\n${size}\n${root.toString('base64')}\n`, origin, key);
}

/** The checkpoint of a note that one of these keys has signed under the checkpoint's own origin; null without one. */
export function openCheckpoint(note: string, keys: readonly KeyObject[]): Checkpoint | null {
  const origin = note.slice(0, note.indexOf('\n'));
  const [, size = '', encoded = '', ...rest] = openNote(note, origin, keys)?.split('\n') ?? [];
  const root = Buffer.from(encoded, 'base64');
  if (!/^(?:0|[1-9]\d{0,15})$/.test(size) || root.length !== 32 || root.toString('base64') !== encoded) return null;
  return rest.length > 0 ? { origin, size: Number(size), root } : null;
}

/**
 * An inclusion proof as a file (C2SP tlog-proof): offline, with the verifier key alone, it shows that the tree of the
 * checkpoint has the entry at this index.
 */
export function tlogProof(index: number, path: readonly Buffer[], note: string): string {
  const lines = ['c2sp.org/tlog-proof@v1', `index ${index}`, ...path.map((hash) => hash.toString('base64'))];
  return `${lines.join('\n')}\n\n${note}`;
}
