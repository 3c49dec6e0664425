import { refreshRpc } from '../../../lib/use-rpc.js';

/** Fetches everything about the reconciliation again. */
export function refreshReconciliation(): void {
  refreshRpc('get_reconciliation', 'list_differences', 'get_open_difference_count');
}
