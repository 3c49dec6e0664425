import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { Authenticator } from '../../platform/principal.js';
import { type CreatorForUser } from './creator.js';
import { GetCreatorForUser } from './get-creator-for-user.js';

/**
 * The creator whose figures a user asks for: the own one, in any status, or any for admins and finance.
 * @throws DomainError forbidden, the same for unknown creators and for users without the right
 */
export class GetReadableCreator extends Query<CreatorForUser> {
  constructor(readonly input: { readonly creatorId: string; readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetReadableCreator)
export class GetReadableCreatorHandler implements IQueryHandler<GetReadableCreator> {
  constructor(
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  async execute({ input: { creatorId: creator, userId } }: GetReadableCreator): Promise<CreatorForUser> {
    const found = await this.queries.execute(new GetCreatorForUser({ creator, userId }));
    if (found?.isUser) return found;
    const roles = await this.authenticator.rolesOf(userId);
    if (found && (roles.has('admin') || roles.has('finance'))) return found;
    throw new DomainError('forbidden', 'Creator not found or access denied');
  }
}
