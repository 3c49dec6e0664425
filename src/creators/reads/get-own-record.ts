import { QueryHandler } from '@nestjs/cqrs';
import { type OwnCreator } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { selectRecords, toOwnCreator } from './creator-record.js';

/** The private record of the creator that a user is. Null for fans. */
export class GetOwnRecord extends QueryOf<{ readonly userId: string }, OwnCreator | null> {}

@QueryHandler(GetOwnRecord)
export class GetOwnRecordHandler extends ReadHandler<CreatorTables, GetOwnRecord> {
  async execute({ input: { userId } }: GetOwnRecord): Promise<OwnCreator | null> {
    const row = await selectRecords(this.db).where('creator.clerk_id', '=', userId).executeTakeFirst();
    return row ? toOwnCreator(row) : null;
  }
}
