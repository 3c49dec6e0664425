import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** The public creators (approved, visible and not withdrawn), the oldest first: all, or those among some ids. */
export class GetPublicCreators extends QueryOf<{ readonly creatorIds?: readonly string[] }, readonly Creator[]> {}

@QueryHandler(GetPublicCreators)
export class GetPublicCreatorsHandler extends ReadHandler<CreatorTables, GetPublicCreators> {
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
