import { type ErrorCode, type ReverificationError } from '../../contract/errors.js';

export interface ApiErrorOptions {
  readonly code?: ErrorCode | undefined;
  readonly details?: string | null | undefined;
  readonly hint?: string | null | undefined;
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  readonly reverification?: ReverificationError | undefined;
  readonly cause?: unknown;
}

/**
 * An error of the HTTP edge for the caller: becomes `{code, message, details, hint}` with this status. Only
 * controllers, guards and filters throw it; everything below them throws a `DomainError`.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: string | null;
  readonly hint: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly reverification: ReverificationError | undefined;

  constructor(
    readonly status: number,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = options.code ?? DEFAULT_CODES[status] ?? `HTTP${status}`;
    this.details = options.details ?? null;
    this.hint = options.hint ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reverification = options.reverification;
  }
}

/** Codes as clients of the wire contract know them: SQLSTATEs where one fits, PostgREST's where it has one. */
const DEFAULT_CODES: Readonly<Record<number, ErrorCode>> = {
  400: '22023',
  401: 'PGRST301',
  403: '42501',
  404: 'PGRST116',
  409: '23505',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'XX000',
  503: '57P03',
};
