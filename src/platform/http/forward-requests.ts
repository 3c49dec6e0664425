import { type IncomingHttpHeaders, type IncomingMessage, request as callServer } from 'node:http';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { once } from 'node:events';
import { type FastifyInstance } from 'fastify';
import { ApiError } from './api-error.js';

/** Headers of one connection, which are not passed on. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
]);

/**
 * Passes all requests below a path on to another server, with their Host and their unread bodies, and its answers back.
 * Answers 503 when that server does not.
 * @param target origin of the other server, `http://…`
 */
export async function forwardRequests(server: FastifyInstance, prefix: string, target: string): Promise<void> {
  await server.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      scope.all('/*', async (request, reply) => {
        const call = callServer(new URL(request.originalUrl, target), {
          method: request.method,
          headers: passedOn(request.headers),
        });
        const answered = once(call, 'response') as Promise<[IncomingMessage]>;
        try {
          // Without a body, Fastify has read nothing and the request has ended.
          await Promise.all([answered, pipeline((request.body as Readable | undefined) ?? [], call)]);
        } catch (error) {
          throw new ApiError(503, 'The server behind this path does not answer.', {
            retryAfterSeconds: 1,
            cause: error,
          });
        }
        const [answer] = await answered;
        return reply
          .status(answer.statusCode ?? 502)
          .headers(passedOn(answer.headers))
          .send(answer);
      });
    },
    { prefix },
  );
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.has(name)));
}
