import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type OwnCreator } from '../../contract/creators.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toOwnCreator } from './creator-record.js';

/** The private record of the creator that a user is. Null for fans. */
export class GetOwnRecord extends Query<OwnCreator | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetOwnRecord)
export class GetOwnRecordHandler implements IQueryHandler<GetOwnRecord> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { userId } }: GetOwnRecord): Promise<OwnCreator | null> {
    const row = await selectRecords(this.db).where('creator.clerk_id', '=', userId).executeTakeFirst();
    return row ? toOwnCreator(row) : null;
  }
}
