/** The embedded Postgres cannot be had. The message is one sentence; `details` are the server's own last lines. */
export class EmbeddedPostgresError extends Error {
  constructor(
    message: string,
    readonly details: string,
  ) {
    super(details ? `${message}\n${details}` : message);
    this.name = 'EmbeddedPostgresError';
  }
}
