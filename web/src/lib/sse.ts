import { createParser } from 'eventsource-parser';
import { retryAfterSeconds } from './retry-after.js';

/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly event: string;
  /** The `data:` lines, joined by a line feed. */
  readonly data: string;
}

/** The answer to a stream request was not a stream. */
export class EventStreamRefused extends Error {
  constructor(
    /** HTTP status; 200 when only the content type was wrong. */
    readonly status: number,
    message: string,
    /** `Retry-After` in milliseconds; 0 without one. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
    this.name = 'EventStreamRefused';
  }
}

export interface EventStreamOptions {
  /** Returns the bearer token, or null when signed out. `fresh` asks for one that is not from a cache. */
  readonly token: (fresh: boolean) => Promise<string | null>;
  readonly onEvent: (event: ServerSentEvent) => void;
  /** Called once per connection with the server's clock at that time (the `Date` header), when it sent one. */
  readonly onOpen?: (serverTime: Date | null) => void;
  /** Called with each part of the answer, heartbeats included. */
  readonly onAlive?: () => void;
  /** Ends the connection; the returned promise then resolves. */
  readonly signal: AbortSignal;
  /** Milliseconds without a byte, heartbeats included, after which the connection counts as dead. */
  readonly silenceMs?: number;
  readonly fetch?: typeof fetch;
}

/**
 * Reads one event stream over `fetch`, which unlike `EventSource` can carry a bearer token. Resolves when the server
 * ends the stream or the signal aborts it. A 401 is retried once with a fresh token.
 *
 * @throws EventStreamRefused for any other status or content type
 * @throws TypeError (from fetch) when the connection fails or breaks, also when it stays silent too long
 */
export async function readEventStream(url: string, options: EventStreamOptions): Promise<void> {
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  if (options.signal.aborted) abort();
  const silenceMs = options.silenceMs ?? 45_000;
  let silent = setTimeout(abort, silenceMs);
  try {
    const response = await connect(url, options, connection.signal);
    const date = response.headers.get('date');
    options.onOpen?.(date === null || Number.isNaN(Date.parse(date)) ? null : new Date(date));
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => options.onEvent({ event, data }),
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      options.onAlive?.();
      clearTimeout(silent);
      silent = setTimeout(abort, silenceMs);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (options.signal.aborted) return;
    if (connection.signal.aborted) throw new TypeError('The event stream went silent', { cause: error });
    throw error;
  } finally {
    clearTimeout(silent);
    options.signal.removeEventListener('abort', abort);
    connection.abort();
  }
}

async function connect(url: string, options: EventStreamOptions, signal: AbortSignal): Promise<Response> {
  const request = async (fresh: boolean): Promise<Response> => {
    const token = await options.token(fresh);
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (token !== null) headers['Authorization'] = `Bearer ${token}`;
    return (options.fetch ?? fetch)(url, { headers, signal, cache: 'no-store' });
  };
  let response = await request(false);
  if (response.status === 401) response = await request(true);
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && response.body && type.startsWith('text/event-stream')) return response;
  throw new EventStreamRefused(
    response.status,
    `The event stream was refused: ${response.status} ${type}`,
    1000 * (retryAfterSeconds(response.headers.get('retry-after'), Date.now()) ?? 0),
  );
}
