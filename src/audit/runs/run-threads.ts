import { Worker } from 'node:worker_threads';
import { SERVER_FOLDER } from '../../platform/server-folder.js';
import { type RunMessage, type RunResult, type RunStart } from './run-messages.js';

/**
 * Memory of the thread. A large young generation would only hold more garbage. The old one holds the largest account
 * and the sums of creators.
 */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
const WORKER = new URL('audit/runs/run-worker.js', SERVER_FOLDER);

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
