import { Worker } from 'node:worker_threads';
import { type VerificationResult } from '../../contract/audit.js';
import { SERVER_FOLDER } from '../../platform/server-folder.js';
import { type KeptCheckpoint } from '../verify/log-audit.js';
import { type LedgerAddress } from '../verify/thread-messages.js';

/**
 * Memory of the thread. A large young generation would only hold more garbage. The old one holds the largest account
 * and the sums of creators.
 */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
const WORKER = new URL('audit/runs/run-worker.js', SERVER_FOLDER);

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
  | { readonly type: 'progress'; readonly events: number }
  | { readonly type: 'result'; readonly result: RunResult };

/** A thread that verifies the whole ledger. */
export interface RunThread {
  /** Rejects with the error of the thread, and when it was stopped. */
  readonly result: Promise<RunResult>;
  /** Ends the thread at once. Its connections close with it. */
  readonly stop: () => Promise<void>;
}

/** Starts threads for full verifications: the event loop of the app stays free. */
export class RunThreads {
  /** @param worker the compiled file of the threads; by default the one of the build */
  constructor(private readonly worker: URL = WORKER) {}

  start(start: RunStart, onProgress: (events: number) => void): RunThread {
    const worker = new Worker(this.worker, { workerData: start, resourceLimits: LIMITS });
    const result = new Promise<RunResult>((resolve, reject) => {
      worker.on('message', (message: RunMessage) => {
        if (message.type === 'progress') onProgress(message.events);
        else resolve(message.result);
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('The thread of the verification has ended.')));
    });
    return {
      result,
      stop: async () => {
        await worker.terminate();
      },
    };
  }
}
