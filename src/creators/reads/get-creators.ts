import { QueryHandler } from '@nestjs/cqrs';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** Creators by id, for lists that name the creator of each entry. Unknown ids are left out. */
export class GetCreators extends QueryOf<{ readonly creatorIds: readonly string[] }, ReadonlyMap<string, Creator>> {}

@QueryHandler(GetCreators)
export class GetCreatorsHandler extends ReadHandler<CreatorTables, GetCreators> {
  async execute({ input: { creatorIds } }: GetCreators): Promise<ReadonlyMap<string, Creator>> {
    const ids = [...new Set(creatorIds)].filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db.selectFrom('creator').selectAll().where('id', 'in', ids).execute();
    return new Map(rows.map((row) => [row.id, toCreator(row)]));
  }
}
