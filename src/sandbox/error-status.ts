/** The status that Fastify gives an error, such as 413 for a body that is too large; 500 for an error without one. */
export function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;
}
