import { type QueryBus } from '@nestjs/cqrs';
import { type CreatorForUser, type CreatorReference, GetCreatorForUser } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { MESSAGES } from '../messages.js';

/**
 * Finds the creator of a new generation; null when there is none. Runs before anything is charged.
 * @throws DomainError unavailable when the lookup fails
 */
export async function findCreator(
  queries: Pick<QueryBus, 'execute'>,
  request: { readonly creator: CreatorReference; readonly userId: string },
): Promise<CreatorForUser | null> {
  try {
    return await queries.execute(new GetCreatorForUser(request));
  } catch (error) {
    throw new DomainError('unavailable', MESSAGES.creatorNotRead('please try again in a moment.'), {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
