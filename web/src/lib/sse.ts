import { retryAfterSeconds } from './retry-after.js';

/** One message of a `text/event-stream`, as the HTML standard dispatches it. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly event: string;
  /** The `data:` lines, joined by a line feed. */
  readonly data: string;
  /** The last id seen on the stream; empty when none was sent. */
  readonly id: string;
}

/**
 * Turns the text of an event stream into events, whatever the chunks it arrives in: lines may end in LF, CR or CRLF, and a
 * chunk may end anywhere, also between the CR and the LF. Comments and fields we have no use for are skipped.
 */
export class EventStreamParser {
  #rest = '';
  #first = true;
  #afterCarriageReturn = false;
  #event = '';
  #data: string[] = [];
  #id = '';

  /** Takes the next piece of text and returns the events that it completed, oldest first. */
  push(chunk: string): ServerSentEvent[] {
    if (chunk === '') return [];
    let text = chunk;
    if (this.#first) {
      this.#first = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    if (this.#afterCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    this.#afterCarriageReturn = chunk.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? '';
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      const event = this.#line(line);
      if (event) events.push(event);
    }
    return events;
  }

  #line(line: string): ServerSentEvent | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return null;
  }

  #dispatch(): ServerSentEvent | null {
    const event =
      this.#data.length > 0 ? { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id } : null;
    this.#event = '';
    this.#data = [];
    return event;
  }
}

/** The server answered a stream request with something that is not a stream. */
export class EventStreamRefused extends Error {
  constructor(
    /** HTTP status; 200 when only the content type was wrong. */
    readonly status: number,
    message: string,
    /** Milliseconds that the server asked us to stay away; 0 when it did not. */
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
  /** Ends the connection; the returned promise then resolves. */
  readonly signal: AbortSignal;
  /** Milliseconds without a byte (heartbeats count) after which the connection is taken for dead. */
  readonly silenceMs?: number;
  readonly fetch?: typeof fetch;
}

/**
 * Reads one event stream over `fetch`, which unlike `EventSource` can carry a bearer token. Resolves when the server ends
 * the stream or the signal aborts it. A 401 is tried once more with a fresh token.
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
    const parser = new EventStreamParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silent);
      silent = setTimeout(abort, silenceMs);
      for (const event of parser.push(decoder.decode(value, { stream: true }))) options.onEvent(event);
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
