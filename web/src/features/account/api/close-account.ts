import {
  CLOSING_CONFIRMATION,
  type ClosingChoice,
  type CloseAccountResponse,
} from '../../../../../src/contract/closing.js';
import { rpc } from '../../../lib/api.js';

/** Closes the account of the signed-in person. A repeated call returns the same closure with a new receipt. */
export function closeAccount(choice: ClosingChoice): Promise<CloseAccountResponse> {
  return rpc('close_account', { p_choice: choice, p_confirmation: CLOSING_CONFIRMATION });
}
