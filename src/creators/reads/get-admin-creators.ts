import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type AdminCreator } from '../../contract/creators.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toAdminCreator } from './creator-record.js';

/** Creators by id with their private fields, in the order of the ids. For admins only. Unknown ids are left out. */
export class GetAdminCreators extends Query<AdminCreator[]> {
  constructor(readonly input: { readonly creatorIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(GetAdminCreators)
export class GetAdminCreatorsHandler implements IQueryHandler<GetAdminCreators> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorIds } }: GetAdminCreators): Promise<AdminCreator[]> {
    if (creatorIds.length === 0) return [];
    const ids = sql<string>`any(${[...creatorIds]}::uuid[])`;
    const rows = await selectRecords(this.db).where('creator.id', '=', ids).execute();
    const records = new Map(rows.map((row) => [row.id, toAdminCreator(row)]));
    return creatorIds.map((id) => records.get(id)).filter((record) => record !== undefined);
  }
}
