import { useRpc } from '../../../lib/use-rpc.js';

/** Seals that the page of an account shows. */
const SEALS_SHOWN = 30;

/** The newest seals of the ledger, the newest first. */
export function useNewestSeals() {
  return useRpc('list_ledger_seals', { p_limit: SEALS_SHOWN, p_newest_first: true });
}
