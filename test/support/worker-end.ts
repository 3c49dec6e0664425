/** Jest's message to a worker that it needs no longer (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/**
 * Runs `close` when Jest has no more files for this worker. Jest waits half a second for the worker to end. Where Jest
 * runs the files in its own process, the global teardown sends it (`seed-teardown.mjs`).
 * @param close must not throw
 */
export function atEndOfWorker(close: () => Promise<void>): void {
  process.on('message', (message: unknown) => {
    if (Array.isArray(message) && message[0] === END) void close();
  });
}
