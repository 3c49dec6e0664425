import 'reflect-metadata';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type RunMessage, type RunStart } from './run-threads.js';
import { VERIFICATION_CONNECTIONS } from '../../platform/database/connection-shares.js';
import { openThreadSources } from '../verify/thread-sources.js';
import { verifyRun } from './verify-run.js';

/** Time between two reports of progress, milliseconds. */
const PROGRESS_MS = 1_000;

/**
 * The thread of a full verification on demand, with its own connections, which only read. An uncaught error ends it and
 * reaches the main thread, so it catches none.
 */
async function serve(port: MessagePort, { address, ...start }: RunStart): Promise<void> {
  const send = (message: RunMessage): void => port.postMessage(message);
  let reportedAt = 0;
  const onProgress = (events: number): void => {
    if (Date.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = Date.now();
    send({ type: 'progress', events });
  };
  const { close, ...sources } = await openThreadSources(address, VERIFICATION_CONNECTIONS);
  const result = await verifyRun(sources, start, onProgress);
  await close();
  send({ type: 'result', result });
}

if (parentPort) await serve(parentPort, workerData as RunStart);
