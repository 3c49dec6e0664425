import { hostname } from 'node:os';
import { diag, DiagLogLevel, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { type Logger } from 'pino';
import { setTracer } from './spans.js';
import { traceFetches } from './trace-fetches.js';

/**
 * Sends traces of this process by the standard settings of OpenTelemetry, which its SDK reads from the environment:
 * where to, with which headers, how many, and under which name. What cannot be sent is logged and dropped.
 * @param exporter sends the spans; by default OTLP over HTTP does
 * @returns sends the rest and ends this
 */
export function startTracing(logger: Logger, exporter: SpanExporter = new OTLPTraceExporter()): () => Promise<void> {
  const complain = (message: string): void => logger.warn({ context: 'Tracing' }, firstLine(message));
  const silent = (): void => undefined;
  const diagnostics = { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
  diag.setLogger(diagnostics, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const own = { 'service.name': 'fanvas', 'service.instance.id': `${hostname()}:${process.pid}` };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  traceFetches();
  setTracer(trace.getTracer('fanvas'));
  return async () => {
    setTracer(null);
    await provider.shutdown().catch((error: unknown) => complain(`The last traces were not sent: ${String(error)}`));
    trace.disable();
  };
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}
