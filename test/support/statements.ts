import pg from 'pg';
import { currentRequestId, withLogContext } from '../../src/platform/logging/request-context.js';

/** A statement as the driver sent it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Postgres may run named statements with a generic plan, which ignores the values. */
  readonly name: string | null;
  /** The request that sent it; null outside requests. */
  readonly requestId: string | null;
}

/** Records every statement of this process with its request. */
export interface StatementRecorder {
  readonly all: readonly Statement[];
  ofRequest(requestId: string): Statement[];
  stop(): void;
}

/** Marks statements of background jobs, even when a request has started the job. */
const BACKGROUND = 'background';

/** Starts recording. The asynchronous context that also gives log lines their request id identifies the request. */
export function recordStatements(): StatementRecorder {
  const all: Statement[] = [];
  const real = pg.Client.prototype.query;
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args;
    const config = typeof first === 'string' ? { text: first } : (first as { text?: string; name?: string });
    const values = (Array.isArray(second) ? second : (first as { values?: unknown[] }).values) ?? [];
    const requestId = currentRequestId() ?? null;
    // The first statement of a connection belongs to no request.
    const opens = config.text?.startsWith(`select set_config('datestyle'`);
    if (config.text !== undefined && !opens)
      all.push({ text: config.text, values, name: config.name ?? null, requestId });
    return (real as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof real;
  return {
    all,
    ofRequest: (requestId) => all.filter((statement) => statement.requestId === requestId),
    stop: () => {
      pg.Client.prototype.query = real;
    },
  };
}

/** Attributes the work that this method of `owner` starts to no request. */
export function inBackground<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
): void {
  const real = owner[name].bind(owner);
  owner[name] = (...args: never[]) => withLogContext({ requestId: BACKGROUND }, () => real(...args));
}
