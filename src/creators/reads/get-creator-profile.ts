import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/**
 * An approved creator by username. Archived and withdrawn ones too, because their page says so; of a withdrawn one only
 * the name is public. Null when there is none, or the account is closed.
 */
export class GetCreatorProfile extends QueryOf<{ readonly username: string }, Creator | null> {}

@QueryHandler(GetCreatorProfile)
export class GetCreatorProfileHandler extends ReadHandler<CreatorTables, GetCreatorProfile> {
  async execute({ input: { username } }: GetCreatorProfile): Promise<Creator | null> {
    const row = await this.db
      .selectFrom('creator')
      .selectAll()
      .where('username', '=', username.toLowerCase())
      .where('creator_status', '=', 'active')
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
