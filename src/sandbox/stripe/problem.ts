/** The `error` object of Stripe's refusals. */
export interface ProblemBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error';
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
}

/** A refusal, which the API sends as `{error: body}`. */
export class StripeProblem extends Error {
  override readonly name = 'StripeProblem';

  constructor(
    readonly status: number,
    readonly body: ProblemBody,
  ) {
    super(body.message);
  }
}

/** The request is invalid. */
export function invalid(
  message: string,
  more: { readonly code?: string; readonly param?: string } = {},
): StripeProblem {
  return new StripeProblem(400, { type: 'invalid_request_error', message, ...more });
}

/** @param kind as Stripe names it, such as `checkout.session` */
export function noSuch(kind: string, id: string, param = 'id'): StripeProblem {
  const message = `No such ${kind}: '${id}'`;
  return new StripeProblem(404, { type: 'invalid_request_error', message, code: 'resource_missing', param });
}

export function serverError(): StripeProblem {
  return new StripeProblem(500, { type: 'api_error', message: 'An unknown error occurred.' });
}
