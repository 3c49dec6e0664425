import { connectionError, refusalOf } from '../../../lib/api.js';

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
  let response: Response;
  let note: string;
  try {
    response = await fetch('/ledger/checkpoint', { signal });
    note = await response.text();
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    throw connectionError(error);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw refusalOf(response, note);
  const [origin = '', size = '0', root = ''] = note.split('\n');
  return { origin, size: Number(size), root, note };
}
