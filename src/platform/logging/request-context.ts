import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of one request, webhook or scheduled run has in common. */
export interface LogContext {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that all its log lines, and those of what it calls, carry `context`. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

/** Id of the request being handled, or undefined outside of one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
