import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/**
 * An approved creator by username. Archived ones too, because their page says so. Null when there is none, or the
 * creator has withdrawn.
 */
export class GetCreatorProfile extends Query<Creator | null> {
  constructor(readonly input: { readonly username: string }) {
    super();
  }
}

@QueryHandler(GetCreatorProfile)
export class GetCreatorProfileHandler implements IQueryHandler<GetCreatorProfile> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { username } }: GetCreatorProfile): Promise<Creator | null> {
    const row = await this.db
      .selectFrom('creator')
      .selectAll()
      .where('username', '=', username.toLowerCase())
      .where('creator_status', '=', 'active')
      .where('withdrawn_at', 'is', null)
      .executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
