import { useReverification } from '@clerk/react';
import { isReverificationCancelledError } from '@clerk/react/errors';
import { useEffect } from 'react';
import { ApiError } from '../../../lib/api-error.js';
import { reportReverification, VerificationCancelledError } from '../../../lib/reverification.js';
import { loadWidgets } from '../lazy-widgets.js';

/** Offers the SDK's reverification to the admin area. Its pages render outside the SDK's provider. */
export function ReverificationBridge(): null {
  const run = useReverification(async (work: () => Promise<unknown>) => {
    const answer = await work();
    // For this answer the SDK opens its dialog. It would wait forever for code that cannot be loaded.
    if (typeof answer === 'object' && answer !== null && 'clerk_error' in answer) await dialogCode();
    return answer;
  });
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

/** @throws ApiError when the code of the dialog cannot be loaded */
async function dialogCode(): Promise<void> {
  try {
    await loadWidgets();
  } catch (error) {
    throw new ApiError(
      0,
      'NETWORK_ERROR',
      'The verification could not be opened. Please check your connection.',
      String(error),
    );
  }
}
