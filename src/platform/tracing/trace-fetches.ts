import { subscribe } from 'node:diagnostics_channel';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { beginChild, setError } from './spans.js';

/** The fields of a request that undici publishes. */
interface SentRequest {
  readonly origin: string | URL;
  readonly method: string;
}

interface Message {
  readonly request: SentRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: unknown;
}

let subscribed = false;

/**
 * Makes a span of each `fetch` within a span: calls of Clerk, Replicate and Stripe, and images that are fetched. It has
 * method, host and status. The path is left out, since the address of an image is all that its reader needs.
 */
export function traceFetches(): void {
  if (subscribed) return;
  subscribed = true;
  const spans = new WeakMap<SentRequest, Span>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as Message;
    const { host, hostname } = new URL(request.origin);
    const attributes = { 'http.request.method': request.method, 'server.address': hostname };
    const span = beginChild(`${request.method} ${host}`, attributes);
    if (span) spans.set(request, span);
  });
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as Message;
    const status = response?.statusCode ?? 0;
    const span = spans.get(request)?.setAttribute('http.response.status_code', status);
    if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
  });
  const end = ({ request, error }: Message): void => {
    const span = spans.get(request);
    if (!span) return;
    spans.delete(request);
    if (error) setError(span, error);
    span.end();
  };
  subscribe('undici:request:trailers', (message) => end(message as Message));
  subscribe('undici:request:error', (message) => end(message as Message));
}
