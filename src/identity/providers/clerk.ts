import { type FactoryProvider } from '@nestjs/common';
import { type ClerkClient, createClerkClient } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import {
  type ClerkSettings,
  PROVIDER_SETTINGS,
  type ProviderSettings,
} from '../../platform/config/provider-settings.js';
import { type Principal } from '../../platform/principal.js';
import { within } from '../../platform/within.js';
import { type ProviderUser, readProviderUser } from './provider-user.js';

/** Injection token of the `ClerkClient`. */
export const CLERK = Symbol('CLERK');

/** Limit of one request to the provider. */
const TIMEOUT_MS = 3_000;

export const clerkProvider: FactoryProvider<ClerkClient> = {
  provide: CLERK,
  inject: [PROVIDER_SETTINGS],
  useFactory: ({ clerk }: ProviderSettings) => createClerk(clerk),
};

/** The Clerk SDK for Clerk or for the sandbox. Telemetry is off. */
export function createClerk({
  secretKey,
  publishableKey,
  apiUrl,
}: Pick<ClerkSettings, 'secretKey' | 'publishableKey' | 'apiUrl'>): ClerkClient {
  return createClerkClient({ secretKey, publishableKey, ...(apiUrl ? { apiUrl } : {}), telemetry: { disabled: true } });
}

/**
 * Reads a user from the provider. Null when the provider has no such user.
 * @throws when the provider fails or does not answer within three seconds
 */
export async function fetchProviderUser(clerk: ClerkClient, userId: string): Promise<ProviderUser | null> {
  try {
    const user = await withTimeout(clerk.users.getUser(userId));
    if (!user.raw) throw new Error('The identity provider sent a user without its fields.');
    return readProviderUser(user.raw);
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) return null;
    throw error;
  }
}

/**
 * Deletes a user at the provider, with sessions and addresses. A user that the provider does not have is deleted.
 * @throws when the provider fails or does not answer within three seconds
 */
export async function deleteProviderUser(clerk: ClerkClient, userId: string): Promise<void> {
  try {
    await withTimeout(clerk.users.deleteUser(userId));
  } catch (error) {
    if (!(isClerkAPIResponseError(error) && error.status === 404)) throw error;
  }
}

/**
 * Whether a session of the user is active at the provider. Tokens of a template carry no session id; they count as
 * active as long as the user has any active session.
 * @throws when the provider fails or does not answer within three seconds
 */
export async function hasActiveSession(clerk: ClerkClient, { userId, sessionId }: Principal): Promise<boolean> {
  try {
    if (sessionId === '') {
      const sessions = await withTimeout(clerk.sessions.getSessionList({ userId, status: 'active', limit: 1 }));
      return sessions.data.length > 0;
    }
    return (await withTimeout(clerk.sessions.getSession(sessionId))).status === 'active';
  } catch (error) {
    if (isClerkAPIResponseError(error) && error.status === 404) return false;
    throw error;
  }
}

function withTimeout<T>(answer: Promise<T>): Promise<T> {
  return within(TIMEOUT_MS, answer, () => {
    throw new Error(`The identity provider did not answer in ${TIMEOUT_MS} ms.`);
  });
}
