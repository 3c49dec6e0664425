import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ClosingReceipt } from '../../../../../src/contract/closing.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Time between two looks at a closure that is in progress (milliseconds). */
const EVERY_MS = 2_000;

/** The receipt of a closed account, for everyone who has its token. */
export function getClosingReceipt(token: string, options: RpcOptions = {}): Promise<ClosingReceipt> {
  return rpc('get_closing_receipt', { p_receipt_token: token }, { ...options, auth: false });
}

export function closingReceiptQuery(token: string) {
  return queryOptions({
    queryKey: ['closing-receipt', token],
    queryFn: ({ signal }) => getClosingReceipt(token, { signal }),
    enabled: token !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? EVERY_MS : false),
  });
}

/** Reads a receipt, and follows it until the closure has ended. */
export function useClosingReceipt(token: string) {
  return useQuery(closingReceiptQuery(token));
}
