import 'reflect-metadata';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { createPool } from '../../platform/database/pool.js';
import { openEventStore } from '../../platform/event-store/open-event-store.js';
import { type RunMessage, type RunStart } from './run-messages.js';
import { imagesOf } from '../verify/generation-charges.js';
import { verifyRun } from './verify-run.js';

/** Connections: each of the groups in progress reads three tables at once. */
const CONNECTIONS = 6;
/** Time between two reports of progress, milliseconds. */
const PROGRESS_MS = 1_000;

/**
 * The thread of a full verification on demand, with its own connections, which only read. An uncaught error ends it and
 * reaches the main thread, so it catches none.
 */
async function serve(port: MessagePort, { address, ...start }: RunStart): Promise<void> {
  Logger.overrideLogger(['error', 'fatal']);
  const send = (message: RunMessage): void => port.postMessage(message);
  let reportedAt = 0;
  const onProgress = (events: number): void => {
    if (Date.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = Date.now();
    send({ type: 'progress', events });
  };
  const pool = createPool(address.databaseUrl, { max: CONNECTIONS, readOnly: address.readOnly });
  const eventStore = await openEventStore(address, pool, 'any positions');
  const result = await verifyRun({ pool, eventStore, images: await imagesOf(address.images) }, start, onProgress);
  await eventStore.close();
  await pool.end();
  send({ type: 'result', result });
}

if (parentPort) await serve(parentPort, workerData as RunStart);
