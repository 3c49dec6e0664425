import { type Span } from '@opentelemetry/api';
import { beginChild, hasOpenSpan, setError } from './spans.js';

/** A longer text of a statement is cut. */
const MAX_TEXT = 2_000;

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;

/**
 * Sends a statement as a span of the work that it belongs to.
 * @param args of the driver's `query`: the statement and, last, a callback, or none for a promise
 */
export function tracedStatement(args: readonly unknown[], send: (...args: unknown[]) => unknown): unknown {
  if (!hasOpenSpan()) return send(...args);
  const text = textOf(args[0]);
  const span = text === null ? null : beginStatement(text);
  if (!span) return send(...args);
  const end = (error: unknown): void => {
    if (error) setError(span, error);
    span.end();
  };
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const answered: Callback = (error, ...rest) => {
      end(error);
      (callback as Callback)(error, ...rest);
    };
    return send(...args.slice(0, -1), answered);
  }
  const answer = send(...args) as Promise<unknown>;
  answer.then(() => end(null), end);
  return answer;
}

function beginStatement(text: string): Span | null {
  const [operation = 'query'] = /[a-z]+/i.exec(text) ?? [];
  return beginChild(operation.toLowerCase(), {
    'db.system.name': 'postgresql',
    'db.operation.name': operation.toLowerCase(),
    'db.query.text': withoutLiterals(text.slice(0, MAX_TEXT)),
  });
}

/** Statements have parameters for values. Names of locks and channels are literals; one that was cut has no end. */
function withoutLiterals(text: string): string {
  return text.replace(/--[^\n]*/g, '').replace(/'(?:[^']|'')*(?:'|$)/g, '?');
}

/** null for what the driver submits itself, such as cursors. */
function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query) return null;
  return 'text' in query && typeof query.text === 'string' ? query.text : null;
}
