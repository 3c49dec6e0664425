import { OperatorMistake } from '../operator-mistake.js';

/**
 * The embedded Postgres is not available. The message is one sentence; `details` are the last lines of the server's
 * log.
 */
export class EmbeddedPostgresError extends OperatorMistake {
  constructor(
    message: string,
    readonly details: string,
  ) {
    super(details ? `${message}\n${details}` : message);
  }
}
