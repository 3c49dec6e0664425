import { QueryHandler } from '@nestjs/cqrs';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** One creator by id, in any status. Null when there is none. */
export class GetCreator extends QueryOf<{ readonly creatorId: string }, Creator | null> {}

@QueryHandler(GetCreator)
export class GetCreatorHandler extends ReadHandler<CreatorTables, GetCreator> {
  async execute({ input: { creatorId } }: GetCreator): Promise<Creator | null> {
    if (!isUuid(creatorId)) return null;
    const row = await this.db.selectFrom('creator').selectAll().where('id', '=', creatorId).executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
