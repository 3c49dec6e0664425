import { context, propagation, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { beginRequest, isTracing } from './spans.js';

/**
 * Runs a request as a span, which ends with the answer or when the client leaves. It has the route and no path, since
 * paths and queries may contain tickets.
 * @param trustsParent whether the headers are those of our proxy, whose trace then goes on
 */
export function withRequestSpan(
  request: FastifyRequest,
  reply: FastifyReply,
  trustsParent: boolean,
  work: () => void,
): void {
  if (!isTracing()) {
    work();
    return;
  }
  const route = request.routeOptions.url;
  const attributes = {
    'http.request.method': request.method,
    ...(route !== undefined && { 'http.route': route }),
    // A proxy may pass on what a client sent.
    ...(/^[\w-]{1,64}$/.test(request.id) && { 'fanvas.request.id': request.id }),
  };
  const name = route === undefined ? request.method : `${request.method} ${route}`;
  const parent = trustsParent ? propagation.extract(context.active(), request.headers) : context.active();
  const span = beginRequest(name, attributes, parent);
  if (!span) {
    work();
    return;
  }
  reply.raw.once('close', () => end(span, reply));
  context.with(trace.setSpan(parent, span), work);
}

function end(span: Span, reply: FastifyReply): void {
  if (reply.raw.writableFinished) {
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  } else {
    span.setAttribute('error.type', 'client left');
  }
  span.end();
}
