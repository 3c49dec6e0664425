import type { RpcName, RpcRequest, RpcResponse } from '../../../src/contract/calls.js';
import { ApiError, callRpc } from './api.js';
import { viewer } from './auth.js';
import { reverification, setVerifying, VerificationCancelledError } from './reverification.js';

/** `code` of the error when the person closed the dialog. */
export const VERIFICATION_CANCELLED = 'VERIFICATION_CANCELLED';

/**
 * Calls a procedure that moves money or changes a role, as {@link reverified} does.
 * @throws ApiError as `rpc` and `reverified` do
 */
export function reverifiedRpc<Name extends RpcName>(name: Name, body: RpcRequest<Name>): Promise<RpcResponse<Name>> {
  return reverified(() => callRpc(name, body));
}

/**
 * Runs a request that needs a recent verification. When the server asks for a new one, the dialog of the identity SDK
 * opens over the page, and the same request is sent once more afterwards.
 * @throws ApiError as the request does; with code {@link VERIFICATION_CANCELLED} and a calm message when the person
 *   closed the dialog: nothing was changed
 */
export async function reverified<T>(request: () => Promise<T>): Promise<T> {
  let refusal: ApiError | null = null;
  const work = async (): Promise<{ answer: T } | { clerk_error: unknown }> => {
    if (refusal !== null) {
      setVerifying(false);
      // The token in the cache can be older than the verification.
      await viewer().getToken({ fresh: true });
    }
    try {
      return { answer: await request() };
    } catch (error) {
      if (!(error instanceof ApiError) || error.reverification === null) throw error;
      setVerifying(refusal === null);
      refusal = error;
      return { clerk_error: error.reverification };
    }
  };
  const run = reverification();
  try {
    const result = (await (run ? run(work) : work())) as Awaited<ReturnType<typeof work>>;
    if ('answer' in result) return result.answer;
  } catch (error) {
    if (!(error instanceof VerificationCancelledError)) throw error;
    throw new ApiError(403, VERIFICATION_CANCELLED, 'You closed the verification. Nothing was changed.');
  } finally {
    setVerifying(false);
  }
  throw refusal ?? new Error('The request returned neither an answer nor a refusal.');
}
