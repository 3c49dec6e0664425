import type { FunctionRequest } from '../../../../../src/contract/calls.js';
import { ApiError, callFunction } from '../../../lib/api.js';
import { problemOf, SaidError } from '../../../lib/problem-of.js';

type LogRequest = FunctionRequest<'log-terms-acceptance'>;

/** Records an acceptance of the terms. @throws Error when the server did not store it (creator spec, section 7) */
export async function logTermsAcceptance(request: LogRequest): Promise<void> {
  try {
    await callFunction('log-terms-acceptance', request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    throw new SaidError(`Failed to log terms acceptance: ${error.status} ${problemOf(error)}`, { cause: error });
  }
}

/** Like {@link logTermsAcceptance}, but a failure is only logged: the acceptance is stored with the creator. */
export async function tryToLogTermsAcceptance(
  request: () => LogRequest,
): Promise<{ readonly action: 'logged' | 'error' }> {
  try {
    await logTermsAcceptance(request());
    return { action: 'logged' };
  } catch (error) {
    console.error('The acceptance of the terms could not be logged', error);
    return { action: 'error' };
  }
}
