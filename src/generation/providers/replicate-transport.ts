/** Why a call has no usable answer. */
export type CallProblem =
  /** There was no connection, so the provider did not receive the call. */
  | { readonly kind: 'not-sent'; readonly cause: unknown }
  /** The call may have been sent, and there was no complete answer. */
  | { readonly kind: 'no-answer'; readonly cause: unknown }
  | { readonly kind: 'status'; readonly status: number; readonly title: string; readonly retryAfter: string | null };

/** The SDK retries after a thrown error and after 429, and repeats a GET after 5xx. It never retries this status. */
const STATUS_THAT_IS_NOT_RETRIED = 499;

const MAX_TITLE_LENGTH = 100;

/**
 * A `fetch` function for exactly one call. It disables the SDK's retries, which ignore `Retry-After` and, when answers
 * were lost, created six predictions for one `create()`. `problem` describes a failed call.
 */
export class OneCallTransport {
  problem: CallProblem | null = null;
  private calls = 0;

  constructor(
    private readonly timeoutMs: number,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  readonly fetch = async (input: Request | URL | string, init: RequestInit = {}): Promise<Response> => {
    this.calls += 1;
    if (this.calls > 1) throw new Error('The SDK tried to repeat a call to the provider');
    try {
      const response = await fetch(input, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), ...this.headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const body = await response.text();
      if (response.ok) return new Response(body, { status: response.status, headers: response.headers });
      const retryAfter = response.headers.get('retry-after');
      this.problem = { kind: 'status', status: response.status, title: errorTitle(body), retryAfter };
    } catch (error) {
      this.problem = { kind: neverConnected(error) ? 'not-sent' : 'no-answer', cause: error };
    }
    return new Response(null, { status: STATUS_THAT_IS_NOT_RETRIED });
  };
}

/** Returns only the title of an error. The detail may repeat the input, and logs must not contain prompts. */
function errorTitle(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const title = typeof parsed === 'object' && parsed !== null && 'title' in parsed ? parsed.title : null;
    return typeof title === 'string' ? title.slice(0, MAX_TITLE_LENGTH) : '';
  } catch {
    // A proxy's error page; the status is enough.
    return '';
  }
}

/** True when the name lookup or the connection failed, before anything was sent. */
function neverConnected(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    cause.syscall === 'connect' ||
    cause.syscall === 'getaddrinfo' ||
    cause.code === 'UND_ERR_CONNECT_TIMEOUT' ||
    // All addresses of the host failed (an AggregateError has no syscall of its own).
    (cause.code === 'ECONNREFUSED' && cause.errors !== undefined)
  );
}

function causeOf(error: unknown): { readonly syscall?: unknown; readonly code?: unknown; readonly errors?: unknown } {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : null;
  return typeof cause === 'object' && cause !== null ? cause : {};
}
