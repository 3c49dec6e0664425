import { type QueryBus } from '@nestjs/cqrs';
import { type CreatorSummary, GetCreator, GetCreatorByModel } from '../../creators/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { MESSAGES } from '../messages.js';

/** An id, or the deployment or version that draws in the creator's style. */
export type CreatorReference = string | { readonly model: string };

/**
 * The creator in whose style a picture is to be drawn; null when there is none.
 * @throws ApiError 503 when that cannot be found out now; nothing has been charged by then
 */
export async function creatorForGeneration(
  queries: Pick<QueryBus, 'execute'>,
  reference: CreatorReference,
): Promise<CreatorSummary | null> {
  try {
    return await queries.execute(
      typeof reference === 'string' ? new GetCreator({ creatorId: reference }) : new GetCreatorByModel(reference),
    );
  } catch (error) {
    throw new ApiError(503, MESSAGES.creatorNotRead('please try again in a moment.'), {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
