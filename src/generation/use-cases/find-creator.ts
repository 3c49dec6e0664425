import { type QueryBus } from '@nestjs/cqrs';
import { type Creator, GetCreator, GetCreatorByModel } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { MESSAGES } from '../messages.js';

/** The creator's id, or the deployment or model version of the creator. */
export type CreatorReference = string | { readonly model: string };

/**
 * Finds the creator of a new generation; null when there is none. Runs before anything is charged.
 * @throws DomainError unavailable when the lookup fails
 */
export async function findCreator(
  queries: Pick<QueryBus, 'execute'>,
  reference: CreatorReference,
): Promise<Creator | null> {
  try {
    return await queries.execute(
      typeof reference === 'string' ? new GetCreator({ creatorId: reference }) : new GetCreatorByModel(reference),
    );
  } catch (error) {
    throw new DomainError('unavailable', MESSAGES.creatorNotRead('please try again in a moment.'), {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
