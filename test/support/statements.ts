import pg from 'pg';
import { currentRequestId, withLogContext } from '../../src/platform/logging/request-context.js';

/** A statement as the driver sent it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Named statements may run by a plan that does not know their values. */
  readonly name: string | null;
  /** The request in whose course it was sent; null: by nobody's. */
  readonly requestId: string | null;
}

/** Hears every statement of this process, and of which request it is. */
export interface StatementRecorder {
  readonly all: readonly Statement[];
  ofRequest(requestId: string): Statement[];
  stop(): void;
}

/** What a background job that a request has woken sends is not the request's. */
const BACKGROUND = 'background';

/** From now on. Requests are told apart by their asynchronous context, which also gives log lines their request id. */
export function recordStatements(): StatementRecorder {
  const all: Statement[] = [];
  const real = pg.Client.prototype.query;
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args;
    const config = typeof first === 'string' ? { text: first } : (first as { text?: string; name?: string });
    const values = (Array.isArray(second) ? second : (first as { values?: unknown[] }).values) ?? [];
    const requestId = currentRequestId() ?? null;
    if (config.text !== undefined) all.push({ text: config.text, values, name: config.name ?? null, requestId });
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

/** From now on, what this method of `owner` begins belongs to no request, whoever calls it. */
export function inBackground<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
): void {
  const real = owner[name].bind(owner);
  owner[name] = (...args: never[]) => withLogContext({ requestId: BACKGROUND }, () => real(...args));
}
