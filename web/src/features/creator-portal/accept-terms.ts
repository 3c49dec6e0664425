import type { CreateCreatorRequest } from '../../../../src/contract/calls/creators.js';
import { rpc } from '../../lib/api.js';
import { acceptanceLog } from './acceptance.js';
import { logTermsAcceptance, tryToLogTermsAcceptance } from './api/log-terms-acceptance.js';

/**
 * Sends the acceptance: makes the creator, who keeps a record of it, and logs it. Without a creator to make, the log is
 * the only record. @throws Error when the acceptance was not stored
 */
export async function acceptTerms(
  creator: CreateCreatorRequest | null,
  person: { readonly userId: string; readonly email: string },
): Promise<void> {
  const request = () =>
    acceptanceLog({
      ...person,
      now: new Date(),
      origin: window.location.origin,
      userAgent: navigator.userAgent,
    });
  if (creator === null) {
    await logTermsAcceptance(request());
    return;
  }
  await rpc('create_creator_by_jwt', creator);
  await tryToLogTermsAcceptance(request);
}
