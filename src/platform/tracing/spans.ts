import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

/** Makes the spans; null while no traces are sent, and everything here then only runs its work. */
let tracer: Tracer | null = null;

/** Sends spans from now on. `start-tracing.ts` calls it. @param to null: no more */
export function setTracer(to: Tracer | null): void {
  tracer = to;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** Ids, names and counts. Never a prompt, an address of a person, a token, or a text that someone wrote. */
  readonly attributes?: Attributes;
  /** Begins a trace of its own, with a link to the span that caused it: work in the background outlives its request. */
  readonly root?: boolean;
}

/** Runs work as a span. Its error ends the span as failed, with the kind of the error only. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!tracer) return work();
  const { kind = SpanKind.INTERNAL, attributes = {}, root = false } = options;
  const cause = trace.getActiveSpan()?.spanContext();
  const links = root && cause ? [{ context: cause }] : [];
  return tracer.startActiveSpan(name, { kind, attributes, root, links }, async (span) => {
    try {
      return await work();
    } catch (error) {
      setError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Whether traces are sent, and the present work has a span that has not ended. */
export function hasOpenSpan(): boolean {
  return tracer !== null && trace.getActiveSpan()?.isRecording() === true;
}

/** Begins a span within the present one, which the caller ends; null without one (`hasOpenSpan`). */
export function beginChild(name: string, attributes: Attributes): Span | null {
  if (!tracer || !hasOpenSpan()) return null;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** Begins the span of a request, which the caller ends; null when no traces are sent. */
export function beginRequest(name: string, attributes: Attributes, from = context.active()): Span | null {
  return tracer?.startSpan(name, { kind: SpanKind.SERVER, attributes }, from) ?? null;
}

/** Whether traces are sent. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** Marks a span as failed. Messages of errors may quote input, so only the code or the name is recorded. */
export function setError(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : 'Error';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : name;
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The id of the present trace, for log lines. */
export function currentTraceId(): string | undefined {
  return tracer ? trace.getActiveSpan()?.spanContext().traceId : undefined;
}
