import { refreshRpc } from '../../../lib/use-rpc.js';

/** Loads again what an act on payouts can have changed. */
export function refreshPayouts(): void {
  refreshRpc(
    'list_payout_runs',
    'get_payout_run',
    'list_payout_run_creators',
    'list_payout_files',
    'list_creator_payouts',
    'get_bank_report',
    'list_creator_liabilities',
    'list_admin_acts',
  );
}
