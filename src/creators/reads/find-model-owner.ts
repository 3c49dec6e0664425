import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type ModelColumns } from '../model-reference.js';
import { type CreatorTables } from '../tables.js';

/** The creator who has this model. Null for a free one. */
export class FindModelOwner extends Query<{ readonly creatorId: string; readonly name: string } | null> {
  constructor(readonly input: ModelColumns) {
    super();
  }
}

@QueryHandler(FindModelOwner)
export class FindModelOwnerHandler implements IQueryHandler<FindModelOwner> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input }: FindModelOwner): Promise<{ readonly creatorId: string; readonly name: string } | null> {
    const row = await this.db
      .selectFrom('creator')
      .select(['id', 'name'])
      .where((where) =>
        input.lora_id === null
          ? where('deployment_name', '=', input.deployment_name)
          : where('lora_id', '=', input.lora_id),
      )
      .executeTakeFirst();
    return row ? { creatorId: row.id, name: row.name } : null;
  }
}
