import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** Creators by id, for lists that name the creator of each entry. Unknown ids are left out. */
export class GetCreators extends Query<ReadonlyMap<string, Creator>> {
  constructor(readonly input: { readonly creatorIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(GetCreators)
export class GetCreatorsHandler implements IQueryHandler<GetCreators> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorIds } }: GetCreators): Promise<ReadonlyMap<string, Creator>> {
    const ids = [...new Set(creatorIds)].filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db.selectFrom('creator').selectAll().where('id', 'in', ids).execute();
    return new Map(rows.map((row) => [row.id, toCreator(row)]));
  }
}
