/**
 * The embedded Postgres is not available. The message is one sentence; `details` are the last lines of the server's
 * log.
 */
export class EmbeddedPostgresError extends Error {
  constructor(
    message: string,
    readonly details: string,
  ) {
    super(details ? `${message}\n${details}` : message);
    this.name = 'EmbeddedPostgresError';
  }
}
