import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { sendError } from '../http/error-filter.js';
import { isLoopbackHost } from '../http/loopback.js';
import { type Metrics } from './metrics.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A request with one of these came through a proxy: its peer says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

/** Who may see metrics, by the settings. */
export interface MetricsAccess {
  readonly token: string | null;
  readonly trustProxy: boolean;
}

/** Measures every request of the server, by route pattern and never by address, and answers `GET /metrics`. */
export function serveMetrics(server: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  const durations = metrics.histogram({
    name: 'fanvas_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer; streams of events last as long as their reader stays.',
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
 * With a token, whoever has it may ask. Without one, only programs on this machine: the peer is loopback, no proxy stands
 * between, and the host name is a loopback one (a browser's page elsewhere cannot reach it by DNS rebinding).
 */
export function refusalOfMetrics(request: FastifyRequest, { token, trustProxy }: MetricsAccess): ApiError | null {
  if (token !== null) {
    const sent = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return isSame(sent, token) ? null : new ApiError(401, 'METRICS_TOKEN is required as a bearer token.');
  }
  const direct = !trustProxy && PROXY_HEADERS.every((name) => request.headers[name] === undefined);
  if (direct && isLoopbackAddress(request.socket.remoteAddress) && isLoopbackHost(request.headers.host)) return null;
  return new ApiError(403, 'Metrics are shown on this machine only; set METRICS_TOKEN to ask from elsewhere.');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address ?? '');
}

/** Takes as long for any two texts. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
