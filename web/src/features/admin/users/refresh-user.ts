import { refreshRpc } from '../../../lib/use-rpc.js';

/** Loads again what an act on a user can have changed. */
export function refreshUser(): void {
  refreshRpc(
    'get_user_admin',
    'get_user_ledger_admin',
    'get_user_purchases_admin',
    'get_user_statement_admin',
    'preview_refund_admin',
    'search_users_admin',
    'list_credit_proposals_admin',
    'list_admin_acts',
    'get_admin_overview',
  );
}
