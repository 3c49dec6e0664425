import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** The public creators (approved, visible and not withdrawn), the oldest first: all, or those among some ids. */
export class GetPublicCreators extends Query<readonly Creator[]> {
  constructor(readonly input: { readonly creatorIds?: readonly string[] } = {}) {
    super();
  }
}

@QueryHandler(GetPublicCreators)
export class GetPublicCreatorsHandler implements IQueryHandler<GetPublicCreators> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorIds } }: GetPublicCreators): Promise<readonly Creator[]> {
    const rows = await this.db
      .selectFrom('creator')
      .selectAll()
      .where('creator_status', '=', 'active')
      .where('is_visible', '=', true)
      .where('withdrawn_at', 'is', null)
      .$if(creatorIds !== undefined, (query) =>
        query.where('id', '=', sql<string>`any(${[...(creatorIds ?? [])]}::uuid[])`),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(toCreator);
  }
}
