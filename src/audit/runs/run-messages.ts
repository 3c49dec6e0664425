import { type VerificationResult } from '../../contract/audit.js';
import { type KeptCheckpoint } from '../verify/log-audit.js';
import { type LedgerAddress } from '../verify/thread-messages.js';

/** The data that the thread of a run receives when it starts. */
export interface RunStart {
  readonly address: LedgerAddress;
  /** The app's time minus that of the system, milliseconds. */
  readonly clockOffsetMs: number;
  /** Trusted public keys, PEM. */
  readonly keys: readonly string[];
  /** File of the newest seal that the server has; null without one. */
  readonly sealFile: string | null;
  /** Checkpoints of the public log that the server keeps. */
  readonly checkpoints: readonly KeptCheckpoint[];
}

/** The result of a run, with the number of all its problems. */
export interface RunResult {
  readonly result: VerificationResult;
  readonly problems: number;
}

/** From the thread of a run. The result comes last. */
export type RunMessage =
  { readonly type: 'progress'; readonly events: number } | { readonly type: 'result'; readonly result: RunResult };
