import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { type Creator, toCreator } from './creator.js';

/** The creator that a user is, in any status. Null for fans. */
export class GetOwnCreator extends Query<Creator | null> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetOwnCreator)
export class GetOwnCreatorHandler implements IQueryHandler<GetOwnCreator> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { userId } }: GetOwnCreator): Promise<Creator | null> {
    const row = await this.db.selectFrom('creator').selectAll().where('clerk_id', '=', userId).executeTakeFirst();
    return row ? toCreator(row) : null;
  }
}
