import { useMutation } from '@tanstack/react-query';
import type { RpcName, RpcRequest, RpcResponse } from '../../../src/contract/calls.js';
import { callRpc } from './api.js';
import { refreshQueries } from './query.js';

/**
 * A call with an effect. It counts as pending until the answers to the calls in `refreshed` are fetched again, so that
 * a page can show the expected result in the meantime and the real one afterwards.
 * @param also what else is out of date then
 */
export function useRpcEffect<Name extends RpcName>(name: Name, refreshed: readonly RpcName[], also?: () => void) {
  const refresh = (): Promise<void> => {
    also?.();
    return refreshQueries(...refreshed);
  };
  return useMutation<RpcResponse<Name>, Error, RpcRequest<Name>>({
    mutationFn: (request) => callRpc(name, request),
    onSuccess: refresh,
    // A refusal may mean that the page is out of date.
    onError: () => void refresh(),
  });
}
