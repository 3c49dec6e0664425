import { refreshRpc } from '../../../lib/use-rpc.js';

/** Fetches everything about the reconciliation again. */
export function refreshReconciliation(): void {
  for (const name of ['get_reconciliation', 'list_differences', 'count_open_differences'] as const) refreshRpc(name);
}
