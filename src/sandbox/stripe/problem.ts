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

/** A refusal of an invalid request with the given status. */
export function refusal(
  status: number,
  message: string,
  more: Pick<ProblemBody, 'code' | 'param'> = {},
): StripeProblem {
  return new StripeProblem(status, { type: 'invalid_request_error', message, ...more });
}

/** The request is invalid. */
export function invalid(message: string, more: Pick<ProblemBody, 'code' | 'param'> = {}): StripeProblem {
  return refusal(400, message, more);
}

/** @param kind as Stripe names it, such as `checkout.session` */
export function noSuch(kind: string, id: string, param = 'id'): StripeProblem {
  return refusal(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param });
}

export function serverError(): StripeProblem {
  return new StripeProblem(500, { type: 'api_error', message: 'An unknown error occurred.' });
}
