import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/**
 * An approved creator by username. Archived and withdrawn ones too, because their page says so; of a withdrawn one only
 * the name is public. Null when there is none, or the account is closed.
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
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
