import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields that all log lines of one request share. */
export interface LogContext {
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` so that all its log lines contain `context`. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns the id of the current request; undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
