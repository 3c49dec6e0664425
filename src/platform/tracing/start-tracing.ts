import { AsyncResource } from 'node:async_hooks';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type Logger } from 'pino';
import { setTracer } from './spans.js';
import { traceFetches } from './trace-fetches.js';

/** Time in which the last traces are sent; a collector that is away must not keep a process from ending. */
const STOP_MS = 2_000;
/** Further warnings within this time are left out, milliseconds. */
const WARN_EVERY_MS = 60_000;
/** The answer of a collector may be long. */
const MAX_WARNING = 200;

/**
 * Sends traces of this process by the standard settings of OpenTelemetry, which its SDK reads from the environment:
 * where to, with which headers, how many, and under which name. What cannot be sent is dropped, with a warning.
 * @returns sends the rest and ends this
 */
export function startTracing(logger: Logger, { stopMs = STOP_MS } = {}): () => Promise<void> {
  const complain = warnings(logger);
  const silent = (): void => undefined;
  const settings = { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
  // Before the exporter, which reads its settings.
  diag.setLogger(settings, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) =>
    complain(typeof error === 'string' ? error : `${error.name ?? 'Error'}: ${error.message ?? ''}`),
  );
  const own = { 'service.name': 'fanvas', 'service.instance.id': `${hostname()}:${process.pid}` };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new NodeTracerProvider({ resource, spanProcessors });
  provider.register();
  traceFetches();
  setTracer(trace.getTracer('fanvas'));
  return async () => {
    setTracer(null);
    const sent = provider
      .shutdown()
      .catch((error: unknown) => complain(`The last traces were not sent: ${String(error)}`));
    await Promise.race([sent, delay(stopMs, undefined, { ref: false })]);
    for (const api of [trace, context, propagation, diag]) api.disable();
  };
}

/** Returns a function that logs a short warning, at most one a minute, and outside of the request of the last span. */
function warnings(logger: Logger): (message: string) => void {
  let nextAt = -Infinity;
  return AsyncResource.bind((message: string): void => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + WARN_EVERY_MS;
    const reason = message.slice(0, MAX_WARNING);
    logger.warn({ context: 'Tracing', reason }, 'Some traces are not sent.');
  });
}
