import { QueryHandler } from '@nestjs/cqrs';
import { type AdminCreator } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toAdminCreator } from './creator-record.js';

/** Creators with their private fields, the oldest first: all of them, or those that are approved and not archived. */
export class ListCreatorsForAdmins extends QueryOf<{ readonly all: boolean }, AdminCreator[]> {}

@QueryHandler(ListCreatorsForAdmins)
export class ListCreatorsForAdminsHandler extends ReadHandler<CreatorTables, ListCreatorsForAdmins> {
  async execute({ input: { all } }: ListCreatorsForAdmins): Promise<AdminCreator[]> {
    const records = selectRecords(this.db);
    const chosen = all ? records : records.where('creator_status', '=', 'active').where('is_visible', '=', true);
    const rows = await chosen.orderBy('creator.created_at').orderBy('creator.id').execute();
    return rows.map(toAdminCreator);
  }
}
