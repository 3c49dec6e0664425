import type {
  FunctionName,
  FunctionRequest,
  FunctionResponse,
  RpcName,
  RpcRequest,
  RpcResponse,
} from '../../../src/contract/calls.js';
import type { NoParameters } from '../../../src/contract/scalars.js';
import type { TableName, Tables } from '../../../src/contract/routes.js';
import { ApiError, isOwnRefusal, NO_CLIENT_TEXT, refusalMessage, refusals } from './api-error.js';
import { viewer } from './auth.js';
import { retryAfterSeconds } from './retry-after.js';

export { ApiError };

export interface RpcOptions {
  readonly signal?: AbortSignal;
  /**
   * Default true: waits for the identity SDK and sends the session token. False for public data, which must not wait.
   */
  readonly auth?: boolean;
}

/**
 * Calls a remote procedure of the server. The contract types its request and response. Refreshes an expired session
 * once.
 * @throws ApiError for every refusal and for a lost connection (status 0); an abort is rethrown as it is.
 */
export function rpc<Name extends RpcName>(
  name: Name,
  ...[body = {}, options]: Arguments<RpcRequest<Name>>
): Promise<RpcResponse<Name>> {
  return callRpc(name, body, options);
}

/** {@link rpc} for a name that is a type parameter. */
export function callRpc<Name extends RpcName>(
  name: Name,
  body: RpcRequest<Name>,
  options?: RpcOptions,
): Promise<RpcResponse<Name>> {
  return call(`/rest/v1/rpc/${name}`, body, options);
}

/** Calls a server function; otherwise like {@link rpc}. */
export function callFunction<Name extends FunctionName>(
  name: Name,
  ...[body = {}, options]: Arguments<FunctionRequest<Name>>
): Promise<FunctionResponse<Name>> {
  return call(`/functions/v1/${name}`, body, options);
}

/**
 * Reads rows of a table.
 * @param columns the fields of the rows
 * @param filters the rows whose columns equal these values
 * @throws ApiError as {@link rpc} does
 */
export function readRows<Name extends TableName, Column extends keyof Tables[Name] & string>(
  table: Name,
  columns: readonly Column[],
  filters: Readonly<Record<string, string>>,
  { signal }: Pick<RpcOptions, 'signal'> = {},
): Promise<Pick<Tables[Name], Column>[]> {
  const query = new URLSearchParams({ select: columns.join(',') });
  for (const [column, value] of Object.entries(filters)) query.set(column, `eq.${value}`);
  return withSession((token) => send(`/rest/v1/${table}?${query}`, null, token, signal));
}

/** A request without required parameters may be left out. */
type Arguments<Request extends object> = NoParameters extends Request
  ? [body?: Request, options?: RpcOptions]
  : [body: Request, options?: RpcOptions];

function call<T>(path: string, body: object, { signal, auth = true }: RpcOptions = {}): Promise<T> {
  const work = (token: string | null): Promise<T> => send<T>(path, body, token, signal);
  return auth ? withSession(work) : work(null);
}

/** Sends with the session token, and once more with a fresh one when it has expired. @throws ApiError */
export async function withSession<T>(work: (token: string | null) => Promise<T>): Promise<T> {
  const token = await sessionToken();
  try {
    return await work(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
    const fresh = await viewer().getToken({ fresh: true });
    if (fresh === null || fresh === token) throw error;
    return work(fresh);
  }
}

/** Null for visitors. A token that cannot be fetched (no network, a sleeping tab) counts as a lost connection. */
async function sessionToken(): Promise<string | null> {
  try {
    return await viewer().getToken();
  } catch (error) {
    throw new ApiError(0, 'NETWORK_ERROR', NO_CLIENT_TEXT, String(error));
  }
}

/** POSTs a body; without one it is a GET. */
async function send<T>(path: string, body: object | null, token: string | null, signal?: AbortSignal): Promise<T> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body && JSON.stringify(body),
      signal: signal ?? null,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw connectionError(error);
  }
  const parsed = parse(text);
  if (response.ok) {
    if (parsed === undefined && text !== '') {
      throw new ApiError(response.status, 'INVALID_RESPONSE', 'Invalid response from server');
    }
    return (parsed ?? null) as T;
  }
  throw refusalOf(response, text);
}

/** The connection broke before or during the answer. */
export function connectionError(cause: unknown): ApiError {
  return new ApiError(0, 'NETWORK_ERROR', 'Connection error. Please wait or try again later.', String(cause));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON; the callers handle it.
  }
}

/** The error of an answer that is not a success. @param answer its body, which should be JSON */
export function refusalOf(response: Response, answer: string): ApiError {
  const body = parse(answer);
  const fields = isOwnRefusal(body) ? body : {};
  const text = (key: string): string | null => (typeof fields[key] === 'string' ? fields[key] : null);
  const refusal = new ApiError(
    response.status,
    text('code') ?? `HTTP_${response.status}`,
    refusalMessage(text('code'), text('message')),
    text('details'),
    text('hint'),
    retryAfterSeconds(response.headers.get('retry-after'), Date.now()),
    (fields['clerk_error'] as object | undefined) ?? null,
    response.headers.get('x-request-id'),
  );
  refusals.note?.(refusal);
  return refusal;
}
