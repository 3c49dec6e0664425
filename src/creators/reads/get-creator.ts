import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** One creator by id, in any status. Null when there is none. */
export class GetCreator extends Query<Creator | null> {
  constructor(readonly input: { readonly creatorId: string }) {
    super();
  }
}

@QueryHandler(GetCreator)
export class GetCreatorHandler implements IQueryHandler<GetCreator> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorId } }: GetCreator): Promise<Creator | null> {
    if (!isUuid(creatorId)) return null;
    const row = await this.db.selectFrom('creator').selectAll().where('id', '=', creatorId).executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
