import { connectionError, refusalOf } from '../../../lib/api.js';

/** Keys and checkpoint that this site publishes for verifiers. People compare the key with the copy that they hold. */
export interface Trust {
  /** PEM of exports and seals. */
  readonly pem: string;
  /** Key of the log. */
  readonly logKey: string;
  readonly rotations: string;
  /** The last checkpoint; null before the first. */
  readonly checkpoint: string | null;
}

/** Reads the published keys and the checkpoint. @throws ApiError */
export async function readTrust(signal: AbortSignal): Promise<Trust> {
  const [pem, logKey, rotations, checkpoint] = await Promise.all([
    textAt('/ledger/public-key.pem', signal),
    textAt('/ledger/key', signal),
    textAt('/ledger/key-rotations.ndjson', signal),
    textAt('/ledger/checkpoint', signal),
  ]);
  return { pem: pem ?? '', logKey: logKey ?? '', rotations: rotations ?? '', checkpoint };
}

/** Null for 404. */
async function textAt(address: string, signal: AbortSignal): Promise<string | null> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, { signal });
    text = await response.text();
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    throw connectionError(error);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw refusalOf(response, text);
  return text;
}
