import { refreshRpc } from '../../../lib/use-rpc.js';

/** Fetches everything about the reconciliation again. */
export function refreshReconciliation(): void {
  for (const name of ['get_reconciliation', 'list_differences', 'get_open_difference_count'] as const) refreshRpc(name);
}
