import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';

/** Time between two looks at a closure that is in progress (milliseconds). */
const EVERY_MS = 2_000;

/** Reads the receipt of a closed account for everyone who has its token, and follows it until the closure has ended. */
export function useClosingReceipt(token: string) {
  return useQuery({
    queryKey: ['closing-receipt', token],
    queryFn: ({ signal }) => rpc('get_closing_receipt', { p_receipt_token: token }, { signal, auth: false }),
    enabled: token !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? EVERY_MS : false),
  });
}
