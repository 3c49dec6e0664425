import { type QueryBus } from '@nestjs/cqrs';
import { CONTROL_MESSAGES } from '../contract/creator-controls.js';
import { type Creator, GetOwnCreator } from '../creators/index.js';
import { DomainError } from '../platform/domain-error.js';

/**
 * The approved creator that a user is, whose account is not closed.
 * @throws DomainError forbidden for everyone else
 */
export async function ownCreator(queries: QueryBus, userId: string): Promise<Creator> {
  const creator = await queries.execute(new GetOwnCreator({ userId }));
  if (creator?.status !== 'active' || creator.closed) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
  return creator;
}
