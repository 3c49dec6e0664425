import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** The creator that a user is, in any status. Null for fans. */
export class GetOwnCreator extends QueryOf<{ readonly userId: string }, Creator | null> {}

@QueryHandler(GetOwnCreator)
export class GetOwnCreatorHandler extends ReadHandler<CreatorTables, GetOwnCreator> {
  async execute({ input: { userId } }: GetOwnCreator): Promise<Creator | null> {
    const row = await this.db.selectFrom('creator').selectAll().where('clerk_id', '=', userId).executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
