import { publicText } from '../public-text.js';

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
    publicText('/ledger/public-key.pem', signal),
    publicText('/ledger/key', signal),
    publicText('/ledger/key-rotations.ndjson', signal),
    publicText('/ledger/checkpoint', signal),
  ]);
  return { pem: pem ?? '', logKey: logKey ?? '', rotations: rotations ?? '', checkpoint };
}
