import { type ErrorCode } from '../contract/errors.js';

/**
 * The reason for a refusal, in terms of the domain. The HTTP layer maps each kind to one status
 * (`http/error-filter.ts`).
 *
 * - `invalid`: the input is malformed or incomplete.
 * - `unauthenticated`: the caller is not known.
 * - `paymentRequired`: the caller has to pay first.
 * - `forbidden`: the caller is known and lacks the permission.
 * - `notFound`: the subject does not exist, or the caller must not learn that it exists.
 * - `conflict`: the state of the subject does not allow it.
 * - `gone`: the subject existed and its data is lost. Retrying does not help.
 * - `unprocessable`: the input is well formed and breaks a rule.
 * - `tooManyRequests`: the caller must slow down.
 * - `upstreamFailed`: a provider refused or sent an unusable answer. Retrying does not help.
 * - `unavailable`: a required service does not answer now. Retrying may help.
 */
export type DomainErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'paymentRequired'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'tooManyRequests'
  | 'upstreamFailed'
  | 'unavailable';

export interface DomainErrorOptions {
  /** Machine-readable code for the caller. By default the edge chooses the code of the kind. */
  readonly code?: ErrorCode | undefined;
  readonly details?: string | null | undefined;
  readonly hint?: string | null | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfterSeconds?: number | undefined;
  /** The error that led to this one. It is logged and never sent. */
  readonly cause?: unknown;
}

/**
 * A refusal that the caller may read: `message`, `code`, `details` and `hint` go over the wire as they are. Use cases,
 * reads, workers and providers throw it or a subclass. It is independent of HTTP.
 */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  /** Undefined: the edge sends the default code of the kind. */
  readonly code: ErrorCode | undefined;
  readonly details: string | null;
  readonly hint: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: DomainErrorKind, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.kind = kind;
    this.code = options.code;
    this.details = options.details ?? null;
    this.hint = options.hint ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
