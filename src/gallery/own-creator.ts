import { type QueryBus } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../contract/creator-controls.js';
import { GetOwnCreator } from '../creators/index.js';
import { DomainError } from '../platform/domain-error.js';

/**
 * The id of the approved creator that a user is.
 * @throws DomainError forbidden for everyone else
 */
export async function ownCreatorId(queries: QueryBus, userId: string): Promise<string> {
  const creator = await queries.execute(new GetOwnCreator({ userId }));
  if (creator?.status !== 'active') throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
  return creator.id;
}
