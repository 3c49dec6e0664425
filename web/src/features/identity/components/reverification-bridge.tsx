import { useReverification } from '@clerk/react';
import { isReverificationCancelledError } from '@clerk/react/errors';
import { useEffect } from 'react';
import { reportReverification, VerificationCancelledError } from '../../../lib/reverification.js';

/** Offers the SDK's reverification to the admin area. Its pages render outside the SDK's provider. */
export function ReverificationBridge(): null {
  const run = useReverification((work: () => Promise<unknown>) => work());
  useEffect(() => {
    reportReverification(async (work) => {
      try {
        return await run(work);
      } catch (error) {
        throw isReverificationCancelledError(error) ? new VerificationCancelledError() : error;
      }
    });
    return () => reportReverification(null);
  }, [run]);
  return null;
}
