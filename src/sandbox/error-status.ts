import { type Logger } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

/**
 * The status of an unexpected error: the one that Fastify gives it, such as 413 for a body that is too large, otherwise
 * 500. An error of the sandbox itself (500 or more) is logged.
 */
export function reportedStatus(error: unknown, request: FastifyRequest, logger: Logger): number {
  const known = typeof error === 'object' && error !== null && 'statusCode' in error;
  const status = known && typeof error.statusCode === 'number' ? error.statusCode : 500;
  const route = request.routeOptions.url;
  if (status >= 500) logger.error({ message: 'A request to the sandbox failed.', route, error });
  return status;
}
