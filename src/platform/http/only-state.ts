import { type FastifyInstance } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './error-filter.js';

const STATE: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Lets a process without the role of the web answer only how it is. Call it before routes and hooks are added. */
export function serveOnlyState(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?');
    if (STATE.has(path)) done();
    else sendError(reply, new ApiError(404, 'This process serves no requests: FANVAS_ROLES gives it no web role.'));
  });
}
