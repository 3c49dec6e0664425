import { type Count } from './scalars.js';

/** Body of every error answer. */
export interface ErrorBody {
  readonly code: ErrorCode;
  /** Meant for people. */
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
  /**
   * Only in refusals because the last verification is too old: asks the caller to verify their identity again, in the
   * form that the identity provider's SDK reads.
   */
  readonly clerk_error?: {
    readonly type: 'forbidden';
    readonly reason: 'reverification-error';
    readonly metadata: {
      /** The provider asks for the first factor when the user has no second one. */
      readonly reverification: { readonly level: 'second_factor'; readonly afterMinutes: Count };
    };
  };
}

export type ReverificationError = NonNullable<ErrorBody['clerk_error']>;

/** Codes of errors: SQLSTATEs where one fits, PostgREST's where it has one, `HTTP<status>` otherwise. */
export type ErrorCode = NamedErrorCode | `HTTP${number}`;

type NamedErrorCode =
  /** A parameter is missing or wrong. */
  | '22023'
  /** It exists already, or another request is under way. */
  | '23505'
  /** Another save came first. */
  | '40001'
  /** The caller may not do this. */
  | '42501'
  /** The table has no such column. */
  | '42703'
  /** The request is too large. */
  | '54000'
  /** Not possible in the present state. */
  | '55000'
  /** Temporarily unavailable; `Retry-After` says when to try again. */
  | '57P03'
  /** Not enough credits. */
  | 'P0402'
  /** A provider refused. */
  | 'P0502'
  /** The table cannot be queried this way. */
  | 'PGRST100'
  /** Not found, or not exactly one row. */
  | 'PGRST116'
  /** No such path. */
  | 'PGRST125'
  /** No such call. */
  | 'PGRST202'
  /** No such table. */
  | 'PGRST205'
  /** Not signed in. */
  | 'PGRST301'
  /** Too many requests; `Retry-After` says when to try again. */
  | 'RATE_LIMIT_EXCEEDED'
  /** The request may or may not have taken effect. */
  | 'UNKNOWN_OUTCOME'
  /** A failure of the server. */
  | 'XX000';
