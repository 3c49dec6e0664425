/**
 * Threads and processes of the built server, for tests that run the sources: from those, each thread would compile 800
 * modules. The global setup builds the server (`postgres-setup.mjs`).
 */
const compiled = (path: string): URL => new URL(`../../dist/server/${path}`, import.meta.url);

export const VERIFY_THREAD = compiled('audit/verify/verify-worker.js');
export const RUN_THREAD = compiled('audit/runs/run-worker.js');
export const ENCODE_PROCESS = compiled('platform/media/encode-process.js');
