import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type AdminCreator } from '../../contract/creators.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toAdminCreator } from './creator-record.js';

/** Creators with their private fields, the oldest first: all of them, or those that are approved and not archived. */
export class ListCreatorsForAdmins extends Query<AdminCreator[]> {
  constructor(readonly input: { readonly all: boolean }) {
    super();
  }
}

@QueryHandler(ListCreatorsForAdmins)
export class ListCreatorsForAdminsHandler implements IQueryHandler<ListCreatorsForAdmins> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { all } }: ListCreatorsForAdmins): Promise<AdminCreator[]> {
    const records = selectRecords(this.db);
    const chosen = all ? records : records.where('creator_status', '=', 'active').where('is_visible', '=', true);
    const rows = await chosen.orderBy('creator.created_at').orderBy('creator.id').execute();
    return rows.map(toAdminCreator);
  }
}
