import { publicText } from '../public-text.js';

/** The public checkpoint of the log (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly origin: string;
  /** Events that it covers. */
  readonly size: number;
  /** Root of the tree, base64. */
  readonly root: string;
  /** The whole text with its signature. */
  readonly note: string;
}

/** Reads the last checkpoint; null before the first. @throws ApiError */
export async function readCheckpoint(signal: AbortSignal): Promise<Checkpoint | null> {
  const note = await publicText('/ledger/checkpoint', signal);
  if (note === null) return null;
  const [origin = '', size = '0', root = ''] = note.split('\n');
  return { origin, size: Number(size), root, note };
}
