import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CLOSING_CONFIRMATION, type ClosingChoice } from '../../../../src/contract/closing.js';
import { ApiError, rpc } from '../../lib/api.js';
import { viewer } from '../../lib/auth.js';
import { localStore, sessionStore } from '../../lib/storage.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import { receiptPath } from './receipt-text.js';
import { problemOf } from '../../lib/problem-of.js';

interface CloseAccount {
  readonly busy: boolean;
  /** Why the last attempt failed. Another attempt is safe: an account is closed once. */
  readonly problem: string | null;
  readonly close: (choice: ClosingChoice) => void;
}

/** Closes the account, opens the page of the receipt and ends the session. */
export function useCloseAccount(): CloseAccount {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();

  const close = async (choice: ClosingChoice): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      // A repeated call returns the same closure with a new receipt.
      const { receipt_token: token } = await rpc('close_account', {
        p_choice: choice,
        p_confirmation: CLOSING_CONFIRMATION,
      });
      // First, because the pages of signed-in people redirect to the sign-in when the session ends.
      await navigate(receiptPath(token), { replace: true });
      await leave(receiptPath(token));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(problemOf(error));
      setBusy(false);
      // The answer may have been lost after the closure began.
      refreshRpc('get_account_closing');
    }
  };

  return { busy, problem, close: (choice) => void close(choice) };
}

/** Ends the session and removes what this browser remembers of the person. */
async function leave(receipt: string): Promise<void> {
  try {
    await viewer().signOut(receipt);
  } catch (error) {
    // The user may be deleted at the identity provider already. A new page finds no session.
    console.warn('The session could not be ended', error);
    window.location.reload();
  }
  localStore.clear();
  sessionStore.clear();
}
