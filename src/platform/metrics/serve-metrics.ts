import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { sendError } from '../http/error-filter.js';
import { isForwarded } from '../http/forwarding.js';
import { isLoopbackHost } from '../http/loopback.js';
import { type Metrics } from './metrics.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Settings that decide which clients may read the metrics. */
export interface MetricsAccess {
  readonly token: string | null;
  readonly trustProxy: boolean;
}

/** Measures the duration of every request, labelled by route pattern and never by path, and serves `GET /metrics`. */
export function serveMetrics(server: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  const durations = metrics.histogram({
    name: 'fanvas_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer; event streams last until the client disconnects.',
    labels: ['method', 'route', 'status'],
    buckets: SECONDS,
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    done();
  });
  server.get('/metrics', async (request, reply) => {
    const refusal = refusalOfMetrics(request, access);
    if (refusal) {
      sendError(reply, refusal);
      return reply;
    }
    const { contentType, body } = await metrics.text();
    return reply.type(contentType).send(body);
  });
}

/**
 * Returns the error for a client that may not read the metrics, else null. If a token is configured, clients must send
 * it. Otherwise only programs on this machine may read: the peer is loopback, there is no proxy, and the host name is a
 * loopback name (so a web page cannot read them by DNS rebinding).
 */
export function refusalOfMetrics(request: FastifyRequest, { token, trustProxy }: MetricsAccess): ApiError | null {
  if (token !== null) {
    const sent = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return isSame(sent, token) ? null : new ApiError(401, 'METRICS_TOKEN is required as a bearer token.');
  }
  const direct = !trustProxy && !isForwarded(request.headers);
  if (direct && isLoopbackAddress(request.socket.remoteAddress) && isLoopbackHost(request.headers.host)) return null;
  return new ApiError(403, 'Metrics are shown on this machine only; set METRICS_TOKEN to read them from elsewhere.');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address ?? '');
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
