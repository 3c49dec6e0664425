import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type AdminCreator } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toAdminCreator } from './creator-record.js';

/** Creators by id with their private fields, in the order of the ids. For admins only. Unknown ids are left out. */
export class GetAdminCreators extends QueryOf<{ readonly creatorIds: readonly string[] }, AdminCreator[]> {}

@QueryHandler(GetAdminCreators)
export class GetAdminCreatorsHandler extends ReadHandler<CreatorTables, GetAdminCreators> {
  async execute({ input: { creatorIds } }: GetAdminCreators): Promise<AdminCreator[]> {
    if (creatorIds.length === 0) return [];
    const ids = sql<string>`any(${[...creatorIds]}::uuid[])`;
    const rows = await selectRecords(this.db).where('creator.id', '=', ids).execute();
    const records = new Map(rows.map((row) => [row.id, toAdminCreator(row)]));
    return creatorIds.map((id) => records.get(id)).filter((record) => record !== undefined);
  }
}
