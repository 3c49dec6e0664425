import { type QueryBus } from '@nestjs/cqrs';
import { type CreatorSummary, GetCreator } from '../creators/index.js';
import { ApiError } from '../platform/http/api-error.js';
import { MESSAGES } from './messages.js';

/**
 * The creator in whose style a picture is to be drawn; null when there is none.
 * @throws ApiError 503 when that cannot be found out now; nothing has been charged by then
 */
export async function creatorForGeneration(
  queries: Pick<QueryBus, 'execute'>,
  creatorId: string,
): Promise<CreatorSummary | null> {
  try {
    return await queries.execute(new GetCreator(creatorId));
  } catch (error) {
    throw new ApiError(503, MESSAGES.creatorNotRead('please try again in a moment.'), {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
