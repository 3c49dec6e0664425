import { useEffect, useState } from 'react';
import { NEW_ACCOUNT_ATTEMPTS, NEW_ACCOUNT_PAUSE_MS } from './portal-case.js';

/**
 * Looks a missing record of a new account up again, up to 3 times, 1 s apart. Returns the number of the attempt in
 * progress, or null when none is.
 */
export function useNewAccountRetry(missing: boolean, lookAgain: () => Promise<unknown>): number | null {
  const [done, setDone] = useState(0);
  const retrying = missing && done < NEW_ACCOUNT_ATTEMPTS;
  useEffect(() => {
    if (!retrying) return undefined;
    let hasLeft = false;
    const timer = setTimeout(() => {
      void lookAgain().finally(() => {
        if (!hasLeft) setDone(done + 1);
      });
    }, NEW_ACCOUNT_PAUSE_MS);
    return () => {
      hasLeft = true;
      clearTimeout(timer);
    };
  }, [retrying, done, lookAgain]);
  return retrying ? done + 1 : null;
}
